/** Turns an answer into what the page cache keeps of it, and back. */
import type { FetchedPage } from "../fetch/fetch-page.ts";
import type { FetchRequest } from "../ports/fetcher.ts";
import type { CachedPage } from "../ports/page-cache.ts";

export interface MaybeCachedPage extends FetchedPage {
  /** Whether the page came from the cache; absent when the cache was not asked. */
  readonly cacheState?: "hit" | "miss";
  /** With `hit`: when the copy was fetched. */
  readonly cachedAt?: number;
  /** With `hit`: the team in whose search index the page has been since then, if it was put into one. */
  readonly indexedFor?: string | undefined;
  /** Settles once the copy is in the cache; never rejects. */
  readonly kept?: Promise<void>;
  /**
   * For a page whose changes are tracked: puts the copy into the cache, in place of one that may be the page's last
   * version until the new version is stored. Never rejects.
   */
  readonly keep?: () => Promise<void>;
}

type Screenshot = FetchRequest["screenshot"];

/** What is kept of the scrape that leaves a copy. */
interface LeftBy {
  /** It had change tracking, which keeps a version of its own. */
  readonly isTracked: boolean;
  readonly indexedFor: string | undefined;
}

/** What is kept of an answer in addition to its body. */
type Head = Pick<
  FetchedPage,
  "url" | "statusCode" | "statusText" | "headers" | "rendered" | "redirects" | "proxyUsed" | "engine" | "engineReason"
> &
  LeftBy & {
    /** The picture follows the body, from byte `start` on. */
    readonly picture?: { readonly fullPage: boolean; readonly start: number };
  };

/**
 * Whether the entry can be restored. A cache that several programs share may hold others: cut off, or of another
 * version.
 */
export function isRestorable(entry: unknown): entry is CachedPage {
  const { storedAt, head, body } = (entry ?? {}) as { [Field in keyof CachedPage]?: unknown };
  if (typeof storedAt !== "number" || typeof head !== "string" || !ArrayBuffer.isView(body)) return false;
  try {
    const { url, statusCode, headers, redirects, picture } = JSON.parse(head) as { [Field in keyof Head]: unknown };
    const isHead = typeof statusCode === "number" && isObject(headers) && Array.isArray(redirects);
    return isHead && URL.canParse(String(url)) && (picture === undefined || isObject(picture));
  } catch {
    return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** @param asked the kind of picture that was requested with the page */
export function copyOf(page: FetchedPage, asked: Screenshot, leftBy: LeftBy): Omit<CachedPage, "storedAt"> {
  const { body, screenshot, actions: _actions, warning: _warning, ...rest } = page;
  const head: Head = { ...rest, ...leftBy };
  // Not compressed: that would cost more than all the rest of the page's work.
  if (screenshot === undefined || asked === undefined) return { head: JSON.stringify(head), body };
  const picture = { fullPage: asked.fullPage, start: body.byteLength };
  return { head: JSON.stringify({ ...head, picture }), body: Buffer.concat([body, screenshot]) };
}

/** The copy as the answer, with the wanted picture; null if it has no such picture. */
export function restore(copy: CachedPage, wanted: Screenshot): MaybeCachedPage | null {
  const page = restorePage(copy, "hit");
  if (wanted === undefined) return page;
  const { picture } = headOf(copy);
  if (picture?.fullPage !== wanted.fullPage) return null;
  return { ...page, screenshot: new Uint8Array(copy.body.subarray(picture.start)) };
}

/** The answer without a picture. */
export function restorePage(copy: CachedPage, cacheState: "hit" | "miss"): MaybeCachedPage {
  const { picture, isTracked: _isTracked, ...page } = headOf(copy);
  const body = picture === undefined ? copy.body : copy.body.subarray(0, picture.start);
  return { ...page, body, cacheState, ...(cacheState === "hit" ? { cachedAt: copy.storedAt } : {}) };
}

/** Whether a scrape with change tracking has left the copy. */
export function isTrackedCopy(copy: CachedPage): boolean {
  return headOf(copy).isTracked;
}

/** What a server needs in order to say whether the copy is still current. */
export function validatorsOf(copy: CachedPage | null): Pick<FetchRequest, "ifNoneMatch" | "ifModifiedSince"> {
  if (copy === null) return {};
  const { headers, rendered } = headOf(copy);
  // Of a rendered page, the server knows only what its scripts began with.
  if (rendered) return {};
  const { etag, "last-modified": lastModified } = headers;
  return {
    ...(etag === undefined ? {} : { ifNoneMatch: etag }),
    ...(lastModified === undefined ? {} : { ifModifiedSince: lastModified }),
  };
}

function headOf({ head }: CachedPage): Head {
  return JSON.parse(head) as Head;
}
