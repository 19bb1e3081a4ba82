/**
 * Takes data from a page with a model: in parts if the page is long, with a check, one further try, and a warning if
 * anything was left out.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import { besideIssues, unwrapped } from "./answer-place.ts";
import { checkInTurns } from "./check-in-turns.ts";
import { fittingParts } from "./fitting-parts.ts";
import { isDeeperThan, isObject, maxLevels } from "./json-value.ts";
import { ModelCallError } from "./language-model.ts";
import { mergeAnswers } from "./merge.ts";
import type { ModelCalls } from "./model-calls.ts";
import {
  correctionRequest,
  dataInstructions,
  dataRequest,
  type PageContent,
  type PartOf,
  type Wish,
  wrapContent,
} from "./prompts.ts";
import { readAnswer } from "./repair.ts";
import type { AnswerSchema } from "./schema.ts";
import { isPlainObject, partialForm, strictForm, wrapperKey } from "./schema-forms.ts";
import type { ValidationIssue } from "./schema-run.ts";
import { splitText } from "./split.ts";
import { estimateTokens } from "./tokens.ts";
import { withoutNulls } from "./without-nulls.ts";

interface DataRequest {
  readonly model: unknown;
  readonly content: PageContent;
  readonly schema?: AnswerSchema | undefined;
  readonly prompt?: string | undefined;
  readonly systemPrompt?: string | undefined;
  /**
   * An answer that does not fit the second time either loses only what does not fit, instead of counting as none. For a
   * schema that requires nothing.
   */
  readonly keepsWhatFits?: boolean;
  readonly signal: AbortSignal;
}

interface TakenData {
  /** Null if there was no answer. */
  readonly value: unknown;
  /** What went wrong, or was left out; each a sentence. */
  readonly problems: readonly string[];
}

/** What an answer is asked for with, and checked with. */
interface Check {
  readonly schema: JsonSchema | undefined;
  /** The form that providers enforce, if there is one. */
  readonly strict: JsonSchema | null;
  readonly issues: (value: unknown) => readonly ValidationIssue[] | Promise<readonly ValidationIssue[]>;
}

/** Content of fewer tokens is not split further if an answer was too long. */
const smallestPart = 500;
export const noAnswer = "The model gave no answer.";
export const brokeOff = "The model's answer broke off: something may be missing.";
/** How often a part is halved at most: a model whose answers never end must not be asked for ever. */
const maxHalvings = 2;

/**
 * Rejects only with the signal's reason, or if the package `ai` is missing; any other failure is reported as a problem.
 */
export async function takeData(calls: ModelCalls, request: DataRequest): Promise<TakenData> {
  const { schema, content } = request;
  const { modelInputTokens, modelPartsPerPage } = calls.limits;
  // The request is part of every call, so its tokens count too.
  const overhead = estimateTokens(
    JSON.stringify(schema?.json ?? "") + (request.prompt ?? "") + (request.systemPrompt ?? ""),
  );
  const parts = splitText(content.text, Math.max(smallestPart, modelInputTokens - overhead));
  const read = parts.slice(0, modelPartsPerPage);
  const check = read.length === 1 ? wholeCheck(schema) : partialCheck(schema);
  const asked = await Promise.all(
    read.map((text, index) => askPart(calls, request, text, { index, count: read.length }, check)),
  );

  const problems = [...new Set(asked.flatMap((part) => part.problems))];
  if (parts.length > read.length) {
    problems.push(`The page is too long: the model has read the first ${read.length} of ${parts.length} parts.`);
  }
  const answers = asked.flatMap((part) => part.answers);
  if (answers.length === 0) return { value: null, problems };
  const first = answers[0];
  const value =
    answers.length === 1
      ? first
      : (
          await mergeAnswers(
            schema?.json,
            answers.map((value) => ({ value, weight: 1 })),
            { areParts: true },
          )
        ).value;
  const united = schema === undefined ? value : await withoutNulls(schema.json, value);
  // Parts were checked one by one, and against a less demanding schema. Where nothing is required, they can only be too
  // many together, which is no reason to lose them.
  const isChecked = (read.length === 1 && asked[0]!.isHalved !== true) || request.keepsWhatFits;
  const issues = isChecked || schema === undefined ? [] : await wholeIssues(schema, united);
  if (issues.length > 0) return { value: null, problems: [...problems, misfit(issues)] };
  return { value: united, problems };
}

