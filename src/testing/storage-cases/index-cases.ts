/** Cases about the search index, which is optional. Losing a page is no error, so there are few cases. */

import assert from "node:assert/strict";
import type { IndexedPage, SearchIndex } from "../../ports/search-index.ts";
import type { Storage } from "../../ports/storage.ts";
import { parseSearchQuery, withOptionalWords } from "../../shared/search-terms.ts";
import { type StorageCase, start } from "./storage-case.ts";

const page: IndexedPage = {
  team: "team-a",
  key: "example.com/kettles",
  url: "https://example.com/kettles",
  title: "Kettles",
  description: "All kettles",
  markdown: "A steel kettle boils water. Our steel kettle comes in red.",
  publishedAt: null,
  seenAt: start,
};

function indexCase(name: string, run: (index: SearchIndex) => Promise<void>): StorageCase {
  return { name, run: async ({ index }: Storage) => (index === undefined ? undefined : run(index)) };
}

async function find(index: SearchIndex, query: string, fields: object = {}): Promise<string[]> {
  const hits = await index.search({ team: "team-a", terms: parseSearchQuery(query), limit: 10, ...fields });
  return hits.map(({ url }) => new URL(url).pathname);
}

function other(path: string, fields: Partial<IndexedPage>): IndexedPage {
  return {
    ...page,
    key: `example.com${path}`,
    url: `https://example.com${path}`,
    title: path.slice(1),
    description: "",
    ...fields,
  };
}

