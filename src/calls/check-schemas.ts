/** The schemas of a request: checked at the door, and turned into JSON Schema where the request is stored. */
import { badRequest } from "../contract/parse.ts";
import type { JsonSchema, SchemaOption } from "../contract/schema-option.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { ErrorDetail } from "../errors.ts";
import { toJsonSchema } from "../model/schema.ts";

const places = ["jsonOptions", "extract", "changeTrackingOptions"] as const;

/**
 * The scrape options with plain JSON Schemas, as a job stores them.
 *
 * @throws RequestError `BAD_REQUEST` naming everything that is wrong with their schemas
 */
export function storableSchemas(
  options: ParsedScrapeOptions,
  path: readonly string[],
  what: string,
): ParsedScrapeOptions {
  const problems: ErrorDetail[] = [];
  let result = options;
  for (const place of places) {
    const part = options[place];
    if (part?.schema === undefined) continue;
    const read = toJsonSchema(part.schema);
    if ("problems" in read) problems.push(...below([...path, place, "schema"], read.problems));
    else result = { ...result, [place]: { ...part, schema: read.schema } };
  }
  if (problems.length > 0) throw badRequest(what, problems);
  return result;
}

/** {@link storableSchemas} for a single schema. */
export function storableSchema(schema: SchemaOption | undefined, what: string): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const read = toJsonSchema(schema);
  if ("problems" in read) throw badRequest(what, below(["schema"], read.problems));
  return read.schema;
}

function below(path: readonly string[], problems: readonly ErrorDetail[]): ErrorDetail[] {
  return problems.map((detail) => ({ ...detail, path: [...path, ...detail.path] }));
}
