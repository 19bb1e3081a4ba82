/** The format `json`: the data that a model takes from one page, in the form of the caller's schema. */
import type { JsonOptions } from "../contract/model-options.ts";
import type { ModelCalls } from "./model-calls.ts";
import type { PageContent } from "./prompts.ts";
import { type AnswerSchema, namedIssues, readSchema } from "./schema.ts";
import { takeData } from "./take-data.ts";

export interface ModelRequest {
  readonly model: unknown;
  readonly content: PageContent;
  readonly signal: AbortSignal;
}

interface JsonResult {
  /** Null if no answer of the model fitted. */
  readonly json: unknown;
  readonly warning?: string;
}

export async function makeJson(calls: ModelCalls, request: ModelRequest, options: JsonOptions): Promise<JsonResult> {
  const schema = options.schema === undefined ? undefined : readSchema(options.schema);
  const { value, problems } = await takeData(calls, { ...request, ...options, schema });
  if (value === null || schema === undefined) return result(value, problems);
  const { json, problem } = await convertAnswer(schema, value);
  return result(json, problem === undefined ? problems : [...problems, problem]);
}

/** The answer as converted by the schema's own library; null, with the reason, if it refuses the answer. */
export async function convertAnswer(
  schema: AnswerSchema,
  value: unknown,
): Promise<{ json: unknown; problem?: string }> {
  const converted = await schema.convert(value);
  if ("value" in converted) return { json: converted.value };
  return { json: null, problem: `The model's answer does not fit the schema: ${namedIssues(converted.issues)}.` };
}

function result(json: unknown, problems: readonly string[]): JsonResult {
  return { json, ...(problems.length === 0 ? {} : { warning: problems.join(" ") }) };
}
