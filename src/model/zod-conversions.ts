/** Notes in the JSON Schema of a zod schema which values zod converts before it checks them. */
import { type Conversion, conversionKeyword } from "./schema-conversions.ts";

interface Converted {
  readonly zodSchema: unknown;
  readonly jsonSchema: object;
}

interface Definition {
  readonly type?: unknown;
  readonly coerce?: unknown;
  readonly in?: { readonly _zod?: { readonly def?: Definition } };
}

/** What `z.coerce` accepts, by the type that it makes. Dates have texts of their own (see `zod-dates.ts`). */
const coercions: Readonly<Record<string, Conversion>> = {
  bigint: "number",
  boolean: "scalar",
  number: "number",
  string: "scalar",
};

/** For zod's `override`. */
export function noteConversions({ zodSchema, jsonSchema }: Converted): void {
  const conversion = conversionOf((zodSchema as { _zod?: { def?: Definition } })._zod?.def ?? {});
  if (conversion !== undefined) Object.assign(jsonSchema, { [conversionKeyword]: conversion });
}

function conversionOf({ type, coerce, in: input }: Definition): Conversion | undefined {
  if (coerce === true) return coercions[String(type)];
  // What `z.preprocess` is given, its function converts.
  return type === "catch" || (type === "pipe" && input?._zod?.def?.type === "transform") ? "any" : undefined;
}
