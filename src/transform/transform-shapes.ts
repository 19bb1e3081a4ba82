/** The input and output of the transform of a page: plain data, so that it can be passed to a worker thread. */
import type { StructuredData } from "../contract/structured-data.ts";
import type { Metadata } from "./metadata.ts";

export interface TransformInput {
  readonly body: Uint8Array;
  /** The response header, as it came. */
  readonly contentType: string | undefined;
  /** Final URL, after redirects. */
  readonly url: string;
  /** The body is a DOM serialised by a browser, in UTF-8. */
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
  /** Return the addresses of the whole page too, for crawling. */
  readonly discoverLinks?: boolean;
  /** With `discoverLinks`: return the texts of the links to those addresses too. */
  readonly linkTexts?: boolean;
  /**
   * Leave out everything that is hidden, even if it may be main content behind a click: a language model is going to
   * read the page.
   */
  readonly visibleOnly?: boolean;
  /** Return the page's structured data too. */
  readonly structuredData?: boolean;
}

export interface TransformResult {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  /** The metadata in the page itself, without the fields of the request (`sourceURL`, `statusCode` …). */
  metadata: Metadata;
  /** With `discoverLinks`: absolute http(s) URLs of the whole page, in order, without duplicates. */
  discovered?: string[];
  /** Those of them that only `nofollow` links lead to. */
  unendorsed?: string[];
  /**
   * With `linkTexts`, for HTML pages: the texts of the links to each entry of `discovered`; empty if there are none.
   */
  linkTexts?: string[];
  /** With `structuredData`, for HTML pages. */
  structuredData?: StructuredData;
  /** The pages of a parsed PDF, and how many of them were read. */
  numPages?: number;
  readPages?: number;
  /** A PDF that was not read: its text is replaced by the file in base64. */
  isEncoded?: boolean;
  warning?: string;
  kind: "html" | "text" | "json" | "xml" | "pdf" | "markdown";
}
