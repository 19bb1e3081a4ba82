/** What a browser makes of the answer to the request for its main document. */
import type { FetchResponse } from "../../ports/fetcher.ts";

type Head = Pick<FetchResponse, "statusCode" | "headers">;

/**
 * It builds a page; stays at the page that it shows; saves a file beside that page; or leaves the page for a file, which
 * it may be able to show.
 */
export type Fate = "page" | "nothing" | "download" | "file" | "shown file";

const bodilessStatus: ReadonlySet<number> = new Set([204, 205, 304]);
/** Media types from which a browser builds a page. Without a type it looks at the bytes, which is fine. */
const pageType = /^\s*(?:text\/html|application\/xhtml\+xml)\b|^\s*$/i;
/** Files that a browser shows in a page of its own. */
const shownType = /^\s*(?:text\/|image\/|application\/(?:json|xml)\b)/i;
/** Media types that a browser shows in place of a page; it saves all others. */
const replacingType = /^\s*(?:(?:text|image|audio|video)\/|application\/(?:pdf|json|xml|[\w.-]+\+(?:json|xml))\b)/i;
const attachment = /^\s*attachment\b/i;

export function isBodiless({ statusCode }: Head): boolean {
  return bodilessStatus.has(statusCode);
}

/** @param showsPage whether a page is shown at the time */
export function fateOf(head: Head, showsPage: boolean): Fate {
  const type = head.headers["content-type"] ?? "";
  const isAttachment = attachment.test(head.headers["content-disposition"] ?? "");
  // An answer without a body tells a loaded page to stay.
  if (isBodiless(head) && showsPage) return "nothing";
  if (!isBodiless(head) && pageType.test(type) && !isAttachment) return "page";
  if (showsPage && (isAttachment || !replacingType.test(type))) return "download";
  return shownType.test(type) ? "shown file" : "file";
}
