/** Headers that the engine sends on behalf of a caller, in requests for pages or to webhooks. */
import { z } from "zod";
import { quote } from "../shared/quote.ts";
import { ofForm } from "./of-form.ts";

/** Most headers of one request. */
const maxHeaders = 100;
/** Most characters of a header value. */
const maxHeaderLength = 16_384;

/**
 * A header name, and the characters of a value, as HTTP defines them; no line ends, so that no header can smuggle in
 * another.
 */
const nameForm = /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/i;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

export const headerValue = z
  .string()
  .min(1)
  .max(maxHeaderLength)
  .regex(valueForm, "holds characters that are not allowed in a header");

/** Headers that describe the connection or the body; setting them would break the request. */
export const connectionHeaders: ReadonlySet<string> = new Set(
  "connection content-length expect keep-alive proxy-connection te trailer transfer-encoding upgrade".split(" "),
);

export const headerName = z
  .string()
  .regex(nameForm, "is no header name")
  .refine((name) => !connectionHeaders.has(name.toLowerCase()), "is set by the engine");

/**
 * A list, a `Headers`, a `Map` and an instance whose class computes its properties do not have their entries as properties
 * of their own, so they would appear to be empty.
 */
function hasOwnEntries(value: object): boolean {
  if (Symbol.iterator in value) return false;
  const parent: object | null = Object.getPrototypeOf(value);
  return Object.keys(value).length > 0 || parent === null || Object.getPrototypeOf(parent) === null;
}

/** A map of strings; names are converted to lower case. */
export const headers: z.ZodType<Readonly<Record<string, string>>, Readonly<Record<string, string>>> = ofForm<
  Readonly<Record<string, string>>
>(
  (value) => typeof value === "object" && value !== null && hasOwnEntries(value),
  "must be a plain object with string values",
).transform((given, context): Record<string, string> => {
  const entries = Object.entries(given as Record<string, unknown>);
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: "custom", path, message, input: given });
  if (entries.length > maxHeaders) {
    refuse([], `must have at most ${maxHeaders} headers`);
    return z.NEVER;
  }
  const accepted = new Map<string, string>();
  for (const [typed, value] of entries) {
    const name = typed.toLowerCase();
    if (!nameForm.test(name)) refuse([], `has the name ${quote(typed)}, which is no header name`);
    else if (connectionHeaders.has(name)) refuse([typed], "is set by the engine");
    else if (accepted.has(name)) refuse([typed], "is given twice");
    else if (typeof value !== "string") refuse([typed], "must be a string");
    else if (value.length > maxHeaderLength) refuse([typed], `must have at most ${maxHeaderLength} characters`);
    else if (!valueForm.test(value)) refuse([typed], "holds characters that are not allowed in a header");
    else accepted.set(name, value);
  }
  return Object.fromEntries(accepted);
});
