/** What pages declare about themselves: JSON-LD, microdata, RDFa, Open Graph, data tables. */
import { expect, test } from "vitest";
import type { StructuredData } from "../src/contract/structured-data.ts";
import { transform } from "../src/transform/transform.ts";
import { cpuTime } from "./cpu-time.ts";

async function read(html: string): Promise<StructuredData> {
  const result = await transform({
    body: Buffer.from(html),
    contentType: "text/html; charset=utf-8",
    url: "https://shop.example/p/1",
    rendered: false,
    options: { formats: [], onlyMainContent: true, removeBase64Images: true, parsePDF: true, structuredData: true },
  });
  return result.structuredData!;
}

test("JSON-LD: graphs, references, values with marks, entities", async () => {
  const { items } = await read(`<script type="application/ld+json">
    {"@context": "https://schema.org", "@graph": [
      {"@type": "https://schema.org/Product", "name": "Tea &amp; Co&amp;#8217;s", "brand": {"@id": "#b"}, "offers": [{"@type": "Offer", "price": 5, "url": {"@id": "https://x.example/buy"}}], "isNew": true},
      {"@type": ["Brand", "Organization"], "@id": "#b", "name": {"@value": "Acme"}, "owner": {"@id": "#b"}}
    ]};</script><script type="application/ld+json">{broken</script>`);
  expect(items).toHaveLength(2);
  expect(items[0]).toEqual({
    types: ["Product"],
    from: "json-ld",
    properties: {
      name: ["Tea & Co’s"],
      brand: [{ types: ["Brand", "Organization"], from: "json-ld", properties: { name: ["Acme"] } }],
      offers: [{ types: ["Offer"], from: "json-ld", properties: { price: [5], url: ["https://x.example/buy"] } }],
      isNew: [true],
    },
  });
});

const kettle = `{"@type": "Product", "name": "Kettle", "sku": ["a, ]", "http://b // c", "/* d */"]}`;

