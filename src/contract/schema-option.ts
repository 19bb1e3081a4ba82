/** The `schema` of `jsonOptions`, `extract` and `changeTrackingOptions`: the form that the data should have. */
import { ofForm } from "./of-form.ts";

/** A JSON Schema, draft-07 or 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The part of the Standard Schema interface that this package uses; zod, Valibot, ArkType and others implement it. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/**
 * A JSON Schema whose type is an interface, such as the usual `JSONSchema7`. An interface is no {@link JsonSchema} to the
 * compiler, because it could be extended by anything, but it shares some of these names.
 */
type DeclaredJsonSchema = Readonly<Partial<Record<Keyword, unknown>>>;
type Keyword = "$ref" | "type" | "enum" | "const" | "properties" | "items" | "anyOf" | "oneOf" | "allOf";

/** A plain JSON Schema, or a schema of a validation library, which also converts the answer and determines its type. */
export type SchemaOption = JsonSchema | DeclaredJsonSchema | StandardSchema;

/** The type of the data that a schema describes; `unknown` for a JSON Schema. */
export type SchemaOutput<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown;

/** True for a schema object of a validation library, false for a plain JSON Schema. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return schema !== null && (typeof schema === "object" || typeof schema === "function") && "~standard" in schema;
}

/** Passed through untouched: whether the schema itself makes sense is decided where it is used. */
export const schemaOption = ofForm<SchemaOption>(
  (value) => isStandardSchema(value) || (typeof value === "object" && value !== null && !Array.isArray(value)),
  "must be a JSON Schema or a Standard Schema object",
);
