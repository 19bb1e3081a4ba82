import { Document, Element, Text } from "domhandler";
import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { writeHtml } from "../src/transform/html/write-html.ts";
import { keepNotes } from "../src/transform/main-content/keep-notes.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import { keepMainContent } from "../src/transform/main-content.ts";
import { cpuTime } from "./cpu-time.ts";
import { keep, page } from "./main-content-frame.ts";
import { keptOf, paragraph } from "./main-content-given.ts";
import { engineFor, site } from "./start-engine.ts";

const sentence = "The harbour board will decide in March whether the evening ferry runs through the winter as well. ";

test("a page without text has no main content", () => {
  expect(
    keep(
      '<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>',
      "https://app.example/",
    ).kept,
  ).toBe(false);
  expect(keep("", "https://app.example/").kept).toBe(false);
});

test("an application that asks for JavaScript has no main content", () => {
  const { kept } = keep(
    '<html><head><title>App</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>',
    "https://app.example/",
  );
  expect(kept).toBe(false);
});

test("a tree of 100,000 levels is read without recursion", () => {
  const document = new Document([]);
  let around: Document | Element = document;
  for (let level = 0; level < 100_000; level++) {
    const element: Element = new Element("div", { class: `level-${level % 7}` });
    element.parent = around;
    around.children.push(element);
    around = element;
  }
  const text = new Text(sentence.repeat(20));
  text.parent = around;
  around.children.push(text);
  expect(finish(keepMainContent(document, { url: "https://deep.example/" })).kept).toBe(true);
});

test("time grows with the page, not with its square", () => {
  const time = (count: number): number => {
    const { document } = readHtml(
      `<body><main>${`<p>${sentence}<a href="/x">more</a></p>`.repeat(count)}</main></body>`,
    );
    const start = cpuTime();
    expect(finish(keepMainContent(document, { url: "https://long.example/" })).kept).toBe(true);
    return cpuTime() - start;
  };
  time(2000);
  const small = Math.max(5, time(2000));
  // Ten times the page; forty times the time would still be far below the square.
  expect(time(20_000)).toBeLessThan(small * 40);
});

const many = 10_000;
const dialogs = [0, 1, 2].map((place) => `<div class="modal" id="d${place}"><p>One line</p><p>Another</p></div>`);
const links = [0, 1, 2].map((place) => `<ol><li><a href="#d${place}" data-sum="-1">A line</a></li></ol>`).join("");
const texts = "<p>Line</p><p data-sum='-1'>Another line</p>".repeat(many);

test.each([
  ["one very long list of classes around many texts", "product", `<div class="${"x".repeat(500_000)}">${texts}</div>`],
  ["many lists in one aside", "service", `<aside>${links.repeat(many / 3)}</aside>${dialogs.join("")}`],
  [
    "many empty tables of contents below a text",
    "forum",
    `<div><div>${"<p>Line</p>".repeat(many * 2)}</div>${'<div class="toc"></div>'.repeat(many * 8)}</div><p data-sum="-9">Line</p>`,
  ],
  [
    "many texts deep within parts for small screens",
    "listing",
    `${'<div class="hidden-xs">'.repeat(200)}${"<div>".repeat(200)}${texts}`,
  ],
] as const)("a page with %s takes no longer than others", (_, pageType, html) => {
  const time = (body: string): number => {
    const start = cpuTime();
    keptOf(pageType, `<body><main><h1>Lamp</h1>${paragraph("the lamp")}${body}${paragraph("the oil")}</main></body>`);
    return cpuTime() - start;
  };
  const plain = `<div><div>${texts}</div></div>`;
  time(plain);
  expect(time(html)).toBeLessThan(Math.max(50, time(plain)) * 4);
});

test("a very long address around many texts is read once", () => {
  const html = `<a href="${"x".repeat(4_000_000)}">${"<p>A line</p>".repeat(many)}</a>`;
  const table = buildPageTable(readHtml(html).document, () => 0);
  const sizes = new Float32Array(many).fill(2);
  const start = cpuTime();
  keepNotes(table, new Uint8Array(many).fill(1), sizes, "https://harbour.example/");
  expect(cpuTime() - start).toBeLessThan(100);
});

test("a page reads as before after a far larger one, whose memory is used again", () => {
  const links = `<nav>${'<a href="/x">Tickets</a>'.repeat(40)}</nav>`;
  const read = (paragraphs: number): string => {
    const { document } = readHtml(`<body>${links}<main>${`<p>${sentence}</p>`.repeat(paragraphs)}</main></body>`);
    finish(keepMainContent(document, { url: "https://ferry.example/" }));
    return writeHtml(document);
  };
  const sizes = [3, 30, 300, 3000];
  const before = sizes.map(read);
  read(20_000);
  expect(sizes.toReversed().map(read)).toEqual(before.toReversed());
  expect(before[1]).not.toContain("Tickets");
});