test.each([
  ["a comma after the last member", kettle.replaceAll("]", ",]").replace("a, ,]", "a, ]").replace("}", " ,\n}")],
  ["comments", `/* seo */ ${kettle.replace('"name"', '// the name\n "name"')} // end`],
  ["a commented-out comment of HTML", `<!--\n${kettle}\n//-->`],
  ["commented-out CDATA", `//<![CDATA[\n${kettle};\n//]]>`],
  ["CDATA", `/* <![CDATA[ */ ${kettle} /* ]]> */`],
  ["line breaks in strings", kettle.replace("Kettle", "Kettle\n\t")],
  ["escapes of another language", kettle.replace("Kettle", "Kettle\\'s").replace("//", "\\/\\/")],
  ["a script escaped as if it were text", kettle.replaceAll('"', "&quot;")],
])("JSON-LD with faults that leave no doubt is read: %s", async (_, script) => {
  const { items } = await read(`<script type="application/ld+json">${script}</script>`);
  expect(items).toMatchObject([
    {
      types: ["Product"],
      properties: { name: [expect.stringMatching(/^Kettle(?:'s)?$/)], sku: ["a, ]", "http://b // c", "/* d */"] },
    },
  ]);
});

test("what is declared twice in the same words is one thing; what differs is two", async () => {
  const script = `<script type="application/ld+json">${kettle}</script>`;
  const pan = `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Pan</b><i itemprop="color">red</i></div>`;
  const { items } = await read(script + script.replaceAll(" ", "\n") + pan + pan.replace("red", "blue") + pan);
  expect(items.map(({ properties: { name, color } }) => [name, color])).toEqual([
    [["Kettle"], undefined],
    [["Pan"], ["red"]],
    [["Pan"], ["blue"]],
  ]);
});

test.each([
  ["JSON-LD", `<script type="application/ld+json">{"@type": "ItemPage", "mainEntity": ${kettle}}</script>`],
  [
    "a reference in JSON-LD",
    `<script type="application/ld+json">{"@graph": [{"@type": "WebPage", "@id": "#p", "mainEntity": {"@id": "#k"}},
      {"@type": "Product", "@id": "#k", "name": "Kettle", "mainEntityOfPage": {"@id": "#p"}}]}</script>`,
  ],
  [
    "microdata",
    `<main itemscope itemtype="https://schema.org/WebPage"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Product">
      <h1 itemprop="name">Kettle</h1></div></main>`,
  ],
])("the main entity of a page stands for itself, once: %s", async (_, html) => {
  const { items } = await read(html);
  expect(items.map(({ types }) => types[0])).toEqual([expect.stringMatching(/Page$/), "Product"]);
  // In the page as well, it would be answered from there, and be two things.
  expect(items[0]!.properties).not.toHaveProperty("mainEntity");
});

test("a page that is about several things, such as questions, keeps them all", async () => {
  const questions = ["How hot?", "How long?"].map((name) => ({ "@type": "Question", name }));
  const page = JSON.stringify({ "@type": "FAQPage", mainEntity: questions });
  const { items } = await read(`<script type="application/ld+json">${page}</script>`);
  expect(items).toMatchObject([
    { types: ["FAQPage"], properties: { mainEntity: questions.map(({ name }) => ({ properties: { name: [name] } })) } },
  ]);
});

test("microdata and RDFa: nested things, addresses, dates, contents", async () => {
  const { items } =
    await read(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue <b>kettle</b></h1>
      <a itemprop="url" href="/p/1">here</a><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="19.50">19,50</span>
      <link itemprop="availability" href="https://schema.org/InStock"></div><time itemprop="releaseDate" datetime="2026-01-02">January</time></div>
    <div vocab="https://schema.org/" typeof="Event"><span property="name">Fair</span><div property="location" typeof="Place"><span property="name">Hall</span></div></div>`);
  expect(items).toMatchObject([
    {
      types: ["Product"],
      from: "microdata",
      properties: {
        name: ["Blue kettle"],
        url: ["https://shop.example/p/1"],
        releaseDate: ["2026-01-02"],
        offers: [{ types: ["Offer"], properties: { price: ["19.50"], availability: ["https://schema.org/InStock"] } }],
      },
    },
    { types: ["Event"], from: "rdfa", properties: { name: ["Fair"], location: [{ properties: { name: ["Hall"] } }] } },
  ]);
});

test("the sums and headers in a table's foot are no rows; a table with headers between its rows is left alone", async () => {
  const head = "<tr><th>Name</th><th>Price</th></tr>";
  const { tables, pairs } = await read(`
    <table><tfoot><tr><td>Total</td><td>3</td></tr></tfoot><thead>${head}</thead>
      <tbody><tr><td>A</td><td>1</td></tr><tr><th>B</th><td>2</td></tr></tbody></table>
    <table><thead>${head}</thead><tbody><tr><td>C</td><td>4</td></tr></tbody><tfoot>${head}</tfoot></table>
    <table>${head}<tr><td>D</td><td>5</td></tr>${head}<tr><td>E</td><td>6</td></tr></table>
    <table><tr><th>Weight</th><td>2 kg</td></tr><tfoot><tr><th>Sum</th><td>9</td></tr></tfoot></table>`);
  expect(tables.map(({ rows }) => rows)).toEqual([
    [
      ["A", "1"],
      ["B", "2"],
    ],
    [["C", "4"]],
  ]);
  expect(pairs).toEqual([
    ["Weight", "2 kg"],
    ["Sum", "9"],
  ]);
});

test("relative addresses are made absolute, in every notation; what may be none stays as it is", async () => {
  const { items, tags } = await read(`<base href="/shop/"><meta property="og:image" content="/i/1.png">
    <meta property="og:url" content="www.shop.example"><meta property="og:description" content="/ a slash">
    <script type="application/ld+json">{"@type": "Product", "name": "/path", "url": "../p/1", "sku": "/7",
      "image": ["/i/1.png", "//cdn.example/i/2.png", {"@type": "ImageObject", "url": "./3.png"}, {"@id": "/i/4.png"}],
      "brand": {"@type": "Brand", "url": "N/A", "logo": "https://brand.example/logo.png", "sameAs": "www.brand.example"}}</script>
    <div itemscope itemtype="https://schema.org/Offer"><meta itemprop="url image" content="/p/1"><meta itemprop="sku" content="/7"></div>`);
  expect(tags).toEqual({
    "og:image": ["https://shop.example/i/1.png"],
    "og:url": ["www.shop.example"],
    "og:description": ["/ a slash"],
  });
  expect(items.map(({ properties }) => properties)).toMatchObject([
    {
      name: ["/path"],
      url: ["https://shop.example/p/1"],
      sku: ["/7"],
      image: [
        "https://shop.example/i/1.png",
        "https://cdn.example/i/2.png",
        { properties: { url: ["https://shop.example/shop/3.png"] } },
        "https://shop.example/i/4.png",
      ],
      brand: [
        { properties: { url: ["N/A"], logo: ["https://brand.example/logo.png"], sameAs: ["www.brand.example"] } },
      ],
    },
    { url: ["https://shop.example/p/1"], image: ["https://shop.example/p/1"], sku: ["/7"] },
  ]);
});

test("Open Graph, tables with headers, labels with values", async () => {
  const { tags, tables, pairs } =
    await read(`<head><meta property="og:title" content="Kettle"><meta property="product:price:amount" content="20"></head>
    <table><tr><th>Name</th><th>Price</th></tr><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td></tr></table>
    <table><tr><th>Weight:</th><td>2 kg</td></tr></table><dl><dt>Colour</dt><dd>blue</dd></dl>
    <table role="presentation"><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>`);
  expect(tags).toEqual({ "og:title": ["Kettle"], "product:price:amount": ["20"] });
  expect(tables).toEqual([
    {
      headers: ["Name", "Price"],
      rows: [
        ["A", "1"],
        ["B", "2"],
      ],
    },
  ]);
  expect(pairs).toEqual([
    ["Weight", "2 kg"],
    ["Colour", "blue"],
  ]);
});

test.each([
  ["nested scopes", "<div itemscope><div itemprop=a itemscope>".repeat(30_000)],
  ["nested texts", `<div itemscope>${"<p itemprop=a>x<div>".repeat(40_000)}`],
  [
    "a wide graph",
    `<script type="application/ld+json">[${Array.from({ length: 40_000 }, (_, i) => `{"@type":"A","@id":"${i}","b":[{"@id":"${i + 1}"},{"@id":"${i + 1}"}]}`).join(",")}]</script>`,
  ],
  [
    "many keys",
    `<script type="application/ld+json">{"@type":"A",${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(",")}}</script>`,
  ],
  [
    "many references to a large node",
    `<script type="application/ld+json">{"@graph":[{"@type":"A","@id":"#a",${Array.from({ length: 190 }, (_, i) => `"k${i}":[${'"a",'.repeat(120)}"a"]`).join(",")}},{"@type":"B",${Array.from({ length: 100 }, (_, i) => `"r${i}":[${'{"@id":"#a"},'.repeat(18)}{"@id":"#a"}]`).join(",")}}]}</script>`,
  ],
  ["deep JSON", `<script type="application/ld+json">${'{"@type":"A","a":['.repeat(20_000)}</script>`],
  ["comments without an end", `<script type="application/ld+json">{${"/*/".repeat(400_000)}</script>`],
  ["commas without an end", `<script type="application/ld+json">[1${", ".repeat(500_000)}</script>`],
  ["quotes without an end", `<script type="application/ld+json">["${'\\"'.repeat(500_000)}</script>`],
  ["escapes without an end", `<script type="application/ld+json">["${"\\".repeat(1_000_001)}</script>`],
  ["nested lists", "<dl><dt>a<dd>b".repeat(40_000)],
  ["nested tables", "<table><tr><th>a<th>b<tr><td>1<td>".repeat(10_000)],
])("hostile: %s take linear time", async (_, html) => {
  const started = cpuTime();
  await read(html);
  expect(cpuTime() - started).toBeLessThan(3000);
});
