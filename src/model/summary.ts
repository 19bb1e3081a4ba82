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

/** A long page is summarised in parts, and then the summaries of the parts are summarised. */
export async function makeSummary(calls: ModelCalls, { model, content, signal }: ModelRequest): Promise<SummaryResult> {
  const parts = splitText(content.text, calls.limits.modelInputTokens);
  const read = parts.slice(0, calls.limits.modelPartsPerPage);
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

  let texts = await Promise.all(read.map((text, index) => ask(text, index, read.length)));
  if (parts.length > read.length) {
    problems.push(`The page is too long: the summary speaks of the first ${read.length} of ${parts.length} parts.`);
  }
  texts = texts.filter((text) => text !== "");
  const all = texts.join("\n\n");
  // Better the summaries of the parts than none.
  const summary = texts.length > 1 ? (await ask(all, 0, 1)) || all : all;
  return {
    ...(summary ? { summary } : {}),
    ...(problems.length === 0 ? {} : { warning: problems.join(" ") }),
  };
}
