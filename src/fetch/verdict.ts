/** Judges what a fetcher brought: good, final (nothing will improve it), or worth trying the next fetcher. */
import { CrawlcoreError, type ErrorCode } from "../errors.ts";
import type { FetchResponse } from "../ports/fetcher.ts";

export type Verdict = "good" | "final" | "next";

/** Errors about this one fetcher; all others would be the same with the next one. */
const otherFetcherMayHelp: ReadonlySet<ErrorCode> = new Set(["UNKNOWN_ERROR", "SCRAPE_ALL_ENGINES_FAILED"]);

/** A page with this many characters of text says something by itself. */
const enoughText = 200;
/** A shell is small; a larger page is not looked at. */
const largestShell = 256 * 1024;

/** Judges an answer. `canRender`: a fetcher that renders is still to come. */
export function judgeResponse(response: FetchResponse, canRender: () => boolean): Verdict {
  if (response.rendered) return "good";
  if (response.statusCode !== 200 || !/html/i.test(response.headers["content-type"] ?? "")) return "final";
  return isApplicationShell(response.body) && canRender() ? "next" : "good";
}

/** Judges a failure. */
export function judgeError(error: unknown): Verdict {
  return CrawlcoreError.isInstance(error) && !otherFetcherMayHelp.has(error.code) ? "final" : "next";
}

/** True for a page of scripts with hardly any text: only a browser can fill it. */
function isApplicationShell(body: Uint8Array): boolean {
  if (body.byteLength > largestShell) return false;
  // Markup is ASCII in every encoding that matters here, so the bytes need no decoding.
  const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1").toLowerCase();
  return html.includes("<script") && hasLessTextThan(html, enoughText);
}

/** Counts what is neither white space nor inside tags, `head`, scripts and styles; one pass. */
function hasLessTextThan(html: string, limit: number): boolean {
  let count = 0;
  let position = Math.max(html.indexOf("<body"), 0);
  while (position < html.length) {
    const open = html.indexOf("<", position);
    const end = open < 0 ? html.length : open;
    for (let index = position; index < end; index += 1) if (html.charCodeAt(index) > 32) count += 1;
    if (count >= limit) return false;
    if (open < 0) return true;
    const silent = /^<(script|style|noscript|template)\b/.exec(html.slice(open, open + 10))?.[1];
    const close = html.indexOf(silent ? `</${silent}` : ">", open);
    if (close < 0) return true;
    position = close + 1;
  }
  return true;
}
