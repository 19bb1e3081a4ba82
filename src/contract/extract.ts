/** The request that takes structured data from pages, and the status of its job. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import { prompt } from "./model-options.ts";
import { rule } from "./rule.ts";
import { type SchemaOption, schemaOption } from "./schema-option.ts";
import { scrapeOptions } from "./scrape.ts";
import type { ParsedScrapeOptions, ScrapeOptions } from "./scrape-options.ts";
import { refuseInvalidUrls, sortUrls, urlList } from "./url-list.ts";
import { type ParsedWebhook, type Webhook, webhook } from "./webhook.ts";
import { wholeNumber } from "./whole-number.ts";

/** An `extract` request: what data to take, and from which pages. */
export interface ExtractRequest<Schema extends SchemaOption = SchemaOption> extends IgnoredFields {
  /**
   * URLs of pages, and globs for whole sites (`https://example.com/*`), up to 1000. Without any, `prompt` is required
   * and the pages are found by web search.
   */
  urls?: readonly string[] | undefined;
  /** What data to take from the pages. At most 10,000 characters. */
  prompt?: string | undefined;
  /** Instructions for the model, given before the pages. At most 10,000 characters. */
  systemPrompt?: string | undefined;
  /** The form of the data: a JSON Schema, or a Standard Schema such as one of zod. null means none. */
  schema?: Schema | null | undefined;
  /** Most pages to read for one glob, 1 or more. Default: chosen by the engine. */
  limit?: number | undefined;
  /**
   * Do not read the sitemap of a glob's site.
   * @default false
   */
  ignoreSitemap?: boolean | undefined;
  /**
   * Let a glob reach the subdomains of its site.
   * @default true
   */
  includeSubdomains?: boolean | undefined;
  /**
   * Follow links to other sites.
   * @default false
   */
  allowExternalLinks?: boolean | undefined;
  /**
   * Look for further pages by web search.
   * @default false
   */
  enableWebSearch?: boolean | undefined;
  /**
   * Return in `sources` which URLs each value came from.
   * @default false
   */
  showSources?: boolean | undefined;
  /**
   * How pages are scraped. By default the whole page is read, because facts are often in its header or footer. The
   * answer is data rather than documents, so `formats` and their options have no effect. `headers` are sent to the
   * sites of `urls`.
   * @default { "onlyMainContent": false }
   */
  scrapeOptions?: ScrapeOptions | undefined;
  /**
   * Leave out invalid URLs and list them in `invalidURLs`. false: the request is refused if it contains one.
   * @default false
   */
  ignoreInvalidURLs?: boolean | undefined;
  /** Where to send the events of the job: an object, or just the URL. */
  webhook?: string | Webhook<"extract"> | undefined;
}

export interface ParsedExtractRequest
  extends Filled<
    Omit<ExtractRequest, keyof IgnoredFields | "ignoreInvalidURLs" | "schema" | "scrapeOptions" | "webhook">,
    "prompt" | "systemPrompt" | "limit"
  > {
  schema?: SchemaOption | undefined;
  /** With `ignoreInvalidURLs`: the invalid ones, as they were written. */
  invalidURLs?: readonly string[] | undefined;
  scrapeOptions: ParsedScrapeOptions;
  webhook?: ParsedWebhook | undefined;
}

/** Most URLs and globs of a request. */
const maxExtractUrls = 1000;

export const extractRequest: z.ZodType<ParsedExtractRequest, ExtractRequest> = z
  .strictObject({
    urls: urlList(maxExtractUrls, true).optional(),
    prompt: prompt.optional(),
    systemPrompt: prompt.optional(),
    // The service's Python client sends null if it was given none.
    schema: schemaOption.nullish().transform((schema) => schema ?? undefined),
    limit: wholeNumber().min(1).optional(),
    ignoreSitemap: z.boolean().default(false),
    includeSubdomains: z.boolean().default(true),
    allowExternalLinks: z.boolean().default(false),
    enableWebSearch: z.boolean().default(false),
    showSources: z.boolean().default(false),
    scrapeOptions: scrapeOptions.prefault({ onlyMainContent: false }),
    ignoreInvalidURLs: z.boolean().default(false),
    webhook: webhook("extract").optional(),
    ...ignoredFields,
  } satisfies Fields<ExtractRequest>)
  .check(
    refuseInvalidUrls,
    rule<{ urls?: unknown[] | undefined; prompt?: string | undefined }>(
      ["urls", "prompt"],
      ["urls"],
      "is required without a prompt",
      ({ urls = [], prompt = "" }) => urls.length > 0 || prompt.trim() !== "",
    ),
  )
  .transform(({ origin: _origin, integration: _integration, urls, ignoreInvalidURLs, scrapeOptions, ...request }) => ({
    ...request,
    ...sortUrls({ urls, ignoreInvalidURLs }),
    scrapeOptions: withoutFormatOptions(scrapeOptions),
  }));

/** Whether the pages are to be found by web search. A caller whose URLs are all invalid has not asked for that. */
export function namesNoUrls({ urls, invalidURLs = [] }: Pick<ParsedExtractRequest, "urls" | "invalidURLs">): boolean {
  return urls.length === 0 && invalidURLs.length === 0;
}

/** Formats have no effect here, nor do their options, whose schemas cannot always be stored as JSON. */
function withoutFormatOptions(options: ParsedScrapeOptions): ParsedScrapeOptions {
  const { jsonOptions: _json, extract: _extract, changeTrackingOptions: _tracking, ...rest } = options;
  return rest;
}

/**
 * The status of an extract job, with its data once it has completed. `status` tells which type `data` has.
 *
 * @example
 * const { status, data, error } = await job.wait();
 * if (status !== "completed") throw new Error(error);
 * console.log(data.products);
 */
export type ExtractStatus<Data = unknown> = ExtractReport &
  (
    | { status: "completed"; data: Data }
    /** An empty list, as in the service. */
    | { status: "processing" | "failed" | "cancelled"; data: [] }
  );

interface ExtractReport {
  /** False if the job failed. */
  success: boolean;
  /** Why the job failed. */
  error?: string;
  /** What was left out or could not be read, although the job continues or has completed. */
  warning?: string;
  /** ISO 8601; after it the job and its data are gone. It is extended while a job that takes longer is worked on. */
  expiresAt: string;
  /** Tokens used by the model so far, including failed attempts. */
  tokensUsed: number;
  /** With `showSources`: the URLs that the value of each field (`name`, `products[0].price`) came from. */
  sources?: Record<string, string[]>;
  /**
   * The same, with where each value was found: declared by the page as structured data (`structured`), or read by the
   * model (`model`).
   */
  sourceDetails?: Record<string, { url: string; from: "structured" | "model" }[]>;
}
