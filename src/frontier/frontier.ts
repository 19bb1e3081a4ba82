/** The frontier of one running crawl: each URL enters once, each URL left out is reported once. */

import { HashSet64 } from "./hash-set.ts";
import type { FoundAt, Scope } from "./scope.ts";
import { type ScopeReason, scopeReasons } from "./scope-reasons.ts";
import { Turn } from "./turn.ts";

export interface Admission {
  /** To fetch. */
  readonly url: string;
  /** Identity; what the storage keeps unique. */
  readonly key: string;
}

export interface LeftOut {
  readonly url: string;
  readonly code: ScopeReason;
  /** The sentence that belongs to the code. */
  readonly reason: string;
}

export interface Offered {
  readonly admitted: Admission[];
  readonly leftOut: LeftOut[];
}

/** Longer URLs are reported cut: a `data:` link may hold megabytes. */
const maxShownLength = 2048;

/**
 * Remembers, in about 40 bytes each, which URLs were met; the durable frontier is the storage. After a restart the keys
 * that the storage holds are given back with {@link Frontier.markKnown}.
 */
export class Frontier {
  #scope: Scope;
  readonly #known = new HashSet64();
  /** Admitted links as they were written: the navigation of every page asks about the same ones. */
  readonly #seen = new HashSet64();
  readonly #reported = new HashSet64();
  readonly #maxLeftOut: number;

  /** `maxLeftOut`: how many URLs left out are reported over the whole crawl. */
  constructor(scope: Scope, { maxLeftOut = 10_000 }: { maxLeftOut?: number } = {}) {
    this.#scope = scope;
    this.#maxLeftOut = maxLeftOut;
  }

  /** URLs that entered. */
  get size(): number {
    return this.#known.size;
  }

  /** Returns true when the key was not known yet. */
  markKnown(key: string): boolean {
    return this.#known.add(key);
  }

  /** The start URL led elsewhere: from now on that is where the site is. */
  rebase(landedUrl: string): void {
    this.#scope = this.#scope.rebase(landedUrl);
  }

  /** Those of the URLs that enter now, and those left out for the first time. Yields to the event loop on long lists. */
  async offer(urls: readonly string[], found: FoundAt): Promise<Offered> {
    const offered: Offered = { admitted: [], leftOut: [] };
    const turn = new Turn();
    for (const url of urls) {
      if (turn.isOver()) await turn.next();
      this.#offerOne(url, found, offered);
    }
    return offered;
  }

  #offerOne(url: string, found: FoundAt, offered: Offered): void {
    if (this.#seen.has(url)) return;
    const verdict = this.#scope.admit(url, found);
    if (verdict.admitted) {
      this.#seen.add(url);
      if (this.#known.add(verdict.key)) offered.admitted.push({ url: verdict.url, key: verdict.key });
    } else if (this.#reported.size < this.#maxLeftOut) {
      const shown = url.slice(0, maxShownLength);
      const report = { url: shown, code: verdict.reason, reason: scopeReasons[verdict.reason] };
      if (this.#reported.add(shown)) offered.leftOut.push(report);
    }
  }
}
