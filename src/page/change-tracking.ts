/** Compares a page with its last version: status, difference, and the version that is kept for next time. */
import { createHash } from "node:crypto";
import type { ChangeTracking } from "../contract/document.ts";
import type { ParsedChangeTrackingOptions } from "../contract/model-options.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { contentKey } from "../frontier/url-key.ts";
import type { NewPageVersion, PageVersion, PageVersions } from "../ports/page-versions.ts";
import { inTime } from "../shared/in-time.ts";
import { isGone } from "../shared/is-gone.ts";
import { longestKeepMs } from "./cached-fetch.ts";
import type { ComparedVersions } from "./compare-versions.ts";
import { isChanged } from "./markdown-noise.ts";

interface ChangeTrackingParts {
  /** Undefined: the storage keeps none, and requests for change tracking have been refused. */
  readonly versions: PageVersions | undefined;
  readonly historyTtlMs: number;
}

export interface TrackedPage {
  readonly url: string;
  readonly team: string;
  readonly options: ParsedScrapeOptions;
  readonly zeroDataRetention: boolean;
  /** The crawl that met the page. */
  readonly metIn?: { readonly site: string; readonly jobId: string } | undefined;
  /** No link led to the page. */
  readonly isHidden?: boolean | undefined;
}

export interface TrackedChanges {
  readonly changeTracking?: ChangeTracking;
  /** To be stored with the page. */
  readonly version?: NewPageVersion;
  readonly warnings: readonly string[];
  readonly tokens: number;
}

/** The last version; null if there is none, undefined if that cannot be known. */
type Earlier = Pick<PageVersion, "scrapedAt" | "markdown" | "fingerprint"> | null | undefined;

const untracked: TrackedChanges = { warnings: [], tokens: 0 };

export function isTracked({ options }: Pick<TrackedPage, "options">): boolean {
  return options.formats.includes("changeTracking");
}

/**
 * Looks up the last version before the page is fetched again. A scrape without change tracking counts too, as long as
 * its page is in the cache: so nothing is stored twice, and its markdown is made with the present options.
 *
 * @param untrackedMarkdown the markdown of the page that such a scrape left in the cache; null if there is none
 */
export async function findEarlier(
  { versions }: ChangeTrackingParts,
  page: TrackedPage,
  untrackedMarkdown: () => Promise<{ scrapedAt: number; markdown: string } | null>,
): Promise<Earlier> {
  if (!isTracked(page) || page.zeroDataRetention || versions === undefined) return undefined;
  try {
    const { tag } = optionsOf(page);
    const wanted = { team: page.team, key: contentKey(page.url), tag };
    const version = await inTime(versions.getLast(wanted), longestKeepMs);
    const cached = tag === null ? await untrackedMarkdown() : null;
    if (cached === null || (version !== null && version.scrapedAt > cached.scrapedAt)) return version;
    return { ...cached, fingerprint: fingerprintOf(page.options) };
  } catch {
    return undefined;
  }
}

export async function trackChanges(
  parts: ChangeTrackingParts,
  page: TrackedPage,
  earlier: Earlier,
  now: {
    readonly statusCode: number;
    readonly markdown: string;
    /** Mode `json`. */
    readonly compare: (previous: string, options: ParsedChangeTrackingOptions) => Promise<ComparedVersions>;
    readonly signal: AbortSignal;
  },
): Promise<TrackedChanges> {
  if (!isTracked(page)) return untracked;
  if (page.zeroDataRetention) return unknown("Under zero data retention there is no last version to compare with.");
  const gone = isGone(now.statusCode);
  if (now.statusCode >= 400 && !gone) {
    return unknown(`The page answered ${now.statusCode}: it was not compared with its last version.`);
  }
  const version = versionOf(parts, page, now.markdown, gone);
  if (earlier === undefined) return { ...unknown("The last version could not be looked up."), version };
  const isDifferent = earlier !== null && !gone && (await isChanged(earlier.markdown, now.markdown, now.signal));
  const changeTracking: ChangeTracking = {
    previousScrapeAt: earlier === null ? null : new Date(earlier.scrapedAt).toISOString(),
    changeStatus: gone ? "removed" : earlier === null ? "new" : isDifferent ? "changed" : "same",
    visibility: page.isHidden === true ? "hidden" : "visible",
  };
  if (!isDifferent) return { changeTracking, version, warnings: [], tokens: 0 };
  const warnings: string[] = [];
  if (earlier.fingerprint !== version.fingerprint) {
    warnings.push("The last version was scraped with other options: what changed may be due to them.");
  }
  const { modes } = optionsOf(page);
  if (modes.includes("git-diff")) {
    const { diffMarkdown } = await import("./markdown-diff.ts");
    const diff = await diffMarkdown(earlier.markdown, now.markdown, now.signal);
    if (diff !== null) changeTracking.diff = diff;
  }
  if (!modes.includes("json")) return { changeTracking, version, warnings, tokens: 0 };
  const compared = await now.compare(earlier.markdown, optionsOf(page));
  if (compared.json !== null) changeTracking.json = compared.json;
  if (compared.warning !== undefined) warnings.push(compared.warning);
  return { changeTracking, version, warnings, tokens: compared.tokens };
}

function unknown(warning: string): TrackedChanges {
  return { warnings: [warning], tokens: 0 };
}

function optionsOf({ options }: TrackedPage): ParsedChangeTrackingOptions {
  return options.changeTrackingOptions ?? { modes: [], tag: null };
}

function versionOf(parts: ChangeTrackingParts, page: TrackedPage, markdown: string, gone: boolean): NewPageVersion {
  const scrapedAt = Date.now();
  return {
    team: page.team,
    key: contentKey(page.url),
    tag: optionsOf(page).tag,
    url: page.url,
    scrapedAt,
    markdown,
    fingerprint: fingerprintOf(page.options),
    isGone: gone,
    expiresAt: scrapedAt + parts.historyTtlMs,
    metIn: page.metIn,
  };
}

/** Identifies the options that determine the markdown. A digest, because headers may be secret. */
function fingerprintOf(options: ParsedScrapeOptions): string {
  const { onlyMainContent, includeTags = [], excludeTags = [], parsePDF, removeBase64Images } = options;
  const { mobile, location = null, headers = {}, waitFor, actions = [], blockAds } = options;
  const shaping = [
    ...[onlyMainContent, includeTags, excludeTags, parsePDF, removeBase64Images],
    ...[mobile, location, headers, waitFor, actions, blockAds],
  ];
  return createHash("sha256").update(JSON.stringify(shaping)).digest("base64url");
}
