/** The answer of one page in an extract job: what the page declares, and what a model takes from it beyond that. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { checkInTurns } from "../model/check-in-turns.ts";
import { isObject } from "../model/json-value.ts";
import { type ModelCalls, metered } from "../model/model-calls.ts";
import { promptConditions } from "../model/prompt-conditions.ts";
import { partialForm, schemaOfRest } from "../model/schema-forms.ts";
import { answerFromStructure, type StructuredAnswer } from "../model/structured-answer.ts";
import { takeData } from "../model/take-data.ts";
import { noText, unreadPdf } from "../page/model-formats.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";
import { runSteps } from "../shared/turn.ts";

/** Stored as the page's document; a page that has one is not asked about again. */
export interface PageAnswer {
  readonly url: string;
  /** Determines the order of the answers, whatever the order in which the pages were finished. */
  readonly order: readonly [depth: number, place: number];
  readonly structured?: unknown;
  readonly model?: unknown;
  readonly problems: readonly string[];
  /** There was no model to look for what the page does not declare. */
  readonly unasked?: true;
}

interface PageQuestion {
  readonly schema: JsonSchema | undefined;
  readonly prompt: string | undefined;
  readonly systemPrompt: string | undefined;
  readonly model: unknown;
}

const unconditional = { changes: false, selects: false };

/** The answer without its order, and its tokens. Rejects only with the signal's reason. */
export async function askPage(
  allCalls: ModelCalls,
  scraped: ScrapedPage,
  { schema, prompt, systemPrompt, model }: PageQuestion,
  signal: AbortSignal,
): Promise<{ answer: Omit<PageAnswer, "order">; tokens: number }> {
  const { finalUrl: url, document, structuredData } = scraped;
  // A prompt may exclude or change what a page declares; only a model can tell.
  const isAsked = model !== undefined && schema !== undefined;
  const { changes, selects } = isAsked ? promptConditions(schema, [prompt, systemPrompt]) : unconditional;
  const declared =
    schema === undefined || structuredData === undefined
      ? undefined
      : await runSteps(answerFromStructure(schema, structuredData, selects), signal);
  const structured = declared?.value === undefined ? {} : { structured: declared.value };
  if (scraped.isEncoded) return { answer: { url, problems: [unreadPdf] }, tokens: 0 };
  const text = document.markdown ?? "";
  if (declared?.complete && !changes && (model === undefined || declared.isPlain))
    return { answer: { url, ...structured, problems: [] }, tokens: 0 };
  if (text.trim() === "") return { answer: { url, ...structured, problems: [noText] }, tokens: 0 };
  if (model === undefined) {
    const isEnough =
      schema !== undefined &&
      declared?.value !== undefined &&
      (await checkInTurns(schema, declared.value)).length === 0;
    const problems = isEnough ? [] : ["No language model is configured; only what the pages declare was read."];
    return { answer: { url, ...structured, problems: [...problems, ...cut(declared)], unasked: true }, tokens: 0 };
  }
  // One page need not answer everything: required fields are checked once all answers have been merged.
  const answered: ReadonlySet<string> = changes ? new Set() : (declared?.answered ?? new Set());
  const rest = schema === undefined ? undefined : partialForm(schemaOfRest(schema, answered));
  const { calls, used } = metered(allCalls);
  const { value, problems } = await takeData(calls, {
    model,
    content: { url, title: document.metadata.title, text },
    schema:
      rest === undefined
        ? undefined
        : { json: rest, validate: (value) => checkInTurns(rest, value), convert: async (value) => ({ value }) },
    prompt,
    systemPrompt,
    keepsWhatFits: true,
    signal,
  });
  if (value === null) {
    return { answer: { url, ...structured, problems: [...problems, ...cut(declared)] }, tokens: used() };
  }
  const certain = changes || declared === undefined ? {} : certainOf(declared, value);
  return { answer: { url, ...certain, model: value, problems }, tokens: used() };
}

/** A warning if the declared lists may lack members, for answers in which no model has read them. */
function cut(declared: StructuredAnswer | undefined): string[] {
  return declared?.value !== undefined && declared.isCut
    ? ["The page declares more than could be read: lists may be incomplete."]
    : [];
}

/**
 * The declared values that the model was not asked for, or did not find; about the others the model has read more. If
 * it did not find what meets a condition, the declared value does not meet it either.
 */
function certainOf({ value, answered, conditional }: StructuredAnswer, read: unknown): Pick<PageAnswer, "structured"> {
  if (!isObject(value) || !isObject(read)) return {};
  const isMissing = (name: string) => !Object.hasOwn(read, name) || read[name] === null;
  const isKept = (name: string) => answered.has(name) || (isMissing(name) && !conditional.has(name));
  const kept = Object.entries(value).filter(([name]) => isKept(name));
  return kept.length === 0 ? {} : { structured: Object.fromEntries(kept) };
}
