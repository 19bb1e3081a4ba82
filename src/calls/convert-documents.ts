/**
 * Converts the documents of a job with the validation library of its schema, since a stored job knows the schema only
 * as plain JSON.
 */
import type { Document } from "../contract/document.ts";
import { isStandardSchema } from "../contract/schema-option.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { convertAnswer } from "../model/json-format.ts";
import { readSchema, type ToJsonSchema } from "../model/schema.ts";

export type ConvertDocument = (document: Document) => Promise<Document>;

/** As in a single scrape, an answer that the library refuses becomes null, and a warning says why. */
export function convertDocuments({ jsonOptions, extract }: ParsedScrapeOptions, toJson: ToJsonSchema): ConvertDocument {
  const schemas = Object.entries({ json: jsonOptions?.schema, extract: extract?.schema }).flatMap(([name, schema]) =>
    isStandardSchema(schema) ? [[name as "json" | "extract", readSchema(schema, toJson)] as const] : [],
  );
  return async (document) => {
    let result = document;
    for (const [name, schema] of schemas) {
      if (result[name] === undefined || result[name] === null) continue;
      const { json, problem } = await convertAnswer(schema, result[name]);
      const warning = [result.warning, problem].filter((text) => text !== undefined).join(" ");
      result = { ...result, [name]: json, ...(warning === "" ? {} : { warning }) };
    }
    return result;
  };
}
