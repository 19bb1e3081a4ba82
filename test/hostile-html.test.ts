// Pages made to break the reader: each ends in a result, in a time that grows with the size of the page only.

import { describe, expect, it } from "vitest";
import { transform } from "../src/transform/transform.ts";
import { htmlInput, transformHtml } from "./transform-input.ts";

const many = 100_000;
const formats = ["markdown", "html", "links"];

/** Far above what linear work takes, and far below what quadratic work would. */
const seconds = 20;

const nested: Record<string, string> = {
  div: "<div>",
  span: "<span>",
  "bold and italic": "<b><i>",
  lists: "<ul><li>x",
  quotes: "<blockquote>x",
  tables: "<table><tr><td>x",
  links: "<a href=x><div>",
  paragraphs: "<p><div>",
  "misnested formatting": "<b><p></b>",
  drawings: "<svg><g>",
  formulas: "<math><mrow>",
  "hidden parts": "<div hidden>x",
  definitions: "<dl><dt>a<dd>b",
  "shadow trees": "<x-a><template shadowrootmode=open><slot></slot></template>",
  objects: "<object>",
  "late pictures": "<noscript><img src=a></noscript><div>",
  "rows of boxes": "<div class=flex><span>x</span><div class=flex>",
};

const beside: Record<string, string> = {
  paragraphs: "<p>x</p>",
  breaks: "x<br>",
  "shadow trees": "<template shadowrootmode=open><slot></slot></template>",
  questions: "<p>Is it so?</p>",
  "late pictures": "<noscript><img src=a></noscript><img data-src=b><!-- -->",
  symbols: "<td><svg aria-label=x></svg>",
  items: "<li>x",
  rows: "<tr><td>a<td>b",
  "wide spans": "<td colspan=1000 rowspan=1000>a",
  "wide spans in rows": "<tr><td colspan=1000 rowspan=1000>a",
  links: "<a href=x>y</a>",
  "links to the top": "<a href=#top><img src=a></a>",
  "end tags": "</p></b></span>",
  comments: "<!-- ",
  "less-than signs": "<",
  ampersands: "&",
  asterisks: "*a ",
  underscores: "_a ",
  "back-ticks": "` ",
  brackets: "](",
  dollars: "$\\a ",
  "formula openings": "\\(",
  "back-slashes": "\\",
  "raised numbers": "<sup>1</sup>",
  "line elements": "<div class=line>x</div>",
  "code with breaks": "<code>a<br>b</code><br>",
  "code with labels": "<span class=lang>js</span><pre>x</pre>",
  "code with labels, wrapped": "<div><div><span class=lang>js</span><pre>x</pre></div></div>",
  "notes in their places":
    "<span class=ltx_note><sup class=ltx_note_mark>1</sup><span class=ltx_note_content>x</span></span>",
  "buttons of one heading": "<button>x</button>",
  "words read out": "<span class=sr-only>1</span><i aria-hidden=true>1</i>",
  "unfinished tags": "<a ",
};

function parentOf(part: string): string {
  if (part.startsWith("<t")) return "<table>";
  if (part.startsWith("<button")) return "<h2>";
  return part.includes("class=line") ? "<pre>" : "<div>";
}

