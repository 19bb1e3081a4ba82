import type { z } from "zod";
import { type JudgedParts, judgedParts, type OptionsPlace } from "../contract/judged-parts.ts";
import { badRequest, parse } from "../contract/parse.ts";
import { type ErrorDetail, RequestError } from "../errors.ts";
import type { ToJsonSchema } from "../model/schema.ts";
import { selectorProblems } from "./check-option-selectors.ts";
import { optionSchemaProblems, schemaProblems, schemaReader } from "./check-schemas.ts";

/**
 * The request of a call, with its selectors and JSON Schemas checked too.
 *
 * @param form `what` names the request in messages
 * @param toJson for a call that needs the schemas again
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong at once
 */
export async function readRequest<Request extends JudgedParts>(
  form: { readonly schema: z.ZodType<Request>; readonly place: OptionsPlace; readonly what: string },
  input: unknown,
  toJson: ToJsonSchema = schemaReader(),
): Promise<Request> {
  const { schema, place, what } = form;
  let request: Request | undefined;
  let faults: readonly ErrorDetail[] = [];
  try {
    request = parse(schema, input, what);
  } catch (error) {
    if (!RequestError.isInstance(error) || error.details === undefined) throw error;
    faults = error.details;
  }
  const judged = request ?? judgedParts(input, place);
  const path = place === "top" ? [] : ["scrapeOptions"];
  const problems = [
    ...faults,
    ...(await selectorProblems(judged.scrapeOptions, path)),
    ...optionSchemaProblems(judged.scrapeOptions, path, toJson),
    ...schemaProblems(judged.schema, ["schema"], toJson),
  ];
  if (request === undefined || problems.length > 0) throw badRequest(what, problems);
  return request;
}
