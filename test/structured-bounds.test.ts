// A page may declare anything, any number of times: what is read of it is bounded, and names are only names.

import { expect, test } from "vitest";
import type { StructuredData, StructuredItem, StructuredValue } from "../src/contract/structured-data.ts";
import { cpuTime } from "./cpu-time.ts";
import { transformHtml } from "./transform-input.ts";

const read = async (html: string): Promise<StructuredData> =>
  (await transformHtml(html, { formats: [], structuredData: true })).structuredData!;
const script = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join("");

const isItem = (value: StructuredValue | undefined): value is StructuredItem => typeof value === "object";
function depthOf(item: StructuredItem): number {
  const inner = Object.values(item.properties).flat().filter(isItem);
  return 1 + Math.max(0, ...inner.map(depthOf));
}

test("names that every object has are properties like others", async () => {
  const named = ["constructor", "__proto__", "toString"].map((name) => `<b itemprop="${name}">${name} is</b>`);
  const { items } = await read(`<div itemscope itemtype="Thing">${named.join("")}</div>`);
  expect(Object.keys(items[0]!.properties)).toEqual(["constructor", "__proto__", "toString"]);
  const declared = await read(
    '<script type="application/ld+json">{"@type": "Thing", "__proto__": {"@value": "x"}, "constructor": "c"}</script>',
  );
  expect(declared.items[0]!.properties["constructor"]).toEqual(["c"]);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("a thing in a thing is a property of it only, whether or not somebody refers to it by name", async () => {
  const inner = '<i itemprop="maker" itemscope itemtype="https://schema.org/Brand/"><b itemprop="name">Acme</b></i>';
  const { items } = await read(
    `<div itemscope itemtype="Product">${inner}<meter itemprop="rating" value="4">four</meter></div>`,
  );
  expect(items).toEqual([
    {
      types: ["Product"],
      from: "microdata",
      properties: { maker: [{ types: ["Brand"], from: "microdata", properties: { name: ["Acme"] } }], rating: ["4"] },
    },
  ]);
});

test("a thing in a thing that does not say what it is to it stands by itself", async () => {
  const { items } = await read(
    '<div itemscope><b itemprop="name">a</b><p itemscope><i itemprop="name">b</i></p></div>',
  );
  expect(items.map(({ properties }) => properties["name"])).toEqual([["a"], ["b"]]);
});

test("texts are those that a reader sees", async () => {
  const { items } = await read(
    '<p itemscope><b itemprop="name">Tea<script>go()</script><style>b{}</style> pot</b></p>',
  );
  expect(items[0]!.properties).toEqual({ name: ["Tea pot"] });
});

test("of two things of one name the first is what a reference means", async () => {
  const things = ["first", "second"].map((name) => ({ "@type": "Brand", "@id": "#b", name }));
  const { items } = await read(script([{ "@type": "Product", brand: { "@id": "#b" } }, ...things]));
  expect(items[0]!.properties["brand"]).toMatchObject([{ properties: { name: ["first"] } }]);
});

test("a list in JSON-LD is its members", async () => {
  const { items } = await read(script({ "@type": "Recipe", steps: { "@list": ["boil", "pour"] } }));
  expect(items[0]!.properties).toEqual({ steps: ["boil", "pour"] });
});

test("things are bounded in number, depth and size, in whichever way they are declared", async () => {
  const deepest = 10;
  const nestedNode = (level: number): object => ({
    "@type": "T",
    name: "x",
    ...(level > 0 ? { in: nestedNode(level - 1) } : {}),
  });
  const nested = '<div itemprop="in" itemscope><b itemprop="name">x</b>'.repeat(50);
  for (const page of [script(nestedNode(50)), nested]) {
    const { items } = await read(page);
    expect(Math.max(...items.map(depthOf))).toBeLessThanOrEqual(deepest);
  }
  const few = repeat(3000, (at) => `<p itemscope><b itemprop="name">${at}</b></p>`);
  expect(await read(few)).toMatchObject({ items: { length: 3000 } });
  expect((await read(few)).isCut).toBeUndefined();
  const things = repeat(61_000, (at) => `<p itemscope><b itemprop="name">${at}</b></p>`);
  expect(await read(things)).toMatchObject({ items: { length: 60_000 }, isCut: true });
  const nodes = script(Array.from({ length: 61_000 }, (_, name) => ({ "@type": "T", name })));
  expect(await read(nodes)).toMatchObject({ items: { length: 60_000 }, isCut: true });
  expect((await read(script({ "@type": "T" }).replace("T", 'T", "name": "x').repeat(1000))).items).toHaveLength(1);
});

test.each(["@value", "@list"])("values within values are bounded in depth: %s", async (keyword) => {
  const [open, close] = keyword === "@list" ? ['{"@list":[', "]}"] : ['{"@value":', "}"];
  const nested = `${open.repeat(100_000)}"x"${close.repeat(100_000)}`;
  const kettle = `{"@type":"Product","name":"Kettle","in":${nested}}`;
  const { items } = await read(`<script type="application/ld+json">${kettle}</script>`);
  expect(items.map(({ properties }) => properties)).toEqual([{ name: ["Kettle"] }]);
});

test.each([
  ["nothing", null],
  ["lists in lists", []],
  ["things without content", {}],
])("what yields no value is not looked at any number of times either: %s", async (_, entry) => {
  const lists = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`n${at}`, new Array(500).fill(entry)]));
  const many = Array.from({ length: 1990 }, () => ({ "@type": "B", in: { "@id": "#a" } }));
  const before = cpuTime();
  await read(script([{ "@type": "T", "@id": "#a", ...lists }, ...many]));
  expect(cpuTime() - before).toBeLessThan(1500);
});

