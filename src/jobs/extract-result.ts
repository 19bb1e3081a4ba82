/** Merges the answers of an extract job's pages into its result. */
import type { ExtractStatus } from "../contract/extract.ts";
import type { JsonSchema } from "../contract/schema-option.ts";
import { checkInTurns } from "../model/check-in-turns.ts";
import { isObject, setKey } from "../model/json-value.ts";
import { type Contribution, mergeAnswers } from "../model/merge.ts";
import { isUnfinished, type ValidationIssue } from "../model/schema-run.ts";
import { unfilledFields } from "../model/unfilled-fields.ts";
import { withoutNulls } from "../model/without-nulls.ts";
import { Turn } from "../shared/turn.ts";
import type { PageAnswer } from "./extract-page.ts";
import { someOf } from "./some-of.ts";

/** Kept with the job once it is completed. */
export interface ExtractResult extends Pick<ExtractStatus, "data" | "warning" | "sources" | "sourceDetails"> {}

type How = "structured" | "model";

/** Declared values outweigh what a model read on another page of the same rank. */
const declaredWeight = 1.5;

/** Thousands of items take several turns of the event loop. */
export async function uniteAnswers(
  schema: JsonSchema | undefined,
  answers: readonly PageAnswer[],
  showSources: boolean,
): Promise<ExtractResult> {
  const sorted = [...answers].sort(
    (left, right) =>
      left.order[0] - right.order[0] || left.order[1] - right.order[1] || (left.url < right.url ? -1 : 1),
  );
  let pages: PageContribution[] = [];
  for (const [rank, answer] of sorted.entries()) {
    const page = await pageContribution(schema, answer, rank, showSources);
    if (page !== undefined) pages.push(page);
  }
  const problems = pageProblems(sorted);
  let { data, origins, issues } = await mergePages(schema, pages, showSources);
  if (schema !== undefined && pages.length > 1 && issues.some(isAboutWhole)) {
    const fitting = await fittingPages(schema, pages);
    if (fitting.length > 0) {
      const left = pages.filter((page) => !fitting.includes(page)).map(({ url }) => url);
      problems.push(`Together, the pages' answers do not fit the schema; left out were those of ${someOf(left)}.`);
      pages = fitting;
      ({ data, origins, issues } = await mergePages(schema, pages, showSources));
    }
  }
  if (schema !== undefined && answers.some(({ unasked }) => unasked)) {
    const open = unfilledFields(schema, data);
    if (open.length > 0) problems.push(`There is no language model to look for ${someOf(open)}.`);
  }
  if (issues.length > 0 && issues.every(isUnfinished)) {
    problems.push("The data is too large to be checked against the schema as a whole.");
  } else if (issues.length > 0) {
    const named = issues.slice(0, 10).map(({ path, message }) => `${path || "the data"} ${message}`);
    problems.push(`The data does not fit the schema: ${named.join("; ")}.`);
  }
  const result: ExtractResult = { data: data === undefined ? emptyOf(schema) : data };
  if (problems.length > 0) result.warning = problems.slice(0, 10).join(" ");
  if (!showSources) return result;
  result.sources = {};
  result.sourceDetails = {};
  const turn = new Turn();
  for (const [field, found] of origins) {
    if (turn.isOver()) await turn.next();
    const details = found.map(({ from, path }) => ({ url: pages[from]!.url, from: pages[from]!.howAt(path) }));
    // A field may be called `__proto__`.
    setKey(result.sources, field, [...new Set(details.map(({ url }) => url))]);
    setKey(result.sourceDetails, field, unique(details));
  }
  return result;
}

interface MergedPages {
  /** Undefined if there is none; null if that is an answer. */
  readonly data: unknown;
  readonly origins: Awaited<ReturnType<typeof mergeAnswers>>["origins"];
  readonly issues: readonly ValidationIssue[];
}

async function mergePages(
  schema: JsonSchema | undefined,
  pages: readonly PageContribution[],
  origins: boolean,
): Promise<MergedPages> {
  const { value, origins: found } = await mergeAnswers(schema, pages, { origins });
  const data = (schema === undefined ? value : await withoutNulls(schema, value)) ?? undefined;
  const issues = schema === undefined ? [] : await checkInTurns(schema, data ?? emptyOf(schema));
  // Some schemas say that there may be nothing.
  const isNothing = data === undefined && schema !== undefined && issues.length > 0;
  if (isNothing && (await checkInTurns(schema, null)).length === 0) return { data: null, origins: found, issues: [] };
  return { data, origins: found, issues };
}

/** Values from two pages may exclude each other, as those of things of different kinds do. */
function isAboutWhole(issue: ValidationIssue): boolean {
  return issue.path === "" && !isUnfinished(issue);
}

/** Most pages that are tried out beside one whose answer fits: each is merged with those that fit so far. */
const maxTried = 30;

/**
 * The pages that fit the schema together, beginning with the best-matching one that fits alone; empty if none does.
 */
async function fittingPages(schema: JsonSchema, pages: readonly PageContribution[]): Promise<PageContribution[]> {
  const fitting: PageContribution[] = [];
  const says = pages.filter(({ value }) => typeof value !== "object" || Object.keys(value ?? {}).length > 0);
  for (const page of says.slice(0, maxTried)) {
    const { issues } = await mergePages(schema, [...fitting, page], false);
    if (issues.length === 0) fitting.push(page);
  }
  return fitting;
}

/** Each problem once; if several pages were read, with those that have it. */
function pageProblems(answers: readonly PageAnswer[]): string[] {
  const pages = new Map<string, string[]>();
  for (const { url, problems } of answers) {
    for (const problem of new Set(problems)) {
      const urls = pages.get(problem);
      if (urls === undefined) pages.set(problem, [url]);
      else urls.push(url);
    }
  }
  return [...pages].map(([problem, urls]) =>
    answers.length === 1 || urls.some((url) => problem.includes(url)) ? problem : `${problem} (${someOf(urls)})`,
  );
}

interface PageContribution extends Contribution {
  readonly url: string;
  /** Whether the value at a path of this page's answer was declared or read by the model. */
  readonly howAt: (path: string) => How;
}

/**
 * The declared values and those that a model read on the same page are one answer; a declared value takes precedence.
 */
async function pageContribution(
  schema: JsonSchema | undefined,
  { url, structured, model }: PageAnswer,
  rank: number,
  showSources: boolean,
): Promise<PageContribution | undefined> {
  const parts: { value: unknown; weight: number; how: How }[] = [];
  if (structured !== undefined) parts.push({ value: structured, weight: 2, how: "structured" });
  if (model !== undefined) parts.push({ value: model, weight: 1, how: "model" });
  if (parts.length === 0) return undefined;
  const { value, origins } = await mergeAnswers(schema, parts, { origins: showSources });
  // Earlier pages match better.
  const weight = (structured === undefined ? 1 : declaredWeight) + 1 / (rank + 2);
  const isDeclared = (path: string) => origins.get(path)?.some(({ from }) => parts[from]!.how === "structured");
  return { url, value, weight, howAt: (path) => (isDeclared(path) ? "structured" : "model") };
}

function unique(details: readonly { url: string; from: How }[]): { url: string; from: How }[] {
  return [...new Map(details.map((detail) => [`${detail.from} ${detail.url}`, detail])).values()];
}

function emptyOf(schema: JsonSchema | undefined): unknown {
  return schema !== undefined &&
    (schema["type"] === "array" || (!isObject(schema["properties"]) && isObject(schema["items"])))
    ? []
    : {};
}
