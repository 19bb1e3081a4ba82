/** Detects what a body is, by its header and its first bytes, and never by its file name alone. */

import { ScrapeError } from "../errors.ts";
import { asBuffer } from "../shared/as-buffer.ts";
import { fileSignature } from "./file-signatures.ts";

/** `xml` covers feeds; XHTML counts as `html`; an empty body is an empty `html` page. */
type BodyKind = "html" | "text" | "markdown" | "json" | "xml" | "pdf" | "unsupported";

/** Longer bodies are not parsed just to see whether they are JSON. */
const longestTriedJson = 1_000_000;

/**
 * What the body is. The header is believed unless the bytes are plainly something else; without a usable header, the
 * bytes alone decide.
 *
 * @example
 * detectKind(Buffer.from("%PDF-1.7"), "text/html"); // "pdf"
 */
export function detectKind(bytes: Uint8Array, contentType: string | undefined, url?: string): BodyKind {
  return look(bytes, contentType, url).kind;
}

const pdfMark = "%PDF-";
/** Where the mark may be: many files begin with a few other bytes. */
const pdfWindow = 1_024 + pdfMark.length;

/** Whether a body begins like a PDF file; a body of another kind may, too. */
export function holdsPdfMark(bytes: Uint8Array): boolean {
  return asBuffer(bytes, pdfWindow).includes(pdfMark);
}

/** Whether {@link detectKind} returns `pdf`, at next to no cost for other bodies. */
export function isPdf(bytes: Uint8Array, contentType: string | undefined, url: string): boolean {
  return holdsPdfMark(bytes) && detectKind(bytes, contentType, url) === "pdf";
}

/** The error for a body of kind `unsupported`; it names what the body is. */
export function unsupportedFileError(bytes: Uint8Array, contentType: string | undefined): ScrapeError {
  const { what } = look(bytes, contentType, undefined);
  return new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `This kind of file is not supported: ${what}.`);
}

interface Look {
  readonly kind: BodyKind;
  /** The body in words, for the error message. */
  readonly what: string;
}

function look(bytes: Uint8Array, contentType: string | undefined, url: string | undefined): Look {
  const declared = essenceOf(contentType);
  const what = declared === "" ? "binary data" : declared;
  const start = startOf(bytes);
  if (start.isEmpty) return { kind: "html", what };
  const declaredKind = kindOfMediaType(declared);

  const pdfAt = start.text.indexOf(pdfMark);
  const isText = declaredKind !== undefined && declaredKind !== "pdf" && declaredKind !== "unsupported";
  if (pdfAt === 0 || (pdfAt > 0 && !isText && !startsAsHtml(start.text))) return { kind: "pdf", what };

  const signature = fileSignature(bytes);
  if (signature !== undefined) return { kind: "unsupported", what: signature };

  const shown = shownKind(start.text, bytes);
  switch (declaredKind) {
    case "html":
    case "text":
      return { kind: shown ?? textKind(declaredKind, url), what };
    case "xml":
    case "json":
      return { kind: shown ?? declaredKind, what };
    case "markdown":
      // It may be all JSON or XML, as in an example, but no page.
      return { kind: shown === "html" ? "html" : "markdown", what };
    case "pdf":
    case "unsupported":
      return { kind: shown === "html" ? "html" : "unsupported", what };
    default:
      if (start.isBinary()) return { kind: "unsupported", what };
      return { kind: shown ?? (startsAsFragment(start.text) ? "html" : textKind("text", url)), what };
  }
}

