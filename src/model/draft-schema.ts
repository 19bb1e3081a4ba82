/** Drafts a schema for a request that has only a prompt, so that all pages are asked the same question. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject } from "./json-value.ts";
import { type ModelCalls, metered } from "./model-calls.ts";
import { readAnswer } from "./repair.ts";
import { schemaProblems } from "./schema-check.ts";

const instructions =
  "You write JSON Schemas. Given a wish for data from web pages, answer with the JSON Schema of an object that holds it, " +
  "and nothing else. Use type, properties, items and description only; put repeated things into one list of objects; " +
  "give plain names; ask for nothing beyond the wish.";

/** Without a usable answer there is no schema, and pages are asked without one. */
export async function draftSchema(
  allCalls: ModelCalls,
  { model, prompt, signal }: { readonly model: unknown; readonly prompt: string; readonly signal: AbortSignal },
): Promise<{ schema: JsonSchema | undefined; tokens: number }> {
  const { calls, used } = metered(allCalls);
  try {
    const answer = await calls.ask(
      { model, instructions, messages: [{ role: "user", content: prompt }], signal },
      null,
    );
    // Of a schema that was cut off, the first part would pass for the whole.
    const schema = answer.incomplete === undefined ? readAnswer(answer.text)?.value : undefined;
    const isUsable = isObject(schema) && isObject(schema["properties"]) && schemaProblems(schema).length === 0;
    return { schema: isUsable ? schema : undefined, tokens: used() };
  } catch (error) {
    // Any other error will occur with the pages too, and be reported there.
    if (signal.aborted) throw error;
    return { schema: undefined, tokens: used() };
  }
}
