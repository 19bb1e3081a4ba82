/**
 * The schemas of a request: checked when the call is made, and converted to JSON Schema where the request is stored.
 */
import type { JudgedOptions } from "../contract/judged-parts.ts";
import { badRequest } from "../contract/parse.ts";
import type { JsonSchema, SchemaOption } from "../contract/schema-option.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { ErrorDetail } from "../errors.ts";
import { type ToJsonSchema, toJsonSchema } from "../model/schema.ts";

const places = ["jsonOptions", "extract", "changeTrackingOptions"] as const;

/** Converts the schemas of one request, each only once, because a large one takes a tenth of a second. */
export function schemaReader(): ToJsonSchema {
  const known = new Map<SchemaOption, ReturnType<ToJsonSchema>>();
  return (schema) => {
    const read = known.get(schema) ?? toJsonSchema(schema);
    known.set(schema, read);
    return read;
  };
}

/** Everything that is wrong with the schemas in scrape options at `path`. */
export function optionSchemaProblems(
  options: JudgedOptions,
  path: readonly string[],
  toJson: ToJsonSchema,
): ErrorDetail[] {
  return places.flatMap((place) => schemaProblems(options[place]?.schema, [...path, place, "schema"], toJson));
}

/** Everything that is wrong with the schema at `path`. */
export function schemaProblems(
  schema: SchemaOption | undefined,
  path: readonly string[],
  toJson: ToJsonSchema,
): ErrorDetail[] {
  if (schema === undefined) return [];
  const read = toJson(schema);
  if ("schema" in read) return [];
  return read.problems.map((detail) => ({ ...detail, path: [...path, ...detail.path] }));
}

/** The scrape options with plain JSON Schemas, as a job stores them. */
export function storableSchemas(options: ParsedScrapeOptions, toJson: ToJsonSchema): ParsedScrapeOptions {
  let result = options;
  for (const place of places) {
    const part = options[place];
    if (part?.schema !== undefined)
      result = { ...result, [place]: { ...part, schema: storableSchema(part.schema, toJson) } };
  }
  return result;
}

/** A schema that has been checked already, as plain JSON Schema. */
export function storableSchema(schema: SchemaOption, toJson: ToJsonSchema): JsonSchema {
  const read = toJson(schema);
  if ("problems" in read) throw badRequest("schema", read.problems);
  return read.schema;
}