test("every script is read, unless it is too long", async () => {
  const scripts = Array.from({ length: 150 }, (_, name) => script({ "@type": "T", name }));
  expect(await read(scripts.join(""))).toMatchObject({ items: { length: 150 } });
  const long = script({ "@type": "T", name: "x".repeat(20_000_000) });
  expect(await read(long + scripts[0])).toMatchObject({ items: { length: 1 }, isCut: true });
});

test("a text that is too long is left out rather than shortened", async () => {
  const text = "x".repeat(200_001);
  const thing = (inner: string) => `<p itemscope><b itemprop="name">Kettle</b>${inner}</p>`;
  const pages = [thing(`<b itemprop="text">${text}</b>`), thing(`<meta itemprop="text" content="${text}">`)];
  for (const page of [...pages, script({ "@type": "T", name: "Kettle", text })])
    expect(await read(page)).toMatchObject({ items: [{ properties: { name: ["Kettle"] } }], isCut: true });
  expect((await read(thing(`<b itemprop="text">${text.slice(1)}</b>`))).items[0]!.properties["text"]).toEqual([
    text.slice(1),
  ]);
});

test("all texts and values together are bounded, however often each of them is read", async () => {
  const size = (data: StructuredData) => JSON.stringify(data.items).length;
  const valuesOf = (item: StructuredItem): StructuredValue[] =>
    Object.values(item.properties)
      .flat()
      .flatMap((value) => (isItem(value) ? valuesOf(value) : [value]));
  const deep = `<p itemscope>${'<b itemprop="n">'.repeat(400)}${"x".repeat(19_000)}${"</b>".repeat(400)}</p>`;
  expect(size(await read(deep.repeat(3)))).toBeLessThan(5_400_000);
  const nested = `<p itemscope>${'<b itemprop="n">x'.repeat(5000)}${"</b>".repeat(5000)}</p>`;
  const before = cpuTime();
  expect((await read(nested)).isCut).toBe(true);
  expect(cpuTime() - before).toBeLessThan(1500);
  const references = (thing: object) =>
    script([
      { "@id": "#a", "@type": "A", ...thing },
      ...Array.from({ length: 1500 }, (_, name) => ({ "@type": "B", name, in: { "@id": "#a" } })),
    ]);
  expect(size(await read(references({ text: "x".repeat(19_000) })))).toBeLessThan(5_300_000);
  const numbers = Object.fromEntries(Array.from({ length: 199 }, (_, at) => [`n${at}`, at]));
  expect((await read(references(numbers))).items.flatMap(valuesOf).length).toBeLessThanOrEqual(200_000);
});

