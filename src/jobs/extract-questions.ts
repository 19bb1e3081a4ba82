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
import { askPage } from "./extract-page.ts";
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
  /** Tokens for drafting the schema and choosing pages; they are charged with the next page. */
  readonly openTokens: number;
  /** Has the schema drafted, if there is none, and there is a model and a prompt. */
  draftSchema(signal: AbortSignal): Promise<void>;
  /** What to store with the page that was asked last. */
  memo(): string | undefined;
  /** The pages to read, as many as the request wants for a glob. */
  choose(found: SitePages, signal: AbortSignal): Promise<readonly Candidate[]>;
  /** Tokens include those that were open. */
  ask(scraped: ScrapedPage, signal: AbortSignal): ReturnType<typeof askPage>;
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
    memo() {
      // The schema is stored with the page whose charge includes it, not with one that failed before: after a crash it
      // would not be charged.
      const isNew = request.schema === undefined && schema !== undefined && openTokens === 0;
      return isNew ? JSON.stringify({ schema } satisfies Memo) : undefined;
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
    async ask(scraped, signal) {
      const { answer, tokens } = await askPage(
        models,
        scraped,
        { schema, prompt, systemPrompt, model: model() },
        signal,
      );
      const extra = openTokens;
      openTokens = 0;
      return { answer, tokens: tokens + extra };
    },
  };
}