describe("hostile pages", () => {
  it.each(Object.entries(nested))(
    "100,000 nested: %s",
    async (_name, tag) => {
      const { markdown, html } = await transformHtml(`${tag.repeat(many)}deepest`, { formats }, {});
      expect(html).toContain("deepest");
      if (!/svg|math|hidden/.test(tag)) expect(markdown).toContain("deepest");
      expect(markdown!.length).toBeLessThan(many * 120);
    },
    seconds * 1000,
  );

  it(
    "40,000 nested listings without text",
    async () => {
      const { markdown } = await transformHtml("<pre>&nbsp;".repeat(40_000), { formats });
      expect(markdown).toBe("");
    },
    seconds * 1000,
  );

  it(
    "nested code without text",
    async () => {
      const { markdown } = await transformHtml("<tt> ".repeat(500_000), {
        formats: ["markdown"],
        onlyMainContent: false,
      });
      expect(markdown).toBe("");
    },
    seconds * 1000,
  );

  it("blocks in code within code, each written once", async () => {
    const { markdown } = await transformHtml(
      "<code>a <samp><tt>b</tt> <pre>one\ntwo</pre></samp> <code>c</code> <tt><img src=p.png alt=p></tt></code>",
      { formats: ["markdown"], onlyMainContent: false },
    );
    expect(markdown).toBe("a `b`\n\n```\none\ntwo\n```\n\n`c` ![p](https://example.test/section/p.png)");
  });

  it("a formula of 400,000 line separators", async () => {
    const tex = `x_1~${"\u2028".repeat(4 * many)}y`;
    const { markdown } = await transformHtml(`<div class=math>${tex}</div>`, { formats, onlyMainContent: false });
    expect(markdown).toBe(`$$\n${tex}\n$$`);
  });

  it.each(Object.entries(beside))(
    "100,000 side by side: %s",
    async (_name, part) => {
      const { markdown } = await transformHtml(parentOf(part) + part.repeat(many), { formats });
      expect(markdown!.length).toBeLessThan(many * 120);
    },
    seconds * 1000,
  );

  it(
    "rows whose cells all reach to the end of the table",
    async () => {
      const rows = 4000;
      const { markdown } = await transformHtml(`<table>${"<tr><td rowspan=0>a<td rowspan=0>b".repeat(rows)}`, {
        formats,
      });
      expect(markdown!.length).toBeLessThan(rows * 300);
    },
    seconds * 1000,
  );

  it(
    "marks that all refer to one text which is too long for a note",
    async () => {
      const marks = `<p>x<sup><a href="#n1">1</a></sup></p>`.repeat(many / 2);
      const text = `<div id="n1">${"<p>y</p>".repeat(many / 2)}</div>`;
      const { markdown } = await transformHtml(`<p>x</p>${marks}${text}`, { formats });
      expect(markdown).not.toContain("[^1]");
    },
    seconds * 1000,
  );

  it(
    "marks that refer to as many places in one heading",
    async () => {
      const numbers = Array.from({ length: many }, (_, number) => number);
      const marks = numbers.map((number) => `<sup><a href="#n${number}">1</a></sup>`).join("");
      const places = numbers.map((number) => `<a id="n${number}"></a>`).join("");
      const { markdown } = await transformHtml(`<p>x${marks}</p><h6>1 ${places}</h6><p>y</p>`, {
        formats,
        onlyMainContent: false,
      });
      expect(markdown).toContain("y");
    },
    seconds * 1000,
  );

  it(
    "10 MB of text, attributes and sets of pictures",
    async () => {
      const text = "A sentence with *signs*, and_more of them. ".repeat(240_000);
      expect((await transformHtml(`<p>${text}`)).markdown!.length).toBeGreaterThan(10_000_000);
      const attributes = Array.from({ length: many }, (_, index) => `a${index}=b`).join(" ");
      expect((await transformHtml(`<p ${attributes}>x`)).markdown).toBe("x");
      await transformHtml(`<img src=x srcset="${"a,b 1x, ".repeat(many)}">`, { formats });
    },
    seconds * 1000,
  );

  it("keeps the text of elements too deep to be kept apart, in order", async () => {
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}`);
    const html = words.map((word) => `<div>${word}`).join("");
    const { markdown } = await transformHtml(html);
    expect(markdown!.split(/\s+/)).toEqual(words);
  });

  it.each(["<math><annotation encoding='application/x-tex'>", "<script type='math/tex'>"])(
    "formulas with a long gap: %s",
    async (start) => {
      const { markdown } = await transformHtml(`<p>x</p>${start}a${" ".repeat(150_000)}b`);
      expect(markdown).toMatch(/^x/);
    },
    seconds * 1000,
  );

  it("signs that look like the letters of an index", async () => {
    const entries = "<li><a href=/x>Entry</a>".repeat(30);
    const { markdown } = await transformHtml(
      `<title>Index</title><h1>Index</h1><p>${", ".repeat(95)}ab</p><ul>${entries}</ul>`,
      { onlyMainContent: true },
    );
    expect(markdown!.split("Entry")).toHaveLength(31);
  });

  it(
    "a link whose address is white space, above a hidden part",
    async () => {
      const text = "<p>A text that is long enough to be read by those who have come here.</p>".repeat(4);
      const link = `<h3><a href="${" ".repeat(400_000)}x">More of it</a></h3>`;
      const { markdown } = await transformHtml(
        `<main><h1>Things</h1>${text}${link}<div style="display:none">${text}</div></main>`,
        { onlyMainContent: true },
      );
      expect(markdown).toContain("A text that is long enough");
    },
    seconds * 1000,
  );

  it(
    "many images in one picture with as many sources",
    async () => {
      const { markdown } = await transformHtml(`<picture>${"<source>".repeat(20_000)}${"<img>".repeat(20_000)}`);
      expect(markdown).toBe("");
    },
    seconds * 1000,
  );

  it("links that refer to a base as long as a book", async () => {
    const links = Array.from({ length: 2000 }, (_, number) => `<a href="?${number}">x</a>`);
    const page = await transformHtml(`<base href="${"a".repeat(1_000_000)}/">${links.join("")}`, { formats });
    expect(page.links![0]).toBe("https://example.test/section/page?0");
  });

  it("many links that refer to a long base", async () => {
    const links = Array.from({ length: 40_000 }, (_, number) => `<a href="?${number}">x</a>`);
    const page = await transformHtml(`<base href="${"a".repeat(8000)}/">${links.join("")}`, { formats: ["links"] });
    expect(page.links![0]).toMatch(/a\/\?0$/);
    expect(page.links!.length).toBeLessThan(20_000);
  });

  it("scripts in links behind so many links that they are not made absolute", async () => {
    const links = Array.from({ length: 10_000 }, (_, number) => `<a href="?${number}">x</a>`);
    const script = '<a href="javascript:a()">y</a> <a href="java\nscript:a()">y</a>';
    const { markdown } = await transformHtml(`<base href="${"a".repeat(8000)}/"><div>${links.join("")}</div>${script}`);
    expect(markdown).toMatch(/\(\?9999\)\n\ny y$/);
  });

  it("many links to one place below a base of usual length", async () => {
    const html = `<base href="/${"a".repeat(400)}/">${"<a href=b>z</a> ".repeat(5 * many)}`;
    const { markdown } = await transformHtml(html);
    expect(markdown!.split("z")).toHaveLength(5 * many + 1);
    expect(markdown).toContain("a/b)");
    expect(markdown!.length).toBeLessThan(11_000_000 + 6 * html.length);
  });

  it(
    "a declared thing to which many others refer",
    async () => {
      const many = (length: number) => Array.from({ length }, (_, number) => `n${number}`);
      const types = { "@id": "types", "@type": many(60_000) };
      const keys = { "@id": "keys", "@type": "A", ...Object.fromEntries(many(30_000).map((name) => [name, 1])) };
      const long = "&amp;x".repeat(1500);
      const texts = { "@id": "texts", "@type": "A", ...Object.fromEntries(many(50).map((name) => [name, long])) };
      const others = many(500).map((name) => ({
        "@type": "B",
        name,
        refers: [types, keys, texts].map((thing) => ({ "@id": thing["@id"] })),
      }));
      const data = JSON.stringify([types, keys, texts, ...others]);
      const { structuredData } = await transformHtml(`<script type="application/ld+json">${data}</script>`, {
        structuredData: true,
      });
      expect(structuredData!.items.length).toBeGreaterThan(0);
    },
    seconds * 1000,
  );

  it("does not take elements for what every object has", async () => {
    const { html, markdown } = await transformHtml(
      "<p>One <constructor>two</constructor> <math><constructor><mi>x</mi></constructor></math></p>",
      { formats: ["html", "markdown"] },
    );
    expect(html).toContain("<constructor>two</constructor>");
    expect(markdown).toBe("One two $x$");
  });

  it.each([
    ["beyond all characters", `&#${"9".repeat(400)};`, "\u{fffd}"],
    ["beyond all characters, in hexadecimal digits", `&#X${"F".repeat(300)}`, "\u{fffd}"],
    ["with zeros before them", `&#${"0".repeat(400)}65;`, "A"],
    ["with zeros before them, in hexadecimal digits", `&#x${"0".repeat(400)}4a;`, "J"],
    ["of nothing but zeros", `&#${"0".repeat(400)};`, "\u{fffd}"],
  ])("reads numbers of characters %s", async (_, reference, character) => {
    const data = JSON.stringify({ "@type": "Article", headline: reference });
    const { markdown, metadata, links } = await transformHtml(
      `<title>t${reference}</title><meta name=description content="d${reference}">
      <script type="application/ld+json">${data}</script><p>one${reference}</p><a href="/${reference}">two</a>`,
      { formats, onlyMainContent: false },
    );
    expect(markdown).toContain(`one${character}`);
    expect(metadata).toMatchObject({ title: `t${character}`, description: `d${character}` });
    expect(links).toEqual([`https://example.test/${encodeURI(character)}`]);
  });

  it.each([
    ["text/markdown", (url: string) => `[one](${url}) <a href="${url}2">two</a> ${url}3`],
    ["application/xml", (url: string) => `<?xml version="1.0"?><a>${url} ${url}2 ${url}3</a>`],
  ])("reads the addresses of %s with numbers of hundreds of digits", async (contentType, textWith) => {
    const text = textWith(`https://a.test/&#${"9".repeat(400)};x`);
    const { links } = await transformHtml(text, { formats }, { contentType });
    expect(links).toEqual(
      ["x", "x2", "x3"].map((end) => expect.stringMatching(new RegExp(`^https://a.test/.+${end}$`))),
    );
  });

  it("reads NUL characters, bytes that are no text, and nothing at all", async () => {
    expect((await transformHtml("<p>a\0b</p>")).markdown).toBe("ab");
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256);
    await transformHtml("", { formats }, { body: noise });
    await transformHtml("", { formats }, { body: new Uint8Array() });
  });
});

