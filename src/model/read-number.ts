/** Numbers and prices as pages write them, where it is certain which sign sets the decimals apart. */

/** A sign such as `$` or `R$`, or the code of a currency, on either side. */
const currency = String.raw`(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3})`;
/** A number with a currency, or with a sign for no cents, as in `20,–`. */
const priced = new RegExp(
  String.raw`^(?:${currency}\s?)?(-?\d[\d\s.,'’]*?)([.,:][-–—]{1,2})?(?:\s?${currency})?$`,
  "u",
);

const plain = /^-?\d{1,15}(?:\.\d{1,10})?$/;
/** Signs between thousands, in India also between pairs of digits before them, and the sign before the decimals. */
const forms: readonly (readonly [form: RegExp, decimal: "," | "."])[] = [
  [/^-?\d{1,3}(?:[,'’\s]\d{2,3})*[,'’\s]\d{3}\.\d{1,2}$/u, "."],
  [/^-?\d{1,3}(?:[.'’\s]\d{3})+,\d{1,2}$/u, ","],
  [/^-?\d{1,3}(?:(?:,\d{3}){2,}|(?:['’\s]\d{3})+)$/u, "."],
  [/^-?\d{1,3}(?:\.\d{3}){2,}$/u, ","],
  [/^-?\d{1,15},\d{1,2}$/u, ","],
];

/** Of thousands, or of fewer. */
const wholeNumber = /^(?:\d{1,15}|\d{1,3}(?:[.,'’\s]\d{3})+)$/u;

/** Longest text that is looked at. */
const maxLength = 40;

/**
 * The number that a text is. Schema.org asks for a decimal point and no other signs, but many write prices as people
 * read them. Undefined for anything else, and where a sign may mean either: `1,299`.
 *
 * @example
 * readNumber("1.299,90 €"); // 1299.9
 */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  if (plain.test(trimmed)) return Number(trimmed);
  const [, number = "", noCents] = priced.exec(trimmed) ?? [];
  // Prices have no thousandths, but thousands.
  if (noCents !== undefined) return wholeNumber.test(number) ? Number(number.replace(/\D/g, "")) : undefined;
  if (plain.test(number) && !/\.\d{3}$/.test(number)) return Number(number);
  const decimal = forms.find(([form]) => form.test(number))?.[1];
  if (decimal === undefined) return undefined;
  const digits = number.replace(decimal === "," ? /[^\d,-]/g : /[^\d.-]/g, "").replace(",", ".");
  return digits.length > 17 ? undefined : Number(digits);
}
