/**
 * Change tracking in `json` mode without a schema: a model describes the change between both versions, in a form of its
 * own choice.
 */
import type { ComparisonResult } from "./compare-by-model.ts";
import type { ModelRequest } from "./json-format.ts";
import { isDeeperThan, maxLevels } from "./json-value.ts";
import { ModelCallError } from "./language-model.ts";
import type { ModelCalls } from "./model-calls.ts";
import { changeInstructions, changeRequest, correctionRequest, wrapContent } from "./prompts.ts";
import { readAnswer } from "./repair.ts";
import { brokeOff, noAnswer } from "./take-data.ts";
import { estimateTokens } from "./tokens.ts";

/**
 * Without a schema, data taken from each version would have different forms, and everything would differ. So the model
 * sees both versions at once, and its answer is returned as it is.
 *
 * @param request the present page
 * @param difference both versions as one text without their common parts, used if they are too long
 */
export async function describeChange(
  calls: ModelCalls,
  { model, content, signal }: ModelRequest,
  previous: string,
  prompt: string | undefined,
  difference: () => Promise<string>,
): Promise<ComparisonResult> {
  const { modelInputTokens } = calls.limits;
  const wrap = (text: string) => wrapContent({ url: content.url, text });
  let shown = `The page as it was:\n${wrap(previous)}\n\nThe page as it is now:\n${wrap(content.text)}`;
  if (estimateTokens(shown) > modelInputTokens) {
    shown = `The page is long; this is what differs, as git shows it:\n${wrap(await difference())}`;
  }
  if (estimateTokens(shown) > modelInputTokens) {
    return { json: null, warning: "The versions of the page differ in more than the model can read at once." };
  }
  let warning = noAnswer;
  let broken: { readonly value: unknown } | undefined;
  const question = { role: "user" as const, content: changeRequest(shown, prompt) };
  try {
    let messages: { role: "user" | "assistant"; content: string }[] = [question];
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await calls.ask({ model, instructions: changeInstructions, messages, signal }, null);
      if (answer.incomplete === "refused") return { json: null, warning: noAnswer };
      if (answer.incomplete === "length")
        return { json: null, warning: "The model's answer was too long and broke off." };
      if (answer.incomplete === "empty") continue;
      const read = readAnswer(answer.text);
      if (read !== undefined && !isDeeperThan(read.value, maxLevels)) {
        if (read.brokenOff !== true) return { json: read.value };
        broken ??= read;
      }
      warning = "The model's answer was no JSON.";
      const correction = { role: "user" as const, content: correctionRequest("json") };
      messages = [question, { role: "assistant", content: answer.text }, correction];
    }
    return broken === undefined ? { json: null, warning } : { json: broken.value, warning: brokeOff };
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    return { json: null, warning: `The model could not be asked: ${error.message}.` };
  }
}
