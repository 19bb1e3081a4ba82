/** The request that takes structured data from pages, and the answer about its job. */
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

/** An `extract` request. */
export interface ExtractRequest<Schema extends SchemaOption = SchemaOption> extends IgnoredFields {
  /**
   * Pages, and globs for whole sites (`https://example.com/*`), up to 1000. Without any, `prompt` is needed and the
   * pages are found by web search.
   */
  urls?: readonly string[] | undefined;
  /** What to take from the pages. At most 10,000 characters. */
  prompt?: string | undefined;
  /** Instruction that goes before the pages. At most 10,000 characters. */
  systemPrompt?: string | undefined;
  /** The form of the data: a JSON Schema, or a Standard Schema such as one of zod. null is the same as none. */
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
   * Say in `sources` which URL each value came from.
   * @default false
   */
  showSources?: boolean | undefined;
  /**
   * How pages are scraped; when absent, the whole page is read, since facts often stand in its header or footer. The
   * answer is data and not documents, so `formats` and their options have no effect. `headers` are for the sites of `urls`.
   * @default { "onlyMainContent": false }
   */
  scrapeOptions?: ScrapeOptions | undefined;
  /**
   * Leave out what is no URL and list it in `invalidURLs`. false: one bad URL refuses the whole request.
   * @default false
   */
  ignoreInvalidURLs?: boolean | undefined;
  /** Where the job announces itself: an object, or only the URL. */
  webhook?: string | Webhook<"extract"> | undefined;
}

export interface ParsedExtractRequest
  extends Filled<
    Omit<ExtractRequest, keyof IgnoredFields | "ignoreInvalidURLs" | "schema" | "scrapeOptions" | "webhook">,
    "prompt" | "systemPrompt" | "limit"
  > {
  schema?: SchemaOption | undefined;
  /** With `ignoreInvalidURLs`: the bad ones as they were typed. */
  invalidURLs?: readonly string[] | undefined;
  scrapeOptions: ParsedScrapeOptions;
  webhook?: ParsedWebhook | undefined;
}

/** URLs and globs of the largest request. */
const maxExtractUrls = 1000;

export const extractRequest: z.ZodType<ParsedExtractRequest, ExtractRequest> = z
  .strictObject({
    urls: urlList(maxExtractUrls, true).optional(),
    prompt: prompt.optional(),
    systemPrompt: prompt.optional(),
    // The service's Python client says null where it was given none.
    schema: schemaOption.nullish().transform((schema) => schema ?? undefined),
    limit: z.int().min(1).optional(),
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

/** Formats have no effect here, nor do their options, whose schemas may be no JSON. */
function withoutFormatOptions(options: ParsedScrapeOptions): ParsedScrapeOptions {
  const { jsonOptions: _json, extract: _extract, changeTrackingOptions: _tracking, ...rest } = options;
  return rest;
}

/** What an extract job has come to. */
export interface ExtractStatus<Data = unknown> {
  /** false when the job failed. */
  success: boolean;
  status: "processing" | "completed" | "failed" | "cancelled";
  /** The data, once the job is completed; an empty list before, as the service has it. */
  data: Data | [];
  /** Why the job failed. */
  error?: string;
  /** What was left out or could not be had, although the job goes on or is completed. */
  warning?: string;
  /** ISO 8601; after it the job and its data are gone. It is put off for a job that takes longer, as long as it is worked. */
  expiresAt: string;
  /** Tokens of the model so far, failed tries included. */
  tokensUsed: number;
  /** With `showSources`: for each field (`name`, `products[0].price`) the URLs its value came from. */
  sources?: Record<string, string[]>;
  /** The same with how each value was had: declared on the page itself (`structured`), or read by the model. */
  sourceDetails?: Record<string, { url: string; from: "structured" | "model" }[]>;
}
