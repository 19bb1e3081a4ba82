/** The frontier of one running crawl: each URL enters once, each URL left out is reported once. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { HashSet64 } from "./hash-set.ts";
import type { FoundAt, Scope, Verdict } from "./scope.ts";
import { type ScopeReason, scopeReasons } from "./scope-reasons.ts";

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

/** Links looked at in one turn of the event loop: about a millisecond. */
const linksPerTurn = 500;

/**
 * Remembers, in about 20 bytes each, which URLs were met; the durable frontier is the storage. After a restart the keys
 * that the storage holds are given back with {@link Frontier.markKnown}.
 */
export class Frontier {
  #scope: Scope;
  #known = new HashSet64();
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

  /** Forgets the keys, so that URLs can enter again; the storage still keeps them apart. */
  forget(): void {
    this.#known = new HashSet64();
  }

  /** Would the URL be admitted? Nothing is remembered of it. */
  judge(url: string, found: FoundAt): Verdict {
    return this.#scope.admit(url, found);
  }

  /** The start URL led elsewhere: from now on that is where the site is. */
  rebase(landedUrl: string): void {
    this.#scope = this.#scope.rebase(landedUrl);
  }

  /** Those of the URLs that enter now, and those left out for the first time. Yields to the event loop on long lists. */
  async offer(urls: readonly string[], found: FoundAt): Promise<Offered> {
    const offered: Offered = { admitted: [], leftOut: [] };
    for (const [index, url] of urls.entries()) {
      if (index > 0 && index % linksPerTurn === 0) await nextTurn();
      this.#offerOne(url, found, offered);
    }
    return offered;
  }

  #offerOne(url: string, found: FoundAt, offered: Offered): void {
    const verdict = this.#scope.admit(url, found);
    if (verdict.admitted) {
      if (this.#known.add(verdict.key)) offered.admitted.push({ url: verdict.url, key: verdict.key });
    } else if (this.#reported.size < this.#maxLeftOut && this.#reported.add(url)) {
      offered.leftOut.push({ url, code: verdict.reason, reason: scopeReasons[verdict.reason] });
    }
  }
}
