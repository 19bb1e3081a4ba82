/** Puts a page into the search index of its team. */

import type { Document } from "../contract/document.ts";
import { hasCredentials } from "../fetch/url-credentials.ts";
import { pageKey } from "../frontier/url-key.ts";
import type { Logger } from "../ports/logger.ts";
import type { SearchIndex } from "../ports/search-index.ts";
import { errorName } from "../shared/error-text.ts";
import { inTime } from "../shared/in-time.ts";
import { isGone } from "../shared/is-gone.ts";
import type { MaybeCachedPage } from "./cached-copy.ts";
import { longestKeepMs } from "./cached-fetch.ts";
import type { TrackedPage } from "./change-tracking.ts";

/**
 * Indexes only pages that may be kept, have text, and are not there already. A page that is gone is taken out.
 */
export type IndexPage = (request: TrackedPage, fetched: MaybeCachedPage, document: Document) => Promise<void>;

/** Copies from the cache that have been indexed and are remembered. One that was forgotten is indexed once more. */
const maxRemembered = 1000;

export function createIndexPage(index: SearchIndex | undefined, logger: Logger): IndexPage {
  const remembered = new Set<string>();

  return async ({ options, team, zeroDataRetention, url }, fetched, { markdown, metadata }) => {
    if (index === undefined || zeroDataRetention || !options.storeInCache || hasCredentials(url)) return;
    const gone = isGone(fetched.statusCode);
    if (!gone && (markdown === undefined || fetched.statusCode >= 300)) return;
    // A copy may have been left by a scrape without markdown, or by another team, if teams share the cache.
    const key = pageKey(fetched.url);
    const copy = fetched.cacheState === "hit" ? JSON.stringify([team, key, fetched.cachedAt]) : undefined;
    if (copy !== undefined && (fetched.indexedFor === team || remembered.has(copy))) return;
    const page = {
      team,
      ...(gone ? nothing : contentOf(metadata, markdown)),
      publishedAt: dateOf(metadata.modifiedTime ?? metadata.publishedTime ?? metadata.dcDate),
      seenAt: fetched.cachedAt ?? Date.now(),
    };
    // The address that was asked for may lead to another one, which says that the page is gone.
    const urls = new Map([[key, fetched.url]]);
    if (gone) urls.set(pageKey(url), url);
    try {
      await inTime(Promise.all([...urls].map(([key, url]) => index.put({ ...page, key, url }))), longestKeepMs);
      if (copy !== undefined) remembered.add(copy);
      if (remembered.size > maxRemembered) remembered.delete(remembered.values().next().value as string);
    } catch (error) {
      // The page itself is fine even if it cannot be found.
      logger.warn("a page could not be put into the search index", { error: errorName(error) });
    }
  };
}

const nothing = { title: "", description: "", markdown: "" };

function contentOf(metadata: Document["metadata"], markdown = ""): typeof nothing {
  return {
    title: metadata.title ?? metadata.ogTitle ?? "",
    description: metadata.description ?? metadata.ogDescription ?? "",
    markdown,
  };
}

function dateOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
