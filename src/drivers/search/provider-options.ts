/** Checks what a search provider is made with: what is misspelt or missing would show only at the first search. */
import { z } from "zod";
import { headers, headerValue } from "../../contract/headers.ts";
import { parse } from "../../contract/parse.ts";
import { wholeNumber } from "../../contract/whole-number.ts";
import { parseHttpUrl } from "../../shared/http-url.ts";

const text = z.string().min(1);
const parts = {
  url: z.string().refine((url) => parseHttpUrl(url) !== null, "must be an http or https URL"),
  apiKey: headerValue,
  name: text,
  method: z.enum(["GET", "POST"]),
  headers,
  request: z.custom((value) => typeof value === "function", "must be a function"),
  results: text,
  fields: z.strictObject({ url: text, title: text, description: text }),
  engines: z.array(text),
  categories: z.array(text),
  limits: z.strictObject({
    maxResults: wholeNumber().min(1).optional(),
    requestsPerMinute: z.number().positive().optional(),
    // A timer that is to wait longer goes off at once.
    timeoutMs: z
      .number()
      .positive()
      .max(2 ** 31 - 1)
      .optional(),
  }),
};

/**
 * @param names the options there are; those with `?` may be left out
 * @throws RequestError `BAD_REQUEST` that names all that is wrong
 * @example
 * checkProviderOptions("brave", { apiKey: "k" }, ["apiKey", "url?", "limits?"]);
 */
export function checkProviderOptions(
  factory: string,
  options: unknown,
  names: readonly (keyof typeof parts | `${keyof typeof parts}?`)[],
): void {
  const shape: Record<string, z.ZodType> = {};
  for (const given of names) {
    const name = given.replace("?", "") as keyof typeof parts;
    shape[name] = given === name ? parts[name] : parts[name].optional();
  }
  parse(z.strictObject(shape), options, `options of ${factory}`);
}
