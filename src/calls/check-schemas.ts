/** The schemas of a request: checked at the door, and turned into JSON Schema where the request is stored. */
import type { JudgedOptions } from "../contract/judged-parts.ts";
import { badRequest } from "../contract/parse.ts";
import type { JsonSchema, SchemaOption } from "../contract/schema-option.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { ErrorDetail } from "../errors.ts";
import { toJsonSchema } from "../model/schema.ts";

const places = ["jsonOptions", "extract", "changeTrackingOptions"] as const;

/** What is wrong with the schemas of scrape options that stand at `path`. */
export function optionSchemaProblems(options: JudgedOptions, path: readonly string[]): ErrorDetail[] {
  return places.flatMap((place) => schemaProblems(options[place]?.schema, [...path, place, "schema"]));
}

/** What is wrong with the schema that stands at `path`. */
export function schemaProblems(schema: SchemaOption | undefined, path: readonly string[]): ErrorDetail[] {
  if (schema === undefined) return [];
  const read = toJsonSchema(schema);
  if ("schema" in read) return [];
  return read.problems.map((detail) => ({ ...detail, path: [...path, ...detail.path] }));
}

/** The scrape options with plain JSON Schemas, as a job stores them. */
export function storableSchemas(options: ParsedScrapeOptions): ParsedScrapeOptions {
  let result = options;
  for (const place of places) {
    const part = options[place];
    if (part?.schema !== undefined) result = { ...result, [place]: { ...part, schema: storableSchema(part.schema) } };
  }
  return result;
}

/** A schema, which the door has checked, as plain JSON Schema. */
export function storableSchema(schema: SchemaOption): JsonSchema {
  const read = toJsonSchema(schema);
  if ("problems" in read) throw badRequest("schema", read.problems); // A second look found it changed.
  return read.schema;
}
