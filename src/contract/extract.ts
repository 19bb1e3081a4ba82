/** The request that takes structured data from pages, and the answer about its job. */
import { z } from "zod";
import { ignoredFields } from "./ignored-fields.ts";
import { prompt } from "./model-options.ts";
import { rule } from "./rule.ts";
import { schemaOption } from "./schema-option.ts";
import { scrapeOptions } from "./scrape.ts";
import { refuseInvalidUrls, sortUrls, urlList } from "./url-list.ts";
import { webhook } from "./webhook.ts";

/** URLs and globs of the largest request. */
export const maxExtractUrls = 1000;

/** An `extract` request. */
export const extractRequest = z
  .strictObject({
    /**
     * Pages, and globs for whole sites (`https://example.com/*`), up to 1000. Without any, `prompt` is needed and the
     * pages are found by web search.
     */
    urls: urlList(maxExtractUrls, true).optional(),
    /** What to take from the pages. At most 10,000 characters. */
    prompt: prompt.optional(),
    /** Instruction that goes before the pages; replaces the engine's own. At most 10,000 characters. */
    systemPrompt: prompt.optional(),
    /** The form of the data: a JSON Schema, or a Standard Schema such as one of zod. */
    schema: schemaOption.optional(),
    /** Most pages to read for one glob; 1 or more. Default: chosen by the engine. */
    limit: z.int().min(1).optional(),
    /**
     * Do not read the sitemap of a glob's site.
     * @default false
     */
    ignoreSitemap: z.boolean().default(false),
    /**
     * Let a glob reach the subdomains of its site.
     * @default true
     */
    includeSubdomains: z.boolean().default(true),
    /**
     * Follow links to other sites.
     * @default false
     */
    allowExternalLinks: z.boolean().default(false),
    /**
     * Look for further pages by web search.
     * @default false
     */
    enableWebSearch: z.boolean().default(false),
    /**
     * Say in `sources` which URL each value came from.
     * @default false
     */
    showSources: z.boolean().default(false),
    /**
     * How pages are scraped. The answer is data and not documents, so `formats` and their options have no effect.
     * @default { onlyMainContent: false }
     */
    scrapeOptions: scrapeOptions.prefault({ onlyMainContent: false }),
    /**
     * Leave out what is no URL and list it in `invalidURLs`. false: one bad URL refuses the whole request.
     * @default false
     */
    ignoreInvalidURLs: z.boolean().default(false),
    /** Where the job announces itself: an object, or only the URL. */
    webhook: webhook("extract").optional(),
    ...ignoredFields,
  })
  .check(
    refuseInvalidUrls,
    rule<{ urls?: unknown[]; prompt?: string }>(
      ["urls", "prompt"],
      ["urls"],
      "is required without a prompt",
      (request) => {
        return (request.urls?.length ?? 0) > 0 || (request.prompt ?? "").trim() !== "";
      },
    ),
  )
  .transform(({ origin: _origin, integration: _integration, ...request }) => ({ ...request, ...sortUrls(request) }));

export type ExtractRequest = z.input<typeof extractRequest>;
export type ParsedExtractRequest = z.output<typeof extractRequest>;

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
  /** ISO 8601; after it the job and its data are gone. */
  expiresAt: string;
  /** Tokens of the model so far, failed tries included. */
  tokensUsed: number;
  /** With `showSources`: for each field (`name`, `products[0].price`) the URLs its value came from. */
  sources?: Record<string, string[]>;
}
