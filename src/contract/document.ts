/** The answer for one page. */

/** A page in the formats asked for. A page of a job that failed has `metadata` only, with `error`. */
export interface Document<Json = unknown> {
  /** GitHub-flavoured markdown. For a PDF with `parsePDF: false`: base64. */
  markdown?: string;
  /** Cleaned HTML; of text, JSON, XML and PDF a document that shows them. */
  html?: string;
  /** The body as received, or as a browser rendered it; of a PDF its `html`, or with `parsePDF: false` base64. */
  rawHtml?: string;
  /** Absolute URLs, in the order of the page, each once. */
  links?: string[];
  /** A picture of the page: a data URI, or a URL where the engine stores files. */
  screenshot?: string;
  /** What the model took from the page; null when its answers never fitted the schema (see `warning`). */
  json?: Json | null;
  /** The same under its old name, for the format `extract`. */
  extract?: Json | null;
  /** A few sentences on what the page says. */
  summary?: string;
  /** What the actions brought; there when any were given. */
  actions?: ActionsResult;
  changeTracking?: ChangeTracking;
  /** What was left out or could not be done, although there is a result. */
  warning?: string;
  metadata: DocumentMetadata;
}

/** What is known about a page. Every other meta element of the page is there too, under its name. */
export interface DocumentMetadata {
  title?: string;
  /** From the meta element; several are joined by ", ". */
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
  /** The URL that was asked for; that of a `scrape` as it was written, without a scheme if it had none. */
  sourceURL?: string;
  /** The URL after redirects. */
  url?: string;
  statusCode?: number;
  /** The reason phrase of a bad status, or why the page could not be had. */
  error?: string;
  contentType?: string;
  /** Pages of a PDF that was turned into markdown. */
  numPages?: number;
  /** Which fetcher got the page: `http`, `browser` or the name of a host's own. */
  engine?: string;
  /** Why this fetcher. */
  engineReason?: string;
  proxyUsed?: "basic" | "stealth";
  /** Whether the page came from the cache; there when the cache was asked. */
  cacheState?: "hit" | "miss";
  /** ISO 8601, when the page from the cache was fetched. */
  cachedAt?: string;
  creditsUsed?: number;
  [name: string]: string | string[] | number | undefined;
}

/** Results of actions, each list in the order of its own kind. */
export interface ActionsResult {
  screenshots: string[];
  scrapes: { url: string; html: string }[];
  /** In the form of JSON, a date as text; `type` is the value's, or tells what it was that has no such form. */
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: string[];
}

/** How a page compares with its last version. */
export interface ChangeTracking {
  /** ISO 8601; null when there is no last version. */
  previousScrapeAt: string | null;
  changeStatus: "new" | "same" | "changed" | "removed";
  /** `hidden`: a crawl knows the page from before and found no link to it. */
  visibility: "visible" | "hidden";
  /** With mode `git-diff`, when the markdown changed. */
  diff?: { text: string; json: { files: DiffFile[] } };
  /** With mode `json`, when the page changed: previous and current value of each field that differs. */
  json?: unknown;
}

export interface DiffFile {
  from: string | null;
  to: string | null;
  chunks: { content: string; changes: DiffLine[] }[];
}

/** One line of a diff; `content` begins with its sign, numbers count from 1. */
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
