/** The search index: words in a full-text table of SQLite, ranked by BM25. */

import { createHash } from "node:crypto";
import type { IndexQuery, SearchIndex } from "../../ports/search-index.ts";
import { wordsOfPage } from "../../shared/search-words.ts";
import { plainText } from "../plain-text.ts";
import { takeHits } from "../search-hits.ts";
import { isBlank, maxIndexedLength, planSearch, type SearchPlan, spellingsOf, tellingWords } from "../search-plan.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";

interface Row {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

/**
 * How many candidates are looked up at first, and at most. Each look-up ranks all matches, so there are few of them:
 * for 50, 450 and 4500 candidates.
 */
const firstBatch = 50;
const batchGrowth = 10;
const maxChecked = 5000;
/**
 * New pages that are indexed in one transaction, with turns for the event loop between them. The more there are, the
 * less has to be merged in the full-text table; other reads and writes wait some fifty milliseconds for this many.
 */
const newPagesAtOnce = 100;
/** The same limit for long pages, in bytes as counted for the size of the index. */
const newBytesAtOnce = 1_000_000;

export function sqliteSearchIndex(committer: Committer, maxBytes: number): SearchIndex {
  /** A crawl does not wait for its pages to be indexed; the first search after it does. */
  async function indexNewPages(team: string): Promise<void> {
    for (let isMore = true; isMore; ) {
      isMore = await committer.writeInParts(function* (database) {
        const found = database.all<{ number: number; bytes: number }>("unwordedPages", team, newPagesAtOnce);
        let room = newBytesAtOnce;
        for (const { number, bytes } of found) {
          if (room <= 0) return true;
          room -= bytes;
          indexWords(database, team, number);
          yield;
        }
        return found.length === newPagesAtOnce;
      });
    }
  }

  return {
    async put({ team, key, url, title, description, markdown, publishedAt, seenAt }) {
      const text = markdown.slice(0, maxIndexedLength);
      // The text itself, and about as much for its index entries.
      const bytes = 2 * Buffer.byteLength(text) + title.length + description.length + url.length;
      const isKept = bytes <= maxBytes && !isBlank({ title, description, markdown });
      await committer.write((database) => {
        const size = indexSize(database);
        const at = publishedAt ?? seenAt;
        const insert = () =>
          isKept &&
          database.run("insertIndexedPage", team, key, url, title, description, text, at, bytes, seenAt) === 1;
        let isStored = insert();
        if (!isStored) {
          // One that was seen later stays, and keeps this one out.
          size.bytes -= forget(database, database.get<Removed>("deleteIndexedPage", team, key, seenAt, Date.now()));
          isStored = insert();
        }
        if (isStored) size.bytes += bytes;
        while (size.bytes > maxBytes) {
          const oldest = database.get<Removed>("deleteOldestIndexedPage");
          size.bytes = oldest === undefined ? 0 : size.bytes - forget(database, oldest);
        }
      });
    },

    async search(query) {
      await indexNewPages(query.team);
      const plan = planSearch(query.terms);
      const named =
        plan.related.length === 0 ? [] : await committer.read((database) => namedPages(database, query, plan));
      const ranking = [...new Set([...plan.required, ...plan.helpful, ...named.flatMap(tellingWords)])];
      const match = ranking.length === 0 ? null : matchText(query.team, plan.required, ranking);
      const without = new Set(named.map(({ number }) => number));
      return takeHits(candidates(query, match, without), plan, ranking, query.limit);
    },

    async listUrls({ team, part, limit }) {
      const rows = await committer.read((database) => database.all<Pick<Row, "url">>("indexedUrls", team, part, limit));
      return rows.map(({ url }) => url);
    },
  };

  async function* candidates(query: IndexQuery, match: string | null, without: ReadonlySet<number>) {
    for (let from = 0, to = firstBatch; from < maxChecked; from = to, to *= batchGrowth) {
      const rows = await committer.read((database) => matching(database, query, match, [to - from, from]));
      for (const row of rows) {
        if (without.has(row.number)) continue;
        yield { ...row, text: await committer.read((database) => textOf(database, query.team, row)) };
      }
      if (rows.length < to - from) return;
    }
  }
}

function indexWords(database: Database, team: string, number: number): void {
  const { title, description, url, text: markdown } = database.get<Row & { text: string }>("unwordedPage", number)!;
  const text = plainText(markdown);
  const words = [title, description, url, text].map((part) => wordsOfPage(part).join(" "));
  database.run("insertIndexedWords", number, teamWord(team), ...words);
  database.run("markWorded", text, number);
}

/** The number of bytes of all pages: read once in a transaction, changed in place, and written before it commits. */
function indexSize(database: Database): { bytes: number } {
  const size = database.shared("indexSize", () => database.get<{ bytes: number }>("indexSize") as { bytes: number });
  database.beforeCommit("indexSize", () => database.run("setIndexSize", size.bytes));
  return size;
}

interface Removed {
  readonly number: number;
  readonly bytes: number;
}

/** Deletes the words of a deleted page; returns its bytes. */
function forget(database: Database, removed: Removed | undefined): number {
  if (removed === undefined) return 0;
  database.run("deleteIndexedWords", removed.number);
  return removed.bytes;
}

/** The name of a team may contain anything, but the word that represents it in the index may not. */
function teamWord(team: string): string {
  return `team${createHash("sha256").update(team).digest("hex").slice(0, 32)}`;
}

function matchText(team: string, required: readonly string[], ranking: readonly string[]): string {
  // Words contain only letters and digits, so quoting them is enough.
  const quoted = (words: readonly string[], link: string) => words.map((word) => `"${word}"`).join(link);
  const columns = "{title description url text}";
  const all = quoted(required, " AND ");
  const helpful = ranking.filter((word) => !required.includes(word));
  // Words that only rank must be in the expression too; the required words, which every match contains, then count
  // twice.
  const ranked = helpful.length === 0 ? all : `(${all}) AND ((${all}) OR ${quoted(helpful, " OR ")})`;
  const wanted = required.length > 0 ? ranked : quoted(ranking, " OR ");
  return `team : "${teamWord(team)}" AND ${columns} : (${wanted})`;
}

/** @param part how many matches, after how many */
function matching(
  database: Database,
  { team, from, to }: IndexQuery,
  match: string | null,
  part: readonly [number, number],
): Row[] {
  const range = [Math.floor(from ?? Number.MIN_SAFE_INTEGER), Math.ceil(to ?? Number.MAX_SAFE_INTEGER)] as const;
  return match === null
    ? database.all<Row>("latestPages", team, ...range, ...part)
    : database.all<Row>("matchingPages", match, team, ...range, ...part);
}

/** The text of a page, unless it has been deleted since it was found; another team's page may have its number then. */
function textOf(database: Database, team: string, { number, url }: Row): string {
  return database.get<{ text: string }>("indexedText", number, team, url)?.text ?? "";
}

/** The pages for which related pages are wanted. */
function namedPages(database: Database, { team }: IndexQuery, { related }: SearchPlan): (Row & { text: string })[] {
  return related
    .flatMap(spellingsOf)
    .flatMap((url) => database.all<Row>("pageAtUrl", team, url))
    .map((row) => ({ ...row, text: textOf(database, team, row) }));
}