test("the properties of a thing are bounded in number, and their values only together", async () => {
  const values = `<div itemscope>${repeat(3000, (at) => `<b itemprop="name">${at}</b>`)}</div>`;
  expect((await read(values)).items[0]!.properties["name"]).toHaveLength(3000);
  const names = `<div itemscope>${repeat(3000, (at) => `<b itemprop="n${at} a b c d e f g h i j k l">x</b>`)}</div>`;
  const { properties } = (await read(names)).items[0]!;
  expect(Object.keys(properties)).toHaveLength(200);
  expect(Object.keys(properties)).not.toContain("l");
  const node = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`n${at}`, at]));
  expect(Object.keys((await read(script({ "@type": "T", ...node }))).items[0]!.properties).length).toBeLessThan(201);
  const list = { "@type": "T", list: Array.from({ length: 3000 }, (_, at) => at) };
  expect((await read(script(list))).items[0]!.properties["list"]).toHaveLength(3000);
});

test("a list of more than a million values is not read to its end, however long the page is", async () => {
  const list = `[${"1,".repeat(1_200_000)}1]`;
  const { items, isCut } = await read(`<script type="application/ld+json">{"@type": "T", "list": ${list}}</script>`);
  expect(isCut).toBe(true);
  expect(items[0]!.properties["list"]!.length).toBeLessThanOrEqual(1_000_000);
});

test("tags, headings, tables and pairs are bounded in number", async () => {
  const meta = (name: string) => `<meta property="${name}" content="x">`;
  const tags = meta(`og:${"x".repeat(200)}`) + repeat(1000, (at) => meta(`og:n${at}`)) + meta("og:n0").repeat(100);
  const table = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>";
  const pairs = `<dl>${repeat(6000, (at) => `<dt>${at}<dd>x`)}</dl>`;
  const rows = `<table><tr><th>a</th><th>b</th></tr>${"<tr><td>1</td><td>2</td></tr>".repeat(3000)}</table>`;
  const columns = 45;
  const manyRows = `<tr>${"<td>1</td>".repeat(columns)}</tr>`.repeat(12_000);
  const huge = `<table><tr>${"<th>a</th>".repeat(columns)}</tr>${manyRows}</table>`;
  const wide = `<table><tr>${"<th>a</th>".repeat(60)}</tr><tr>${"<td>1</td>".repeat(60)}</tr></table>`;
  const data = await read(`${tags}${"<h1>a</h1>".repeat(50)}${rows}${wide}${table.repeat(600)}${pairs}`);
  expect(Object.keys(data.tags)).toHaveLength(300);
  expect(data.tags["og:n0"]).toHaveLength(20);
  expect(Math.max(...Object.keys(data.tags).map((name) => name.length))).toBeLessThan(10);
  expect(data.headings.length).toBeLessThanOrEqual(4);
  expect(data.tables.length).toBeLessThanOrEqual(500);
  expect(data.isCut).toBe(true);
  expect(data.tables[0]!.rows).toHaveLength(3000);
  const cut = await read(huge);
  expect(cut).toMatchObject({ isCut: true });
  expect(cut.tables[0]!.rows.length * columns).toBeLessThanOrEqual(500_000);
  expect(data.tables.map(({ headers }) => headers.length)).not.toContain(60);
  expect(data.pairs).toHaveLength(5000);
  const labels = `<table>${"<tr><th>a</th><td>1</td></tr>".repeat(6000)}</table>`;
  expect((await read(labels)).pairs).toHaveLength(5000);
});

test("tables and pairs are those that say what belongs together", async () => {
  const spanning =
    '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>';
  const headless = "<table><tr><th>a</th><th></th></tr><tr><td>1</td><td>2</td></tr></table>";
  const empty = "<table><tr><th>a</th><th>b</th></tr></table>";
  const inner = "<dl><dt>a<dd>1<dd>2<dt>b</dl><dl><dd>3</dl>";
  const long = `<dl><dt>${"x".repeat(200)}<dd>1</dl>`;
  const { tables, pairs } = await read(spanning + headless + empty + inner + long);
  expect(tables).toEqual([]);
  // A label with two values says neither for certain.
  expect(pairs).toEqual([
    ["a", "1"],
    ["a", "2"],
  ]);
});