/** Pages whose markdown would be many times as long as they are, by what stands before, around or beside each text. */
const repeating: Record<string, (count: number) => string> = {
  "quotes around lines": (count) => `${"<blockquote>".repeat(24)}<pre>${"z\n".repeat(count)}`,
  "quotes around paragraphs": (count) => "<blockquote>".repeat(24) + "<p>z".repeat(count),
  "lists around breaks": (count) => "<ol start=999999999><li>".repeat(24) + "z<br>".repeat(count),
  "definitions around breaks": (count) => "<dl><dt>a<dd>".repeat(24) + "z<br><br>".repeat(count),
  "a list around a table": (count) => `${"<ol><li>".repeat(24)}<table>${"<tr><td>z<td>y".repeat(count)}`,
  "a wide row above narrow ones": (count) =>
    `<table><tr>${"<th>a".repeat(50)}${"<tr><td>z<td>y".repeat(count)}</table>`,
  "cells that cover many rows": (count) =>
    `<table><tr>${"<td rowspan=0>a".repeat(50)}${"<tr><td>z<td>y".repeat(count)}</table>`,
  "cells that cover many columns": (count) =>
    `<table><tr>${"<th>a".repeat(50)}${"<tr><td colspan=50>z".repeat(count)}</table>`,
  "a link around cells": (count) =>
    `<a href="/${"a".repeat(count)}"><table>${"<tr><td>z<td>y".repeat(count)}</table></a>`,
  "a link around paragraphs": (count) => `<a href="/${"a".repeat(count)}">${"z<br><br>".repeat(count)}</a>`,
  "the title of a link around paragraphs": (count) =>
    `<a href="/" title="${"a".repeat(count)}">${"z<br><br>".repeat(count)}</a>`,
  "formats around paragraphs": (count) => `<b><i><s><sub><sup><kbd>${"z<br><br>".repeat(count)}`,
};

