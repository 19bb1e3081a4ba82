/**
 * What an extract job asks its language model: for a schema if the request has none, which pages of a site to read, and
 * what each page says.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import type { Candidate } from "../frontier/candidates.ts";
import { choosePages } from "../model/choose-pages.ts";
import { draftSchema } from "../model/draft-schema.ts";
import type { ModelCalls } from "../model/model-calls.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";
import type { JobRecord } from "../ports/job-store.ts";
import type { askPage } from "./extract-page.ts";
import { pagesPerGlob, relevanceQuery, type StoredExtract } from "./extract-request.ts";
import type { JobModels } from "./job-models.ts";
import type { SitePages } from "./site-pages.ts";

export interface QuestionParts {
  readonly models: ModelCalls;
  /** The engine's own language model. */
  readonly model: unknown;
  readonly jobModels: JobModels;
}

interface ExtractQuestions {
  readonly schema: JsonSchema | undefined;
  /** Tokens for drafting the schema and choosing pages; they are charged with the next page that is stored. */
  readonly openTokens: number;
  /** Has the schema drafted, if there is none, and there is a model and a prompt. */
  draftSchema(signal: AbortSignal): Promise<void>;
  /** What to store with the page. */
  memo(pageId: number): string | undefined;
  /** The page is complete; of a duplicate, no tokens are charged. */
  stored(pageId: number, isDuplicate: boolean): void;
  /** The pages to read, as many as the request wants for a glob. */
  choose(found: SitePages, signal: AbortSignal): Promise<readonly Candidate[]>;
  /** Tokens include those that were open. */
  ask(pageId: number, scraped: ScrapedPage, signal: AbortSignal): ReturnType<typeof askPage>;
}

/**
 * Stored with the job: the schema that was drafted for a request without one, so that every page is asked for the same.
 */
interface Memo {
  readonly schema?: JsonSchema;
}

export function createExtractQuestions(
  { models, jobModels, model: ownModel }: QuestionParts,
  { id, memo }: JobRecord,
  request: StoredExtract,
): ExtractQuestions {
  const { prompt, systemPrompt } = request;
  const model = () => jobModels.of(id) ?? ownModel;
  let schema = request.schema ?? (memo === null ? undefined : (JSON.parse(memo) as Memo).schema);
  let openTokens = 0;
  /** Tokens that were open, by the page with which they are to be charged. */
  const carried = new Map<number, number>();
  let isDraftCharged = false;

  /** They are open again, because the page was not charged. */
  function reopen(pageId: number): void {
    openTokens += carried.get(pageId) ?? 0;
    carried.delete(pageId);
  }

  return {
    get schema() {
      return schema;
    },
    get openTokens() {
      return openTokens;
    },
    async draftSchema(signal) {
      if (schema !== undefined || model() === undefined || !prompt?.trim()) return;
      const drafted = await draftSchema(models, { model: model(), prompt, signal });
      openTokens += drafted.tokens;
      schema = drafted.schema;
    },
    memo(pageId) {
      // The schema is stored with the page whose charge includes it, not with one that failed before: after a crash it
      // would not be charged.
      const isNew = request.schema === undefined && schema !== undefined && (isDraftCharged || carried.has(pageId));
      return isNew ? JSON.stringify({ schema } satisfies Memo) : undefined;
    },
    stored(pageId, isDuplicate) {
      if (isDuplicate) reopen(pageId);
      else if (carried.delete(pageId)) isDraftCharged = true;
    },
    async choose({ pages, isRanked }, signal) {
      const limit = pagesPerGlob(request);
      // A model chooses only if that is worthwhile: if there are more pages than may be read, and no words distinguish
      // them.
      if (isRanked || pages.length <= limit || model() === undefined) return pages.slice(0, limit);
      const wish = relevanceQuery(request);
      const chosen = await choosePages(models, pages, { model: model(), wish, limit, signal });
      openTokens += chosen.tokens;
      return chosen.pages.slice(0, limit);
    },
    async ask(pageId, scraped, signal) {
      // Loaded by the first page that is asked about, with all that reads structured data and answers.
      const { askPage } = await import("./extract-page.ts");
      const { answer, tokens } = await askPage(
        models,
        scraped,
        { schema, prompt, systemPrompt, model: model() },
        signal,
      );
      // A page that is asked again was not stored.
      reopen(pageId);
      const extra = openTokens;
      // A draft may have cost nothing.
      if (extra > 0 || (carried.size === 0 && !isDraftCharged)) carried.set(pageId, extra);
      openTokens = 0;
      return { answer, tokens: tokens + extra };
    },
  };
}