/** Plain text has many media types. Markdown is recognised by the path, because few servers know its media type. */
function textKind(kind: "html" | "text", url: string | undefined): BodyKind {
  if (kind === "text" && url !== undefined && /\.(?:md|markdown|mdx)(?:[?#]|$)/i.test(url)) return "markdown";
  return kind;
}

/** `text/html` of `Text/HTML; charset=x`. */
function essenceOf(contentType: string | undefined): string {
  return (contentType ?? "").split(/[;,]/, 1)[0]!.trim().toLowerCase();
}

const mediaTypes: Readonly<Record<string, BodyKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/vnd.daringfireball.markdown": "markdown",
  "application/json": "json",
  "text/json": "json",
  "application/x-ndjson": "json",
  "application/jsonl": "json",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/javascript": "text",
  "application/x-javascript": "text",
  "application/ecmascript": "text",
  "application/yaml": "text",
  "application/x-yaml": "text",
  "application/toml": "text",
  "application/sql": "text",
  "application/graphql": "text",
  "application/x-sh": "text",
  "application/zip": "unsupported",
  "application/gzip": "unsupported",
  "application/wasm": "unsupported",
  "text/rtf": "unsupported",
  "application/rtf": "unsupported",
};

const mediaTypePatterns: readonly (readonly [RegExp, BodyKind])[] = [
  [/^(?:image|audio|video|font|model|multipart|message)\//, "unsupported"],
  [/\+json$/, "json"],
  [/\+xml$/, "xml"],
  [/^text\//, "text"],
];

/**
 * The kind that a media type stands for; `undefined` for one that tells nothing, such as `application/octet-stream`.
 */
function kindOfMediaType(essence: string): BodyKind | undefined {
  return mediaTypes[essence] ?? mediaTypePatterns.find(([pattern]) => pattern.test(essence))?.[1];
}

interface Start {
  /** The first bytes as Latin-1, without byte-order mark, NULs and leading white space. */
  readonly text: string;
  readonly isEmpty: boolean;
  /** Whether there are bytes that no text contains; asked for few bodies. */
  isBinary(): boolean;
}

function startOf(bytes: Uint8Array): Start {
  const head = asBuffer(bytes, 4_096).toString("latin1");
  const text = head
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart();
  return {
    text: text.slice(0, pdfWindow),
    isEmpty: text === "" && bytes.length <= 4_096,
    isBinary: () => !/^(?:\xff\xfe|\xfe\xff|[<{[\w]\0|\0[<{[\w])/.test(head) && hasBinaryByte(head),
  };
}

function hasBinaryByte(head: string): boolean {
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at);
    // White space, form feed and escape occur in text.
    if (code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b) return true;
  }
  return false;
}

/** The kind that the bytes show beyond doubt, if any. */
function shownKind(start: string, bytes: Uint8Array): BodyKind | undefined {
  if (startsAsHtml(start)) return "html";
  if (start.startsWith("<?xml")) return rootOf(start) === "html" ? "html" : "xml";
  if (/^<(?:rss|feed|rdf:RDF|urlset|sitemapindex|opml)[\s>]/.test(start)) return "xml";
  if (/^[{[]/.test(start) && isJson(bytes)) return "json";
  return undefined;
}

/** A document type or a root element, after comments. */
function startsAsHtml(start: string): boolean {
  return /^<(?:!doctype html|html|head|body)[\s>]/i.test(withoutComments(start));
}

/** Whether it begins with an element with which a page without a root may begin. */
function startsAsFragment(start: string): boolean {
  return /^<(?:a|b|br|div|font|h[1-6]|iframe|img|link|main|meta|p|script|section|article|style|table|title)[\s/>]/i.test(
    withoutComments(start),
  );
}

/** The name of the first element, in lower case; empty if the start does not reach it. */
function rootOf(start: string): string {
  const markup = withoutComments(start);
  if (/<!doctype html/i.test(markup)) return "html";
  return markup.match(/<([a-z_][\w:.-]{0,99})/i)?.[1]?.toLowerCase() ?? "";
}

function withoutComments(start: string): string {
  return start.replace(/<!--[\s\S]*?(?:-->|$)/g, "").trimStart();
}

function isJson(bytes: Uint8Array): boolean {
  if (bytes.length > longestTriedJson) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
