/** The answer for one page. */

/** A page in the requested formats. A failed page of a job has only `metadata`, with `error`. */
export interface Document<Json = unknown> {
  /** GitHub-flavoured markdown. For a PDF with `parsePDF: false`: base64. */
  markdown?: string;
  /** Cleaned HTML; for text, JSON, XML and PDF, an HTML document with their content. */
  html?: string;
  /** The body as received, or as a browser rendered it; for a PDF its `html`, or base64 with `parsePDF: false`. */
  rawHtml?: string;
  /** Absolute URLs in the order of the page, without duplicates. */
  links?: string[];
  /** A picture of the page: a data URI, or a URL if the storage keeps files. */
  screenshot?: string;
  /** What the model took from the page; null if it gave no answer that fits the schema (see `warning`). */
  json?: Json | null;
  /** The same, for the format `extract`. */
  extract?: Json | null;
  /** A summary of the page in a few sentences. */
  summary?: string;
  /** The results of the actions; present if there were any. */
  actions?: ActionsResult;
  /** How the page compares with its last version, for the format `changeTracking`. */
  changeTracking?: ChangeTracking;
  /** What was left out or could not be done, although there is a result. */
  warning?: string;
  metadata: DocumentMetadata;
}

/** What is known about a page. Other meta elements of the page are here too, each under its name. */
export interface DocumentMetadata {
  title?: string;
  /** From the meta elements; several are joined by ", ". */
  description?: string;
  /** From the root element. */
  language?: string;
  /** Absolute URL. */
  favicon?: string;
  keywords?: string | string[];
  robots?: string | string[];
  ogTitle?: string;
  ogDescription?: string;
  ogUrl?: string;
  ogImage?: string;
  ogAudio?: string;
  ogDeterminer?: string;
  ogLocale?: string;
  ogLocaleAlternate?: string[];
  ogSiteName?: string;
  ogVideo?: string;
  publishedTime?: string;
  modifiedTime?: string;
  articleSection?: string;
  articleTag?: string;
  dcTermsKeywords?: string;
  dcDescription?: string;
  dcSubject?: string;
  dcTermsSubject?: string;
  dcTermsAudience?: string;
  dcType?: string;
  dcTermsType?: string;
  dcDate?: string;
  dcDateCreated?: string;
  dcTermsCreated?: string;
  /** Id of this scrape. */
  scrapeId?: string;
  /** The URL that was asked for. For a `scrape` it is as the caller wrote it, without a scheme if it had none. */
  sourceURL?: string;
  /** The URL after redirects. */
  url?: string;
  statusCode?: number;
  /** The reason phrase of a status other than 2xx and 304, or why the page could not be scraped. */
  error?: string;
  contentType?: string;
  /** Pages of a PDF that was turned into markdown. */
  numPages?: number;
  /** Which fetcher fetched the page: `http`, `browser` or the name of a host's own. */
  engine?: string;
  /** Why this fetcher was used; docs/browser.md lists the reasons. */
  engineReason?: string;
  proxyUsed?: "basic" | "stealth";
  /** Whether the page came from the cache; present if the cache was asked. */
  cacheState?: "hit" | "miss";
  /** ISO 8601: when a page from the cache was fetched. */
  cachedAt?: string;
  creditsUsed?: number;
  [name: string]: string | string[] | number | undefined;
}

/** Results of actions, each list in the order of the actions of its kind. */
export interface ActionsResult {
  screenshots: string[];
  scrapes: { url: string; html: string }[];
  /**
   * The values as JSON, a date as a string. `type` is the type of the value; if it has no JSON form, `type` says what
   * it was.
   */
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: string[];
}

/** How a page compares with its last version. */
export interface ChangeTracking {
  /** ISO 8601: when the last version was scraped; null if there is none. */
  previousScrapeAt: string | null;
  changeStatus: "new" | "same" | "changed" | "removed";
  /** `hidden`: the page is known from an earlier crawl, and this crawl found no link to it. */
  visibility: "visible" | "hidden";
  /** With mode `git-diff`, if the markdown changed. */
  diff?: { text: string; json: { files: DiffFile[] } };
  /** With mode `json`, if the page changed: the previous and current value of each field that differs. */
  json?: unknown;
}

/** The changes of one text. */
export interface DiffFile {
  /** Always null: the versions have no names. */
  from: string | null;
  /** Always null: the versions have no names. */
  to: string | null;
  /** Changed lines with those around them; `content` is the header of the chunk. */
  chunks: { content: string; changes: DiffLine[] }[];
}

/** One line of a diff; `content` begins with its sign, line numbers count from 1. */
export type DiffLine =
  | { type: "normal"; normal: true; ln1: number; ln2: number; content: string }
  | { type: "add"; add: true; ln: number; content: string }
  | { type: "del"; del: true; ln: number; content: string };

/** The answer to a scrape. */
export interface ScrapeResponse<Json = unknown> {
  success: true;
  data: Document<Json>;
  warning?: string;
}