test("the same page gives the same tree every time", () => {
  const html = page(
    "Winter ferry",
    `<article><h1>Winter ferry</h1>${`<p>${sentence.repeat(2)}</p>`.repeat(6)}</article>`,
  );
  expect(keep(html, "https://harbour.example/news/winter-ferry").html).toBe(
    keep(html, "https://harbour.example/news/winter-ferry").html,
  );
});

test("a page of nothing but its header, navigation and footer has no main content", () => {
  const frame =
    '<nav><a href="/a">Kettles</a> <a href="/b">Cups</a></nav><footer><h2>About us</h2><p>A small firm.</p></footer>';
  expect(keep(`<header><a href="/">Home</a></header>${frame}`, "https://shop.example/").kept).toBe(false);
  const { kept, text } = keep("<article><header><h1>Kettles</h1></header></article>", "https://shop.example/");
  expect([kept, text.trim()]).toEqual([true, "Kettles"]);
});

test("a small page keeps its little content", () => {
  const { kept, text } = keep(
    "<html><head><title>Harbour office</title></head><body><div><h1>Harbour office</h1><p>The office is closed on public holidays.</p></div></body></html>",
    "https://harbour.example/",
  );
  expect(kept).toBe(true);
  expect(text).toContain("Harbour office");
  expect(text).toContain("closed on public holidays");
});

test.each([
  ["its title above a line", "<main><h1>Title</h1><p>Body text.</p></main>", "# Title\n\nBody text."],
  [
    "its only link",
    "<main><h1>Test</h1><p>Content.</p><a href='/x'>link</a></main>",
    "# Test\n\nContent.\n\n[link](/x)",
  ],
  ["the link to its next page", "<h1>Page 1</h1><p><a href='/2'>Next page</a></p>", "# Page 1\n\n[Next page](/2)"],
  [
    "and not what is named as an advertisement, a sidebar or a notice",
    "<main><h1>Title</h1><p>Body text.</p><div class='box ad'>Buy now!</div></main><div id='sidebar'>Beside it</div><div class='cookie'>We use cookies</div>",
    "# Title\n\nBody text.",
  ],
  [
    "and neither its menu nor the boxes beside the text",
    "<main><nav><a href='/'>Menu</a></nav><h1>Title</h1><p>Body text.</p><div class='share'><a href='/s'>Share</a></div></main>",
    "# Title\n\nBody text.",
  ],
])("a very small page keeps %s", async (_, body, expected) => {
  const frame = [
    '<header><a href="/">Logo</a></header><nav><a href="/a">A</a><a href="/b">B</a></nav>',
    "<aside>Side</aside><footer>Copyright 2026</footer>",
  ];
  const html = `<html><head><title>Page</title></head><body>${frame[0]}${body}${frame[1]}</body></html>`;
  const { url } = await site({ "/": html });
  const { data } = await engineFor({ browser: false }).scrape({ url });
  expect(data.markdown?.replaceAll(url, "")).toBe(expected);
});

test("a larger page loses what is named as an advertisement, unless it is the content", async () => {
  const paragraphs = `<p>${sentence}</p>`.repeat(8);
  const { url } = await site({
    "/beside": `<h1>Ferry</h1>${paragraphs}<div class="ads">Buy a boat now</div>`,
    "/within": `<div class="modal"><h1>Ferry</h1>${paragraphs}</div>`,
  });
  const scrape = async (path: string) =>
    (await engineFor({ browser: false }).scrape({ url: url + path })).data.markdown ?? "";
  expect(await scrape("/beside")).toContain(sentence.trim());
  expect(await scrape("/beside")).not.toContain("Buy a boat");
  expect(await scrape("/within")).toContain(sentence.trim());
});

test("small ads stay, although each is named as an advertisement", async () => {
  const ads = ["Rowing boat", "Storm lamp", "Old chart", "Fishing net", "Two oars"].map(
    (name) => `<div class="ad"><h3><a href="/${name}">${name}</a></h3><p>${sentence.repeat(2)}</p></div>`,
  );
  const { text } = keep(
    page("Small ads", `<main><h1>Small ads</h1><p>${sentence}</p>${ads.join("")}</main>`),
    "https://harbour.example/ads",
  );
  for (const name of ["Rowing boat", "Two oars"]) expect(text).toContain(name);
});

test("pages that are worked on in turns read as one after the other", () => {
  const parse = (paragraphs: number) =>
    readHtml(`<body><nav>${'<a href="/x">Tickets</a>'.repeat(40)}</nav><p>${sentence.repeat(paragraphs)}</p></body>`);
  const url = "https://ferry.example/";
  const alone = [9, 3].map((paragraphs) => {
    const { document } = parse(paragraphs);
    finish(keepMainContent(document, { url }));
    return writeHtml(document);
  });
  const pages = [parse(9), parse(3)];
  const steps = pages.map(({ document }) => keepMainContent(document, { url }));
  while (steps.map((one) => one.next().done).includes(false));
  expect(pages.map(({ document }) => writeHtml(document))).toEqual(alone);
});
