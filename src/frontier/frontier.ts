/** The frontier of one running crawl: which URLs are new, and which are left out. */

import { Turn } from "../shared/turn.ts";
import { routeOf } from "./fetchable-url.ts";
import { HashSet64 } from "./hash-set.ts";
import type { Admission, FoundAt, Scope, Verdict } from "./scope.ts";
import { placeReasons, type ScopeReason } from "./scope-reasons.ts";
import { SharedRoutes } from "./shared-routes.ts";

interface LeftOut {
  readonly url: string;
  readonly key: string;
  readonly reason: ScopeReason;
}

export interface Offered {
  readonly admitted: readonly Admission[];
  readonly leftOut: readonly LeftOut[];
}

/** Longer URLs are truncated in reports. */
const maxShownLength = 2048;
/** Most links have been seen before; checking the clock for each of them would take as long as skipping it. */
const passedPerLook = 64;
/** Most links remembered as written, in each set: a site may write the same few links in ever new ways. */
const maxSeen = 1_000_000;

/** What may be left out for these reasons in one place may be admitted in another one, or later. */
const passing: ReadonlySet<string> = new Set([...placeReasons, "ROBOTS"]);

/**
 * Remembers, in about 40 bytes each, which URLs a crawl has met, so that the storage is asked about new ones only. The
 * durable frontier is the storage: what {@link Frontier.offer} answers counts as met once {@link Frontier.keep} is told
 * that it was stored. A page whose completion failed can be offered again, and nothing is lost.
 *
 * @example
 * const offered = await frontier.offer(links, { depth: 1, from: page.url });
 * await storage.completePage(lease, { discovered: offered.admitted });
 * frontier.keep(offered);
 */
export class Frontier {
  #scope: Scope;
  readonly #known = new HashSet64();
  /**
   * Links, as they were written, of which there is nothing more to say: to known pages, and those left out for good. The
   * navigation of every page asks about the same ones.
   */
  #seen = new HashSet64();
  /** URLs left out, as they were written, of which there is no more to report, and the identities of those reported. */
  #reported = new HashSet64();
  readonly #reportedKeys = new HashSet64();
  readonly #routes = new SharedRoutes();
  readonly #maxLeftOut: number;

  /** `maxLeftOut`: how many URLs left out are reported over the whole crawl. */
  constructor(scope: Scope, { maxLeftOut = 10_000 }: { maxLeftOut?: number } = {}) {
    this.#scope = scope;
    this.#maxLeftOut = maxLeftOut;
  }

  /** Keys that are known. */
  get size(): number {
    return this.#known.size;
  }

  /** Whether the URL would be admitted. Nothing is remembered. */
  judge(url: string, found: FoundAt): Verdict {
    return this.#scope.admit(url, found);
  }

  /** Where else to look for a page whose address does not answer; see {@link Scope.atHome}. */
  atHome(url: string, found: FoundAt): Admission | undefined {
    return this.#scope.atHome(url, found);
  }

  /** The start URL led to another address; from now on the site is there. */
  rebase(landedUrl: string): void {
    this.#scope = this.#scope.rebase(landedUrl);
    this.#seen = new HashSet64();
  }

  /**
   * The new ones among the URLs, each once, and those left out that have not been reported yet. Gives way to other work
   * on long lists.
   */
  async offer(urls: readonly string[], found: FoundAt): Promise<Offered> {
    const admitted = new Map<string, Admission>();
    const leftOut = new Map<string, LeftOut>();
    const turn = new Turn();
    let passed = 0;
    for (const url of urls) {
      const isSeen = this.#seen.has(url);
      if (isSeen) passed += 1;
      if ((!isSeen || passed % passedPerLook === 0) && turn.isOver()) await turn.next();
      if (isSeen) continue;
      const verdict = this.#admit(url, found);
      if (!verdict.admitted) this.#leaveOut(url, verdict.reason, leftOut);
      else if (this.#known.has(verdict.key)) this.#see(url);
      else if (!admitted.has(verdict.key)) admitted.set(verdict.key, { url: verdict.url, key: verdict.key });
    }
    return { admitted: [...admitted.values()], leftOut: [...leftOut.values()] };
  }

  #admit(url: string, found: FoundAt): Verdict {
    const verdict = this.#scope.admit(url, found);
    if (!verdict.admitted || !this.#routes.meet(verdict.key)) return verdict;
    return this.#scope.admit(verdict.url.slice(0, verdict.url.indexOf("#")), found);
  }

  #see(url: string): void {
    this.#seen = withRoom(this.#seen);
    this.#seen.add(url);
  }

  #leaveOut(url: string, reason: ScopeReason, leftOut: Map<string, LeftOut>): void {
    const shown = withoutSection(url).slice(0, maxShownLength);
    if (this.#reportedKeys.size < this.#maxLeftOut && !this.#reported.has(shown)) {
      const key = this.#scope.key(shown);
      if (!this.#known.has(key) && !this.#reportedKeys.has(key)) {
        const hasRoom = this.#reportedKeys.size + leftOut.size < this.#maxLeftOut;
        if (hasRoom && !leftOut.has(key)) leftOut.set(key, { url: shown, key, reason });
        return;
      }
      // Another spelling of what has been reported, or of a page of the crawl, such as its start.
      this.#reported = withRoom(this.#reported);
      this.#reported.add(shown);
    }
    if (!passing.has(reason)) this.#see(url);
  }

  /** To be called once the storage has what was offered. */
  keep(offered: Offered): void {
    for (const { key } of offered.admitted) this.#known.add(key);
    for (const { url, key } of offered.leftOut) {
      this.#reported.add(url);
      this.#reportedKeys.add(key);
    }
  }

  isKnown(key: string): boolean {
    return this.#known.has(key);
  }

  /** Adds a key that the storage already had: one of an earlier process, or that of the start page. */
  markKnown(key: string): void {
    this.#routes.meet(key);
    this.#known.add(key);
  }
}

/** What is forgotten is only looked at more closely once more. */
function withRoom(links: HashSet64): HashSet64 {
  return links.size < maxSeen ? links : new HashSet64();
}

/** Links to the sections of a page lead to the page: it is left out once, not for each of them. */
function withoutSection(url: string): string {
  const at = url.indexOf("#");
  return at === -1 || routeOf(url.slice(at)) !== "" ? url : url.slice(0, at);
}