export const indexCases: readonly StorageCase[] = [
  indexCase("pages are found by their words, whatever their form, the best first", async (index) => {
    await index.put(
      other("/trains", {
        markdown: "A steel wheel on a steel rail, and once a kettle, among many other words that trains need.",
      }),
    );
    await index.put(page);
    assert.deepEqual(await find(index, "Steel KETTLES"), ["/kettles", "/trains"]);
    assert.deepEqual(await find(index, "wheel kettle"), ["/trains"]);
    assert.deepEqual(await find(index, "submarine"), []);
    assert.deepEqual(await find(index, "all steel"), ["/kettles"], "the description counts too");
    assert.deepEqual(await find(index, "steel", { limit: 1 }).then((found) => found.length), 1);
  }),
  indexCase("quotes, exclusions, titles, addresses and sites are evaluated on the page", async (index) => {
    await index.put(page);
    await index.put(other("/trains", { markdown: "The kettle of steel stands on a train." }));
    assert.deepEqual(await find(index, '"steel kettle"'), ["/kettles"]);
    assert.deepEqual(await find(index, "kettle -train"), ["/kettles"]);
    assert.deepEqual(await find(index, 'kettle -"boils water"'), ["/trains"]);
    assert.deepEqual(await find(index, "intitle:kettles"), ["/kettles"]);
    assert.deepEqual(await find(index, "allinurl: example trains"), ["/trains"]);
    assert.deepEqual(await find(index, "site:example.com/trains"), ["/trains"]);
    assert.deepEqual(await find(index, "kettle -site:example.com"), []);
    assert.deepEqual((await find(index, '"steel kettle" OR train')).sort(), ["/kettles", "/trains"]);
    assert.deepEqual(await find(index, "kettle red OR submarine"), ["/kettles"]);
    assert.deepEqual(await find(index, "kettle site:example.org OR inurl:trains"), ["/trains"]);
    assert.deepEqual((await find(index, "example OR submarine")).sort(), ["/kettles", "/trains"], "words of addresses");
  }),
  indexCase("optional words need not all be met, and those that are rank; the other terms hold", async (index) => {
    await index.put(page);
    await index.put(other("/trains", { markdown: "The kettle of steel stands on a train." }));
    const wish = async (text: string) =>
      (await index.search({ team: "team-a", terms: withOptionalWords(parseSearchQuery(text)), limit: 10 })).map(
        ({ url }) => new URL(url).pathname,
      );
    assert.deepEqual(await wish("find a red kettle please"), ["/kettles", "/trains"]);
    assert.deepEqual(await wish("find a red kettle please -train"), ["/kettles"]);
    assert.deepEqual(await wish("submarines wanted"), []);
    const terms = [...parseSearchQuery("water"), ...withOptionalWords(parseSearchQuery("train kettle"))];
    assert.deepEqual(await find(index, "", { terms }), ["/kettles"]);
  }),
  indexCase("the description shows the words found", async (index) => {
    await index.put({
      ...page,
      markdown: `${"Nothing to see here. ".repeat(200)}The steel kettle. ${"Nothing more. ".repeat(200)}`,
    });
    const [hit] = await index.search({ team: "team-a", terms: parseSearchQuery("steel kettle"), limit: 1 });
    assert.match(hit?.description ?? "", /The steel kettle\./);
    assert.ok((hit?.description ?? "").length < 400);
    assert.equal(hit?.title, "Kettles");
  }),
  indexCase("of links and pictures, the text is found and shown, not the address", async (index) => {
    const markdown = [
      String.raw`![](https://pictures.example/pot.jpg) See [**all kettles!**](/kettles_(steel) "by \"us\"") in C#`,
      "and my_pot. [![Red](/red.png)](</the shop>)",
      "| 1\\. | two |",
      "| --- | :---: |",
    ].join("\n");
    await index.put({ ...page, markdown });
    for (const word of ["jpg", "pictures", "png", "shop", "us"]) assert.deepEqual(await find(index, word), [], word);
    const [hit] = await index.search({ team: "team-a", terms: parseSearchQuery('"see all kettles"'), limit: 1 });
    assert.equal(hit?.description, "See all kettles! in C# and my_pot. Red 1. two");
  }),
  indexCase("the URLs of a host are listed, of one team", async (index) => {
    await index.put(page);
    await index.put(other("/trains", {}));
    await index.put({ ...page, key: "example.org/", url: "https://example.org/" });
    await index.put({ ...other("/theirs", {}), team: "team-b" });
    const list = (limit: number) => index.listUrls({ team: "team-a", part: "example.com", limit });
    assert.deepEqual((await list(10)).sort(), ["https://example.com/kettles", "https://example.com/trains"]);
    assert.equal((await list(1)).length, 1);
  }),
  indexCase("relatives of a page do not include it", async (index) => {
    await index.put(page);
    await index.put(other("/more-kettles", { markdown: "Steel kettles and other kettles." }));
    await index.put(other("/boats", { markdown: "Ships and sails." }));
    const found = await find(index, "related:www.example.com/kettles/");
    assert.ok(found.includes("/more-kettles"));
    assert.ok(!found.includes("/kettles"));
    assert.deepEqual(await find(index, "related:example.com/unknown"), []);
    await index.put(other("/", { title: "Kettles", markdown: "Where kettles are at home." }));
    const ofHome = await find(index, "related:example.com");
    assert.ok(ofHome.includes("/kettles"));
    assert.ok(!ofHome.includes("/"));
  }),
  indexCase("dates of the pages, else when they were seen, decide about the time", async (index) => {
    await index.put(page);
    await index.put(other("/old", { publishedAt: start - 1_000_000 }));
    assert.deepEqual(await find(index, "kettle", { from: start - 1000 }), ["/kettles"]);
    assert.deepEqual(await find(index, "kettle", { from: 0, to: start - 1000 }), ["/old"]);
    assert.deepEqual(await find(index, "kettle", { from: start - 1_000_000, to: start - 1_000_000 }), ["/old"]);
    await index.put(other("/before-1970", { publishedAt: Date.UTC(1955, 10, 12), markdown: "A kettle." }));
    assert.equal((await find(index, "kettle")).length, 3);
    assert.deepEqual(await find(index, "kettle", { to: 0 }), ["/before-1970"]);
  }),
  indexCase("the latest page of a key wins; teams are kept apart", async (index) => {
    await index.put(page);
    await index.put({ ...page, markdown: "Now about teapots." });
    await index.put({ ...page, team: "team-b", markdown: "A secret steel plan." });
    assert.deepEqual(await find(index, "boils"), []);
    assert.deepEqual(await find(index, "teapot"), ["/kettles"]);
    assert.deepEqual(await find(index, "secret"), []);
    assert.deepEqual(await find(index, "secret", { team: "team-b" }), ["/kettles"]);
    // Without a word, too.
    await index.put({ ...other("/theirs", {}), team: "team-b" });
    assert.deepEqual(await find(index, "site:example.com"), ["/kettles"]);
    assert.deepEqual(await find(index, "related:example.com/theirs"), []);
  }),
  indexCase("the first search after many pages finds all of them", async (index) => {
    const paths = Array.from({ length: 250 }, (_, number) => `/page-${number}`);
    for (const path of paths) await index.put(other(path, { markdown: `Kettle number${path.slice(6)}.` }));
    const found = await Promise.all(["number0", "number249"].map((word) => find(index, word)));
    assert.deepEqual(found, [["/page-0"], ["/page-249"]]);
  }),
  indexCase("a page without any text takes out what was there, unless that was seen later", async (index) => {
    const blank = { title: "", description: "", markdown: "" };
    await index.put(page);
    await index.put(other("/trains", { markdown: "A steel kettle stands on a train." }));
    await index.put({ ...page, ...blank, seenAt: start - 1 });
    assert.deepEqual(await find(index, "kettle inurl:kettles"), ["/kettles"]);
    await index.put({ ...page, ...blank, team: "team-b" });
    await index.put({ ...page, ...blank });
    await index.put(other("/nothing", blank));
    assert.deepEqual(await find(index, "steel"), ["/trains"]);
    assert.deepEqual(await find(index, "site:example.com"), ["/trains"]);
    const urls = await index.listUrls({ team: "team-a", part: "example.com", limit: 10 });
    assert.deepEqual(urls, ["https://example.com/trains"]);
    await index.put({ ...page, seenAt: start + 1 });
    assert.deepEqual((await find(index, "steel")).sort(), ["/kettles", "/trains"]);
  }),
  indexCase("a page that was fetched earlier does not replace a later one", async (index) => {
    await index.put(page);
    await index.put({ ...page, markdown: "Now about teapots.", seenAt: start - 1 });
    assert.deepEqual(await find(index, "boils"), ["/kettles"]);
    assert.deepEqual(await find(index, "teapot"), []);
    await index.put({ ...page, markdown: "Now about teapots.", seenAt: start + 1 });
    assert.deepEqual(await find(index, "boils"), []);
    assert.deepEqual(await find(index, "teapot"), ["/kettles"]);
    await Promise.all([
      index.put(other("/cups", { markdown: "Cups of china.", seenAt: start + 1 })),
      index.put(other("/cups", { markdown: "Cups of glass.", seenAt: start })),
      index.put(other("/cups", { markdown: "Cups of wood.", seenAt: start })),
    ]);
    assert.deepEqual(await find(index, "china"), ["/cups"]);
    assert.deepEqual(await find(index, "wood"), []);
    await index.put({ ...page, markdown: "A clock that is fast.", seenAt: Date.now() + 1_000_000 });
    await index.put({ ...page, markdown: "A clock that is right.", seenAt: Date.now() });
    assert.deepEqual(await find(index, "right clock"), ["/kettles"]);
  }),
  indexCase("words of other scripts are found, and signs of a query language do no harm", async (index) => {
    await index.put({ ...page, markdown: "東京の天文台で観測を行う。 Любимый чайник. Café crème." });
    assert.deepEqual(await find(index, "天文台"), ["/kettles"]);
    assert.deepEqual(await find(index, "чайник"), ["/kettles"]);
    assert.deepEqual(await find(index, "cafe"), ["/kettles"]);
    assert.deepEqual(await find(index, `NEAR(AND OR * ' " team:`), []);
    assert.deepEqual(await find(index, '"'), ["/kettles"]);
  }),
];
