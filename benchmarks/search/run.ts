/**
 * Measures how often a search of the engine's own pages finds the one that is meant, beside SQLite's FTS5.
 *
 *   node benchmarks/search/run.ts --corpora FOLDER [--sets wcxb,scrapinghub,mozilla]
 *
 * Each query is made from one page. Shown is how often that page comes first, and the mean of 1/rank among ten.
 */
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { memoryStorage, ownIndex } from "../../src/index.ts";
import { parseSearchQuery, withOptionalWords } from "../../src/shared/search-terms.ts";
import { readCorpus } from "../extraction/corpus.ts";
import { type KnownQuery, queriesOf } from "./queries.ts";

const { values: options } = parseArgs({
  options: { corpora: { type: "string" }, sets: { type: "string", default: "wcxb,scrapinghub,mozilla" } },
});
if (options.corpora === undefined) throw new Error("--corpora <path> is needed");

const limit = 10;
const titleWeight = 4;

/** Gives the places of pages, the best first. */
type Search = (query: string) => Promise<number[]>;

const pages = readCorpus(options.corpora, options.sets.split(",")).filter(({ text, cjk }) => text && !cjk);
const queries = queriesOf(pages);
const contenders: Record<string, Search> = {
  crawlcore: await ownSearch(),
  "FTS5, bm25": fullTextSearch("unicode61"),
  "FTS5, bm25, porter": fullTextSearch("porter unicode61"),
};

console.log(`${queries.length} queries over ${pages.length} pages; first place, mean of 1/rank, ms a query`);
for (const [name, search] of Object.entries(contenders)) {
  const ranks = new Map<KnownQuery["kind"], number[]>();
  const start = performance.now();
  for (const { kind, text, page } of queries) {
    const place = (await search(text)).indexOf(page);
    ranks.set(kind, [...(ranks.get(kind) ?? []), place < 0 ? 0 : 1 / (place + 1)]);
  }
  const cells = [...ranks].map(([kind, all]) => {
    const first = all.filter((rank) => rank === 1).length / all.length;
    const mean = all.reduce((sum, rank) => sum + rank, 0) / all.length;
    return `${kind} ${first.toFixed(3)} ${mean.toFixed(3)}`;
  });
  console.log([name.padEnd(20), ...cells, ((performance.now() - start) / queries.length).toFixed(2)].join("   "));
}

async function ownSearch(): Promise<Search> {
  const index = memoryStorage().index!;
  const team = "default";
  for (const [at, { title = "", text = "" }] of pages.entries()) {
    const about = { title, description: "", markdown: text, publishedAt: null, seenAt: at };
    await index.put({ team, key: String(at), url: `https://page.example/${at}`, ...about });
  }
  const provider = ownIndex(index);
  const context = { signal: new AbortController().signal } as Parameters<typeof provider.search>[1];
  return async (query) => {
    const terms = withOptionalWords(parseSearchQuery(query));
    const hits = await provider.search({ query, terms, limit, team }, context);
    return hits.map(({ url }) => Number(url.split("/").at(-1)));
  };
}

function fullTextSearch(tokenizer: string): Search {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE VIRTUAL TABLE pages USING fts5 (title, text, tokenize = '${tokenizer}')`);
  const insert = database.prepare("INSERT INTO pages (rowid, title, text) VALUES (?, ?, ?)");
  for (const [at, { title = "", text = "" }] of pages.entries()) insert.run(at, title, text);
  const select = database.prepare(
    `SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, ${titleWeight}, 1) LIMIT ${limit}`,
  );
  return async (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return select.all(words.map((word) => `"${word}"`).join(" OR ")).map(({ rowid }) => Number(rowid));
  };
}
