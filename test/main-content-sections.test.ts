// What belongs to a heading stays with it, and what repeats it goes.
import { expect, it } from "vitest";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scrapedKind } from "./scraped.ts";

it("the signature between the name of a method and its description stays", async () => {
  const markdown = await scrapedKind("javadoc", "/api/org/heron/Ledger.html");
  expect(markdown).toMatch(/### add\n\n\s*public void add\(.*entry\) throws .*\n\n\s*Adds an entry at the end/);
  expect(markdown).not.toContain("All rights reserved");
});

it("a short section of an article is kept with its heading", async () => {
  const markdown = await scrapedKind("event", "/e/night-of-the-lamps");
  expect(markdown).toContain("## Date and time\n\nSaturday, April 4 · 8 - 11:30pm EEST");
  expect(markdown).not.toContain("Finland Events");
  expect(markdown).not.toContain("Knots for beginners");
});

it("a title that is there twice, once with a link for other pages, is written once", async () => {
  const markdown = await scrapedKind("shopify", "/products/wool-blanket");
  expect(markdown.match(/Wool blanket/g)).toHaveLength(1);
});

it("a single folded text keeps its label, though pages with one control mostly open menus by it", async () => {
  const markdown = await scrapedKind("go-package", "/example.org/osprey");
  expect(markdown).toContain("**Example**\n\n```\npackage main");
  expect(markdown).not.toContain("go.mod");
  expect(markdown).not.toContain("Share");
});

it("code at the end of a manual's page stays with its caption", async () => {
  const markdown = await scrapedKind("furo", "/en/stable/api/reader.html");
  expect(markdown).toMatch(/Listing 1 read\.py\n\n```python\nimport bittern\nbittern\.read\(\)\n```$/);
});

it("a link of a manual to another page keeps the name of that page above what it says of it", async () => {
  const markdown = await scrapedKind("gitbook", "/docs/getting-started/webhooks");
  expect(markdown).toContain("[**API reference**\\\nEvery endpoint.](/docs/api)");
  expect(markdown).not.toContain("Was this helpful");
});

it("the fields of a course stay together: a label and all of its values", async () => {
  const markdown = await scrapedKind("course", "/courses/geo-214");
  expect(markdown).toContain("# Rivers and Sediment\n\nCourse code: GEO 214\n\nCredits: 7.5 ECTS\n\n");
  expect(markdown).toContain(
    "Lecturers: [Dr Ina Kerr](/staff/kerr) [Prof. Sam Obi](/staff/obi)\n\nStarts: 7 September 2026",
  );
  expect(markdown).not.toContain("Glaciers");
});

it("the posts of a live blog keep their times", async () => {
  const markdown = await scrapedKind("live-blog", "/news/live/storm");
  expect(markdown).toContain("[17.42 GMT](/live?page=block-9)\n\n## Bridge closed to all traffic\n\nThe police");
  expect(markdown).toContain("[16.40 GMT](/live?page=block-8)\n\nA reader in Ludlow");
  for (const aside of ["22 Nov", "Facebook", "Tide tables"]) expect(markdown).not.toContain(aside);
});

it("what a job pays stays in its description, whose form goes", async () => {
  const markdown = await scrapedKind("job", "/meridian/jobs/4411");
  expect(markdown).toContain("The yearly salary is\n\n£34,000—£39,000 GBP\n\nWe read every application.");
  expect(markdown).not.toContain("Resume");
});

it("a heading that is a link stays above its text, though most of the page's text is elsewhere", async () => {
  const markdown = await scrapedKind("changelog", "/changelog");
  expect(markdown).toContain("## [Dark mode](/changelog/dark)\n\nIt follows your system.");
  expect(markdown).not.toContain("Older");
});

it("the last sections of a reference page stay with those before them, however little they say", () => {
  const section = (name: string, ...texts: readonly string[]): string =>
    `<section class="Sh"><h1 class="Sh" id="${name}"><a href="#${name}">${name}</a></h1>${texts.join("")}</section>`;
  const short = (text: string): string => `<p data-sum="-3">${text}</p>`;
  const last = (name: string, text: string): string => `<div data-sum="-3">${section(name, short(text))}</div>`;
  const full = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"].map((name) => section(name, paragraph(`the ${name}`)));
  const ends: readonly (readonly [name: string, text: string])[] = [
    ["NOTES", "The scale does not work in plain coordinates."],
    ["SEE ALSO", '<a href="/graph.html">d.graph</a>, <a href="/grid.html">d.grid</a>'],
    ["AUTHORS", "Unknown; rewritten by H. Bowman"],
  ];
  const page = (end: string): string[] =>
    keptOf("article", `<main><div class="manual-text">${full.join("")}${end}</div></main>`);
  const kept = page(
    ends.map(([name, text]) => section(name, short(text)).replace("<h1", '<h1 data-sum="-2"')).join(""),
  );
  for (const text of ["NOTES", ends[0]![1], "SEE ALSO", "d.graph, d.grid", "AUTHORS", ends[2]![1]])
    expect(kept).toContain(text);
  // What is beside the sections is none of them.
  expect(page(ends.map(([name, text]) => last(name, text)).join(""))).not.toContain("AUTHORS");
});

it("a list of links that is most of its page has no gaps, and one that is mostly left out stays so", () => {
  const chapters = ["Introduction", "Incorporated code", "How mail is received", "Building the server", "Options"];
  const sums = [-2, 3, 3, -2, 3];
  const items = chapters.map(
    (chapter, at) =>
      `<li data-sum="${sums[at]}"><a href="ch-${at}.html">${chapter}</a><ul>${sums.map((sum, place) => `<li data-sum="${sum}"><a href="ch-${at}.html#s${place}">${chapter}, part ${place}</a></li>`).join("")}</ul></li>`,
  );
  const page = (list: string, end = ""): string[] =>
    keptOf("listing", `<main><h1>Specification of the server</h1>${list}${end}</main>`);
  const entries = chapters.flatMap((chapter) => [chapter, ...sums.map((_, place) => `${chapter}, part ${place}`)]);
  expect(page(`<ul>${items.join("")}</ul>`).slice(1)).toEqual(entries);
  const text = ["mail", "queues", "names", "keys", "logs", "spools"].map(paragraph).join("");
  expect(page(`<ul>${items.join("")}</ul>`, text)).not.toContain("Introduction");
  expect(
    page(
      `<ul>${items
        .join("")
        .replaceAll(/"(?:3|-2)"/g, '"-5"')
        .replace('"-5"', '"3"')}</ul>`,
    ),
  ).not.toContain("Options");
});
