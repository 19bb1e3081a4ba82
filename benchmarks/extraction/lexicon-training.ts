/** Counts words inside and outside main content, and rates them, with or without the pages of one host. */
import type { Rate } from "../../src/transform/main-content/lexicon.ts";

interface Count {
  inside: number;
  outside: number;
  groups: number;
}

/** A lexicon in training. Each page has one vote for each of its words, split between inside and outside. */
export class LexiconTraining {
  readonly #all = new Map<number, Count>();
  readonly #groups = new Map<string, Map<number, Count>>();
  readonly #leastGroups: number;
  readonly #prior: number;
  #inside = 0;
  #outside = 0;

  constructor(leastGroups: number, prior: number) {
    this.#leastGroups = leastGroups;
    this.#prior = prior;
  }

  /** Adds a page: for each word, the weight of its places inside and outside main content. */
  add(group: string, words: ReadonlyMap<number, readonly [number, number]>): void {
    const own = this.#groups.get(group) ?? new Map<number, Count>();
    this.#groups.set(group, own);
    for (const [hash, [inside, outside]] of words) {
      const whole = inside + outside;
      if (whole <= 0) continue;
      const mine = own.get(hash) ?? { inside: 0, outside: 0, groups: 0 };
      const all = this.#all.get(hash) ?? { inside: 0, outside: 0, groups: 0 };
      if (mine.groups === 0) {
        mine.groups = 1;
        all.groups++;
      }
      mine.inside += inside / whole;
      mine.outside += outside / whole;
      all.inside += inside / whole;
      all.outside += outside / whole;
      this.#inside += inside / whole;
      this.#outside += outside / whole;
      own.set(hash, mine);
      this.#all.set(hash, all);
    }
  }

  /** The ratings without the pages of `group`. */
  without(group: string | undefined): Rate {
    const own = group === undefined ? undefined : this.#groups.get(group);
    const share = this.#inside / (this.#inside + this.#outside);
    const base = Math.log(share / (1 - share));
    return (hash) => {
      const all = this.#all.get(hash);
      if (all === undefined) return 0;
      const mine = own?.get(hash);
      const groups = all.groups - (mine === undefined ? 0 : 1);
      if (groups < this.#leastGroups) return 0;
      const inside = all.inside - (mine?.inside ?? 0);
      const outside = all.outside - (mine?.outside ?? 0);
      return Math.log((inside + this.#prior * share) / (outside + this.#prior * (1 - share))) - base;
    };
  }

  /** Every word that enough hosts have, with its rating. */
  entries(): [number, number][] {
    const rate = this.without(undefined);
    const entries: [number, number][] = [];
    for (const hash of this.#all.keys()) {
      const rating = rate(hash);
      if (Math.abs(rating) > 0.1) entries.push([hash, rating]);
    }
    return entries;
  }
}
