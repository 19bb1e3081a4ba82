/** The search index: each page's words and what they count as JSON, found by a GIN index and ranked by BM25. */

import type { IndexQuery, SearchIndex } from "../../ports/search-index.ts";
import type { SearchHit } from "../../ports/search-provider.ts";
import { Turn } from "../../shared/turn.ts";
import { plainText } from "../plain-text.ts";
import { takeHits } from "../search-hits.ts";
import { bm25, countWords, isBlank, maxIndexedLength, planSearch, spellingsOf, tellingWords } from "../search-plan.ts";
import { type BoundedTable, putNewest } from "./bounded.ts";
import type { Connection, Query } from "./connection.ts";
import { hashOf } from "./hash.ts";
import { writeTogether } from "./write-together.ts";

interface Numbered {
  readonly number: number;
}

interface Row extends Numbered {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** A page as it is stored. */
interface Entry {
  readonly team: string;
  readonly hash: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly at: number;
  readonly bytes: number;
  readonly seenAt: number;
  readonly isRemoval: boolean;
}

const table: BoundedTable = {
  lock: "lockIndex",
  setBytes: "setIndexSize",
  removeKeys: "deleteIndexedPages",
  removeOldest: "deleteOldestIndexedPages",
};

/** Candidates whose texts are read at once, and most that are ranked. */
const batch = 20;
const maxChecked = 5000;
/** New pages whose words are counted in one transaction. */
const newPagesAtOnce = 20;

export function postgresSearchIndex({ query, transaction, track }: Connection, maxBytes: number): SearchIndex {
  /** A crawl does not wait for its words to be counted; the first search after it does. */
  async function countNewPages(team: string): Promise<void> {
    for (let found = newPagesAtOnce; found === newPagesAtOnce; ) {
      found = await transaction(async (query) => {
        const pages = await query<Row>("uncountedPages", team, newPagesAtOnce);
        const counted = [];
        const turn = new Turn();
        for (const { number, text: markdown, ...about } of pages) {
          if (turn.isOver()) await turn.next();
          const text = plainText(markdown);
          const counts = countWords({ ...about, text });
          const length = counts.values().reduce((sum, count) => sum + count, 0);
          const words = { [teamWord(team)]: 0, ...Object.fromEntries(counts) };
          counted.push({ number, text, words: JSON.stringify(words), length });
        }
        await query(
          "countPages",
          counted.map((page) => page.number),
          counted.map((page) => page.text),
          counted.map((page) => page.words),
          counted.map((page) => page.length),
        );
        return pages.length;
      });
    }
  }

  async function* candidates(request: IndexQuery, required: readonly string[], ranking: readonly string[]) {
    const { team, from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = request;
    const range = [Math.floor(from), Math.ceil(to)];
    const mine = teamWord(team);
    const needed = [ranking, [mine, ...required], required.length > 0 ? [mine] : ranking];
    const { saturation, lengthPenalty } = bm25;
    const found = await (ranking.length === 0
      ? query<Numbered>("latestPages", team, ...range, maxChecked)
      : query<Numbered>("matchingPages", team, ...needed, ...range, maxChecked, saturation, lengthPenalty));
    for (let offset = 0; offset < found.length; offset += batch) {
      const numbers = found.slice(offset, offset + batch).map(({ number }) => number);
      const rows = new Map((await query<Row>("indexedPages", numbers)).map((row) => [row.number, row]));
      // A page may have been replaced meanwhile.
      for (const number of numbers) if (rows.has(number)) yield rows.get(number)!;
    }
  }

  const put = writeTogether<Entry>(
    (entries) =>
      transaction(async (query) => {
        await putNewest(
          query,
          table,
          () => notOutdated(query, entries),
          maxBytes,
          (left) =>
            query(
              "insertIndexedPages",
              left.map(({ team }) => team),
              left.map(({ hash }) => hash),
              left.map(({ url }) => url),
              left.map(({ title }) => title),
              left.map(({ description }) => description),
              left.map(({ text }) => text),
              left.map(({ at }) => at),
              left.map(({ bytes }) => bytes),
              left.map(({ seenAt }) => seenAt),
            ),
        );
        return [];
      }),
    track,
  );

  async function search(request: IndexQuery): Promise<SearchHit[]> {
    await countNewPages(request.team);
    const plan = planSearch(request.terms);
    const named = await pagesAt(query, request.team, plan.related);
    const ranking = [...new Set([...plan.required, ...plan.helpful, ...named.flatMap(tellingWords)])];
    const without = new Set(named.map(({ number }) => number));
    return takeHits(others(candidates(request, plan.required, ranking), without), plan, ranking, request.limit);
  }

  return {
    async put({ team, key, url, title, description, markdown, publishedAt, seenAt }) {
      const text = markdown.slice(0, maxIndexedLength);
      // The text itself, and about as much for its words.
      const bytes = 2 * Buffer.byteLength(text) + title.length + description.length + url.length;
      const isRemoval = isBlank({ title, description, markdown });
      const at = publishedAt ?? seenAt;
      await put({ team, hash: hashOf(key), url, title, description, text, at, bytes, seenAt, isRemoval });
    },

    search: (request) => track(search(request)),

    async listUrls({ team, part, limit }) {
      return (await query<Pick<Row, "url">>("indexedUrls", team, part, limit)).map(({ url }) => url);
    },
  };
}

/** The entries that were not seen before what is stored, the latest of a key last. */
async function notOutdated(query: Query, entries: readonly Entry[]): Promise<Entry[]> {
  const found = await query<{ readonly place: number }>(
    "outdatedPages",
    entries.map(({ team }) => team),
    entries.map(({ hash }) => hash),
    entries.map(({ seenAt }) => seenAt),
    Date.now(),
  );
  const outdated = new Set(found.map(({ place }) => place));
  return entries.filter((_, place) => !outdated.has(place)).sort((one, other) => one.seenAt - other.seenAt);
}

async function* others(rows: AsyncIterable<Row>, without: ReadonlySet<number>): AsyncGenerator<Row> {
  for await (const row of rows) if (!without.has(row.number)) yield row;
}

async function pagesAt(query: Query, team: string, addresses: readonly string[]): Promise<Row[]> {
  return addresses.length === 0 ? [] : query<Row>("pagesAtUrls", team, addresses.flatMap(spellingsOf));
}

/** Stands among the words of a page, so that the index knows whose it is; no word holds such a sign. */
function teamWord(team: string): string {
  return `@${hashOf(team)}`;
}