const unchecked: Check = { schema: undefined, strict: null, issues: () => [] };

function wholeCheck(schema: AnswerSchema | undefined): Check {
  if (schema === undefined) return unchecked;
  return { schema: schema.json, strict: strictForm(schema.json), issues: (value) => wholeIssues(schema, value) };
}

/** A library may refuse a value that fits its JSON Schema; then the model is told that, too. */
async function wholeIssues(schema: AnswerSchema, value: unknown): Promise<readonly ValidationIssue[]> {
  const found = await schema.validate(value);
  if (found.length > 0) return found;
  const converted = await schema.convert(value);
  return "value" in converted ? [] : converted.issues;
}

function partialCheck(schema: AnswerSchema | undefined): Check {
  if (schema === undefined) return unchecked;
  const partial = partialForm(schema.json);
  return { schema: partial, strict: strictForm(partial), issues: (value) => checkInTurns(partial, value) };
}

interface AskedPart {
  readonly answers: readonly unknown[];
  /** The answers are those of the part's halves, and need not have all that the schema requires. */
  readonly isHalved?: true;
  readonly problems: readonly string[];
}

async function askPart(
  calls: ModelCalls,
  request: DataRequest,
  text: string,
  part: PartOf,
  check: Check,
  halvings = 0,
): Promise<AskedPart> {
  const { model, content, signal, prompt, systemPrompt } = request;
  const wish: Wish = { prompt, systemPrompt, schema: check.schema, partial: part.count > 1 };
  const question = dataRequest(wrapContent({ ...content, text }, part), wish);
  const instructions = dataInstructions(wish);
  let messages: { role: "user" | "assistant"; content: string }[] = [{ role: "user", content: question }];
  let problem = "";
  /** What earlier tries gave, the latest first; a later one may be worse. */
  const unfit: unknown[] = [];
  let broken: { readonly value: unknown } | undefined;

  function inHalves(): Promise<AskedPart> | undefined {
    const halves = halvings < maxHalvings ? halved(text) : undefined;
    return halves && askHalves(calls, request, halves, part, check, halvings + 1);
  }

  async function bestOf(problem: string): Promise<AskedPart> {
    if (broken !== undefined) return { answers: [broken.value], problems: [brokeOff] };
    if (request.keepsWhatFits && check.schema !== undefined) {
      for (const value of unfit) {
        const rest = await fittingParts(check.schema, value, signal);
        if (rest !== undefined) return { answers: [rest], problems: [`${problem} What does not fit was left out.`] };
      }
    }
    return { answers: [], problems: [problem] };
  }

  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const answer = await calls.ask({ model, instructions, messages, signal }, check.strict);
      if (answer.incomplete === "refused") return await bestOf(noAnswer);
      if (answer.incomplete === "empty") {
        // There is nothing to correct, so the same is asked again.
        problem = noAnswer;
        continue;
      }
      const isTooLong = answer.incomplete === "length";
      const read = await interpret(answer.text, isTooLong, check);
      const smaller = isTooLong || read.brokenOff ? inHalves() : undefined;
      if (smaller !== undefined) return await smaller;
      if (isTooLong) {
        if ("value" in read && holdsAny(read.value)) broken ??= read;
        return await bestOf("The model's answer was too long and broke off.");
      }
      // Some servers break off answers without saying so, and some models forget the last bracket.
      if ("value" in read && !read.brokenOff) return { answers: [read.value], problems: [] };
      if ("value" in read) broken = read;
      const issues = "value" in read ? "json" : read.issues;
      if ("unfit" in read) unfit.unshift(read.unfit);
      problem = issues === "json" ? "The model's answer was no JSON." : misfit(issues);
      messages = [
        ...messages.slice(0, 1),
        { role: "assistant", content: answer.text },
        { role: "user", content: correctionRequest(issues) },
      ];
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      // The model's window may be smaller than the parts.
      const mayHelp = error.maybeTooLong && attempt === 1 && estimateTokens(text) > 4 * smallestPart;
      const smaller = mayHelp ? inHalves() : undefined;
      if (smaller !== undefined) return smaller;
      return bestOf(`The model could not be asked: ${error.message}.`);
    }
  }
  return bestOf(problem);
}

