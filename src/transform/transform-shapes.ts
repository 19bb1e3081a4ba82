/** What goes into the transform of a page, and what comes out: plain data, so that it can cross into a worker thread. */
import type { StructuredData } from "../contract/structured-data.ts";
import type { Metadata } from "./metadata.ts";

export interface TransformInput {
  readonly body: Uint8Array;
  /** The response header, as it came. */
  readonly contentType: string | undefined;
  /** Final URL, after redirects. */
  readonly url: string;
  /** The body is a DOM written out by a browser, in UTF-8. */
  readonly rendered: boolean;
  readonly options: TransformOptions;
}

/** What is wanted of a page: the part of the scrape options that concerns its content. */
export interface TransformOptions {
  /** Formats as in the scrape options; those that are not made here are ignored. */
  readonly formats: readonly string[];
  readonly onlyMainContent: boolean;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly removeBase64Images: boolean;
  readonly parsePDF: boolean;
  /** The addresses of the whole page are wanted too, for crawling. */
  readonly discoverLinks?: boolean;
  /** With `discoverLinks`: what the page calls those addresses is wanted too. */
  readonly linkTexts?: boolean;
  /** What is hidden stays out, also where main content may wait behind a click: a language model is going to read it. */
  readonly visibleOnly?: boolean;
  /** What the page declares about itself for machines is wanted too. */
  readonly structuredData?: boolean;
}

export interface TransformResult {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  /** What the page says about itself; the fields of the request (`sourceURL`, `statusCode` …) are not among them. */
  metadata: Metadata;
  /** With `discoverLinks`: absolute http(s) URLs of the whole page, in order, each once. */
  discovered?: string[];
  /** With `linkTexts`, of HTML pages: for each of `discovered` what its links say, empty for nothing. */
  linkTexts?: string[];
  /** With `structuredData`, of HTML pages. */
  structuredData?: StructuredData;
  /** The pages of a parsed PDF, and how many of them were read. */
  numPages?: number;
  readPages?: number;
  /** A PDF that was not read: what stands in place of its text is the file as base64. */
  isEncoded?: boolean;
  warning?: string;
  kind: "html" | "text" | "json" | "xml" | "pdf" | "markdown";
}
