/** Dates of zod schemas: JSON has none, but `z.coerce.date()` reads one from text. */

interface Converted {
  readonly zodSchema: unknown;
  readonly jsonSchema: object;
}

interface Typed {
  readonly _zod?: { readonly def?: { readonly type?: unknown; readonly coerce?: unknown } };
}

/** What zod would write as a schema that accepts anything. */
const inexpressible: ReadonlySet<unknown> = new Set(
  "bigint custom function literal map nan set symbol transform undefined void".split(" "),
);
const ofDate = [
  { type: "string", format: "date" },
  { type: "string", format: "date-time" },
];

/**
 * For zod's `override`, with `unrepresentable: "any"`: texts for dates that are read from text.
 *
 * @param refusal what zod has thrown without that, thrown again for anything else that JSON does not have
 */
export function datesAsText(refusal: unknown): (converted: Converted) => void {
  return ({ zodSchema, jsonSchema }) => {
    const { type, coerce } = (zodSchema as Typed)._zod?.def ?? {};
    if (type === "date" && coerce === true) Object.assign(jsonSchema, { anyOf: ofDate });
    else if (type === "date") throw new Error("JSON has no dates; z.coerce.date() reads one from text");
    else if (inexpressible.has(type) && Object.keys(jsonSchema).length === 0) throw refusal;
  };
}