/** Splits a text in two, between blocks; undefined if it is too short for that. */
function halved(text: string): readonly string[] | undefined {
  const tokens = estimateTokens(text);
  return tokens < 2 * smallestPart ? undefined : splitText(text, tokens * 0.55);
}

async function askHalves(
  calls: ModelCalls,
  request: DataRequest,
  halves: readonly string[],
  part: PartOf,
  checkOfPart: Check,
  halvings: number,
): Promise<AskedPart> {
  const check = part.count > 1 ? checkOfPart : partialCheck(request.schema);
  const within = { index: part.index, count: Math.max(2, part.count) };
  const asked = await Promise.all(halves.map((half) => askPart(calls, request, half, within, check, halvings)));
  return {
    answers: asked.flatMap(({ answers }) => answers),
    problems: asked.flatMap(({ problems }) => problems),
    isHalved: true,
  };
}

const holdsAny = (value: unknown): boolean =>
  typeof value !== "object" || value === null || Object.keys(value).length > 0;

type Interpreted = { readonly brokenOff?: boolean } & (
  | { readonly value: unknown }
  | { readonly issues: "json" }
  | { readonly issues: readonly ValidationIssue[]; readonly unfit?: unknown }
);

const tooDeep: ValidationIssue = { path: "", message: `nests deeper than ${maxLevels} levels` };

async function interpret(text: string, isCut: boolean, { schema, issues }: Check): Promise<Interpreted> {
  const read = readAnswer(text, isCut);
  if (read === undefined) return { issues: "json" };
  if (isDeeperThan(read.value, maxLevels)) return { issues: [tooDeep] };
  const brokenOff = read.brokenOff ?? false;
  if (schema === undefined) return { value: read.value, brokenOff };
  let misfit: Interpreted | undefined;
  const forms = formsOf(schema, read.value);
  if (read.otherwise !== undefined) forms.push(...formsOf(schema, read.otherwise));
  for (const form of forms) {
    const value = await withoutNulls(schema, form);
    const found = await issues(value);
    // Before nulls were removed: a null says that the page does not tell.
    const beside = found.length === 0 ? besideIssues(schema, form) : [];
    if (found.length === 0 && beside.length === 0) return { value, brokenOff };
    misfit ??= beside.length > 0 ? { issues: beside, brokenOff } : { issues: found, unfit: value, brokenOff };
  }
  return misfit ?? { issues: "json" };
}

/**
 * An answer may be inside the wrapper, or have a property with the wrapper's name; the form that fits counts. The first
 * is what was asked for.
 */
function formsOf(schema: JsonSchema, value: unknown): unknown[] {
  if (isPlainObject(schema)) return [unwrapped(schema, value)];
  if (!isObject(value)) return [value];
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === wrapperKey ? [value[wrapperKey], value] : [value];
}

function misfit(issues: readonly ValidationIssue[]): string {
  const named = issues.slice(0, 5).map(({ path, message }) => `${path || "it"} ${message}`);
  return `The model's answer does not fit the schema: ${named.join("; ")}.`;
}
