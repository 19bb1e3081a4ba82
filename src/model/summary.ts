/** The format `summary`: a summary of a page in a few sentences. */
import type { ModelRequest } from "./json-format.ts";
import { ModelCallError } from "./language-model.ts";
import type { ModelCalls } from "./model-calls.ts";
import { summaryInstructions, wrapContent } from "./prompts.ts";
import { splitText } from "./split.ts";
import { withoutThoughts } from "./thoughts.ts";

interface SummaryResult {
  readonly summary?: string;
  readonly warning?: string;
}

/**
 * A long page is summarised in parts, and then the summaries of the parts are summarised, in parts again if they are
 * too long for one call.
 */
export async function makeSummary(calls: ModelCalls, { model, content, signal }: ModelRequest): Promise<SummaryResult> {
  const { modelInputTokens, modelPartsPerPage } = calls.limits;
  const problems: string[] = [];

  async function ask(text: string, index: number, count: number): Promise<string> {
    const page = wrapContent({ ...content, text }, { index, count });
    const messages = [{ role: "user" as const, content: `${page}\n\nSummarise it.` }];
    try {
      const answer = await calls.askForText({ model, instructions: summaryInstructions, messages, signal });
      const text = withoutThoughts(answer.text);
      if (answer.incomplete === "refused" || text === "") problems.push("The model gave no summary.");
      else if (answer.incomplete === "length") problems.push("The model's summary broke off.");
      return text;
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      problems.push(`The model could not be asked for a summary: ${error.message}.`);
      return "";
    }
  }

  async function summaryOf(parts: readonly string[]): Promise<string> {
    const asked = await Promise.all(parts.map((text, index) => ask(text, index, parts.length)));
    const texts = asked.filter((text) => text !== "");
    const all = texts.join("\n\n");
    if (texts.length < 2) return all;
    const further = splitText(all, modelInputTokens);
    // A model that hardly shortens what it reads is not asked for ever.
    const isShorter = further.length === 1 || further.length <= parts.length * 0.75;
    // Better the summaries of the parts than none.
    return (isShorter ? await summaryOf(further) : "") || all;
  }

  const parts = splitText(content.text, modelInputTokens);
  const read = parts.slice(0, modelPartsPerPage);
  if (parts.length > read.length) {
    problems.push(`The page is too long: the summary speaks of the first ${read.length} of ${parts.length} parts.`);
  }
  const summary = await summaryOf(read);
  return {
    ...(summary ? { summary } : {}),
    ...(problems.length === 0 ? {} : { warning: [...new Set(problems)].join(" ") }),
  };
}
