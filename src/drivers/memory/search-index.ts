/** The search index of the memory driver: how often words occur in pages, ranked by BM25. */

import type { IndexedPage, IndexQuery, SearchIndex } from "../../ports/search-index.ts";
import type { SearchHit } from "../../ports/search-provider.ts";
import { Turn } from "../../shared/turn.ts";
import { plainText } from "../plain-text.ts";
import { takeHits } from "../search-hits.ts";
import {
  bm25,
  comparableUrl,
  countWords,
  isBlank,
  maxIndexedLength,
  maxTellingWords,
  planSearch,
} from "../search-plan.ts";

const { saturation, lengthPenalty } = bm25;

interface Entry extends Omit<IndexedPage, "markdown"> {
  /** Markdown; plain text from the first search on. */
  text: string;
  /** Words of the page, weighted; null until the first search after it was stored. */
  counts: Map<string, number> | null;
  length: number;
  /** Its size for the limit. Fixed for as long as it is kept, although its text changes. */
  readonly bytes: number;
}

export function memorySearchIndex(maxBytes: number): SearchIndex {
  const teams = new Map<string, Team>();
  /** In the order in which they were stored, over all teams. */
  const stored = new Map<string, Entry>();
  let bytes = 0;

  function remove(name: string): void {
    const entry = stored.get(name);
    if (entry === undefined) return;
    stored.delete(name);
    bytes -= entry.bytes;
    const team = teams.get(entry.team);
    team?.remove(entry);
    if (team?.isEmpty()) teams.delete(entry.team);
  }

  return {
    async put(page) {
      const name = JSON.stringify([page.team, page.key]);
      const { seenAt = 0 } = stored.get(name) ?? {};
      if (seenAt > page.seenAt && seenAt <= Date.now()) return;
      remove(name);
      const { markdown, ...about } = page;
      const text = markdown.slice(0, maxIndexedLength);
      const entry: Entry = { ...about, text, counts: null, length: 0, bytes: size({ ...about, text }) };
      if (isBlank(page) || entry.bytes > maxBytes) return;
      stored.set(name, entry);
      bytes += entry.bytes;
      let team = teams.get(page.team);
      if (team === undefined) {
        team = new Team();
        teams.set(page.team, team);
      }
      team.add(entry);
      while (bytes > maxBytes) remove(stored.keys().next().value as string);
    },
    async search(query) {
      return teams.get(query.team)?.search(query) ?? [];
    },
    async listUrls({ team, part, limit }) {
      return (teams.get(team)?.urls() ?? []).filter((url) => url.includes(part)).slice(0, limit);
    },
  };
}

/** The text, its words, and the entries of the words. */
function size({ title, description, text, url }: Pick<Entry, "title" | "description" | "text" | "url">): number {
  return 4 * (title.length + description.length + text.length + url.length) + 500;
}

class Team {
  /** Pages whose words are counted at the next search, so that crawls need not wait for it. */
  readonly #fresh = new Set<Entry>();
  readonly #counted = new Set<Entry>();
  readonly #byWord = new Map<string, Set<Entry>>();
  #totalLength = 0;

  add(entry: Entry): void {
    this.#fresh.add(entry);
  }

  urls(): string[] {
    return [...this.#fresh, ...this.#counted].map(({ url }) => url);
  }

  isEmpty(): boolean {
    return this.#fresh.size + this.#counted.size === 0;
  }

  remove(entry: Entry): void {
    this.#fresh.delete(entry);
    if (!this.#counted.delete(entry)) return;
    this.#totalLength -= entry.length;
    for (const word of entry.counts?.keys() ?? []) {
      const holders = this.#byWord.get(word);
      holders?.delete(entry);
      if (holders?.size === 0) this.#byWord.delete(word);
    }
  }

  async search({
    terms,
    limit,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  }: IndexQuery): Promise<SearchHit[]> {
    await this.#count();
    const plan = planSearch(terms);
    const { required, helpful, related } = plan;
    const named = this.#named(related);
    const words = [...new Set([...required, ...helpful, ...named.flatMap((entry) => this.#tellingWords(entry))])];
    const candidates =
      words.length === 0
        ? [...this.#counted]
        : this.#holding(required.length > 0 ? required : words, required.length > 0);
    const scored = candidates
      .filter((entry) => {
        const time = entry.publishedAt ?? entry.seenAt;
        return time >= from && time <= to && !named.includes(entry);
      })
      .map((entry) => ({ entry, score: this.#score(entry, words) }))
      .sort((left, right) => right.score - left.score || right.entry.seenAt - left.entry.seenAt);
    const best = scored.map(({ entry }) => entry);
    return takeHits(best, plan, words, limit);
  }

  async #count(): Promise<void> {
    const turn = new Turn();
    for (const entry of [...this.#fresh]) {
      if (turn.isOver()) await turn.next();
      // It may have been replaced meanwhile.
      if (!this.#fresh.delete(entry)) continue;
      entry.text = plainText(entry.text);
      entry.counts = countWords(entry);
      for (const [word, count] of entry.counts) {
        entry.length += count;
        const holders = this.#byWord.get(word);
        if (holders === undefined) this.#byWord.set(word, new Set([entry]));
        else holders.add(entry);
      }
      this.#totalLength += entry.length;
      this.#counted.add(entry);
    }
  }

  /** The pages for which related pages are wanted; they are not among the results. */
  #named(addresses: readonly string[]): Entry[] {
    if (addresses.length === 0) return [];
    return [...this.#counted].filter(({ url }) => addresses.includes(comparableUrl(url)));
  }

  /** The words by which a page differs most from the others. */
  #tellingWords(entry: Entry): string[] {
    return [...(entry.counts ?? [])]
      .map(([word, count]) => ({ word, weight: count * this.#rarity(word) }))
      .sort((left, right) => right.weight - left.weight)
      .slice(0, maxTellingWords)
      .map(({ word }) => word);
  }

  /** Pages that contain all, or at least one, of the words. */
  #holding(words: readonly string[], all: boolean): Entry[] {
    const sets = words.map((word) => this.#byWord.get(word) ?? new Set<Entry>());
    if (!all) return [...new Set(sets.flatMap((set) => [...set]))];
    const [smallest = new Set<Entry>(), ...others] = sets.sort((left, right) => left.size - right.size);
    return [...smallest].filter((entry) => others.every((set) => set.has(entry)));
  }

  #rarity(word: string): number {
    const having = this.#byWord.get(word)?.size ?? 0;
    return Math.log(1 + (this.#counted.size - having + 0.5) / (having + 0.5));
  }

  #score(entry: Entry, words: readonly string[]): number {
    const mean = this.#totalLength / Math.max(1, this.#counted.size) || 1;
    const held = saturation * (1 - lengthPenalty + (lengthPenalty * entry.length) / mean);
    return words.reduce((sum, word) => {
      const count = entry.counts?.get(word) ?? 0;
      return sum + (this.#rarity(word) * count * (saturation + 1)) / (count + held);
    }, 0);
  }
}
