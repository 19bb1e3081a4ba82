/** Counts the pages of each type in which a word occurs, and rates it with or without one page. */
import { PAGE_TYPES, type PageType } from "../../src/transform/main-content/page-type.ts";
import { TYPE_STEP } from "../../src/transform/main-content/type-words.ts";

const LEAST_PAGES = 5;
const PRIOR = 1;
const LEAST_RATING = 0.5;

export class TypeWordsTraining {
  readonly #counts = new Map<number, Float32Array>();
  readonly #pages = new Float32Array(PAGE_TYPES.length);

  add(type: PageType, words: ReadonlySet<number>): void {
    const index = PAGE_TYPES.indexOf(type);
    this.#pages[index]!++;
    for (const word of words) {
      const counts = this.#counts.get(word) ?? new Float32Array(PAGE_TYPES.length);
      counts[index]!++;
      this.#counts.set(word, counts);
    }
  }

  /** The sums for a page. `own` is the type of a page that has been added, so that its own votes are not counted. */
  rate(words: ReadonlySet<number>, own: PageType | undefined): Float32Array {
    const index = own === undefined ? -1 : PAGE_TYPES.indexOf(own);
    const sums = new Float32Array(PAGE_TYPES.length);
    for (const word of words) {
      this.#row(word, index)?.forEach((step, type) => {
        sums[type]! += step * TYPE_STEP;
      });
    }
    return sums;
  }

  entries(): [number, Int8Array][] {
    return [...this.#counts.keys()].flatMap((word): [number, Int8Array][] => {
      const row = this.#row(word, -1);
      return row === undefined ? [] : [[word, row]];
    });
  }

  #row(word: number, own: number): Int8Array | undefined {
    const counts = this.#counts.get(word);
    if (counts === undefined) return undefined;
    const count = (type: number): number => counts[type]! - (type === own ? 1 : 0);
    const pages = (type: number): number => this.#pages[type]! - (type === own ? 1 : 0);
    let all = 0;
    let allPages = 0;
    for (let type = 0; type < PAGE_TYPES.length; type++) {
      all += count(type);
      allPages += pages(type);
    }
    if (all < LEAST_PAGES || all > allPages * 0.8) return undefined;
    const row = Int8Array.from(PAGE_TYPES, (_, type) => {
      const share = all / allPages;
      const inside = (count(type) + PRIOR * share) / (pages(type) + PRIOR);
      const outside = (all - count(type) + PRIOR * share) / (allPages - pages(type) + PRIOR);
      return Math.max(-127, Math.min(127, Math.round(Math.log(inside / outside) / TYPE_STEP)));
    });
    return row.some((step) => Math.abs(step) * TYPE_STEP > LEAST_RATING) ? row : undefined;
  }
}