describe("texts longer than the platform allows", () => {
  const tooLarge = {
    name: "ScrapeError",
    code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    message: expect.stringContaining("too large"),
    retryable: false,
  };

  it("are named as what is wrong with the page when its markdown becomes one", async () => {
    const converter = { turndown: () => "x".repeat(2 ** 30) };
    await expect(transform(htmlInput("<p>x"), undefined, converter)).rejects.toMatchObject(tooLarge);
  });

  it("are named so when it is one itself", async () => {
    const body = new Uint8Array(2 ** 29).fill(0x78);
    await expect(transformHtml("", {}, { body })).rejects.toMatchObject(tooLarge);
  });
});

describe("what a page repeats", () => {
  it.each(Object.entries(repeating))("is bounded by its length: %s", async (_name, make) => {
    const html = make(many);
    const { markdown } = await transformHtml(html);
    expect(markdown!.split("z")).toHaveLength(many + 1);
    expect(markdown!.length).toBeLessThan(1_100_000 + 4 * html.length);
  });

  it("is bounded in all entries of a feed together", async () => {
    const entries = 200;
    const content = `<a href="/${"a".repeat(1000)}">${"z<br><br>".repeat(1000)}</a>`;
    const item = `<item><title>x</title><description><![CDATA[${content}]]></description></item>`;
    const feed = `<rss version="2.0"><channel><title>Feed</title>${item.repeat(entries)}</channel></rss>`;
    const { markdown } = await transformHtml(feed, {}, { contentType: "application/rss+xml" });
    expect(markdown!.split("z")).toHaveLength(entries * 1000 + 1);
    expect(markdown!.length).toBeLessThan(1_100_000 + 4 * feed.length);
  });

  it("is left as it is in a page that is not made to fill the memory", async () => {
    const quoted = await transformHtml(`${"<blockquote>".repeat(24)}<pre>${"z\n".repeat(1000)}`);
    expect(quoted.markdown!.split(`${"> ".repeat(24)}z`)).toHaveLength(1001);
    const linked = await transformHtml(`<a href="/page">${"z<br><br>".repeat(1000)}</a>`);
    expect(linked.markdown!.split("[z](https://example.test/page)")).toHaveLength(1001);
  });
});
