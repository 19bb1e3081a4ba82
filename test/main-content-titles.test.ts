// Given what the model says of each block, whether titles and headings are kept; and what asks readers to subscribe is not.
import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { decideBlocks } from "../src/transform/main-content/choose-blocks.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped } from "./scraped.ts";

const LIKELY = 4;
const TITLE = "How the lamp is cleaned";

interface Page {
  readonly type: PageType;
  /** What stands before the text, in HTML. */
  readonly top: string;
  /** Words of the text. */
  readonly words: number;
  readonly title?: string;
  readonly within?: string;
}

/** The texts kept of a page of many elements, of which only the paragraphs are likely. */
function kept({ type, top, words, title = `${TITLE} | Lights`, within = "" }: Page): string[] {
  const menu = "<i></i>".repeat(250);
  const { document } = readHtml(
    `<title>${title}</title><div>${menu}</div>${top}<p>What there is to say.</p>${within}<p>And the rest of it.</p>`,
  );
  const table = buildPageTable(document, () => 0);
  const blocks = Array.from(table.blockElement.keys());
  const nameOf = (block: number): string => table.elements[table.blockElement[block]!]!.name;
  const sums = Float32Array.from(blocks, (block) => (nameOf(block) === "p" ? LIKELY : -LIKELY));
  const sizes = Float32Array.from(blocks, (block) => (nameOf(block) === "p" ? words / 2 : 5));
  const keep = finish(decideBlocks(table, type, sums, sizes, undefined, title, totalElements(table)));
  return blocks.filter((block) => keep[block] === 1).map((block) => table.texts[table.firstText[block]!]!.data);
}

const heading = `<h1>${TITLE}</h1>`;

test("a title that is a heading of the first rank only by its role is kept like any other", async () => {
  const top = (level: number): string => `<div role="heading" aria-level="${level}">${TITLE}</div>`;
  expect(kept({ type: "service", top: top(1), words: 400 })[0]).toBe(TITLE);
  expect(kept({ type: "service", top: top(2), words: 400 })).not.toContain(TITLE);
  const sections = ["Before the storm", "During the storm", "After the storm", "In the winter"].map(
    (name) => `<section><h2>${name}</h2>${paragraph("the lamp")}${paragraph("the lens")}</section>`,
  );
  const markdown = await scraped(
    `<title>${TITLE} | Lights</title><nav><a href="/1">Lights</a><a href="/2">Keepers</a></nav><div class="pageTitle">${top(1)}<div class="persona">Megan Bowen</div></div><div class="canvas">${sections.join("")}</div>`,
  );
  expect(markdown).toMatch(new RegExp(`^# ${TITLE}\n`));
});

test("the title of a shop's, a list's or a service's page is kept", () => {
  for (const type of ["product", "collection", "listing", "service", "documentation"] as const) {
    expect(kept({ type, top: heading, words: 100 })).toContain(TITLE);
  }
});

const dated = `${heading}<div>24 November 2026</div>`;

test("that of a dated article or a thread is kept where the text is long beside it", () => {
  for (const type of ["article", "forum"] as const) {
    expect(kept({ type, top: dated, words: 1200 })).toContain(TITLE);
    expect(kept({ type, top: dated, words: 200 })).not.toContain(TITLE);
  }
});

test("that of a text without a date or an author is kept, because no newspaper or blog wrote it", () => {
  const article = (beside: string): string[] => kept({ type: "article", top: heading + beside, words: 200 });
  for (const beside of ["", "<div>Room 2026</div>", '<div class="update">Grain and water</div>']) {
    expect(article(beside)).toContain(TITLE);
  }
  for (const beside of [
    ...["2026-11-24 09:30", "Berlin, 24.11.2026", "Nov. 24, 2026", "2026年11月24日"].map((day) => `<div>${day}</div>`),
    '<div class="post-author">Ines</div>',
    '<meta name="author" content="Ines">',
    '<script type="application/ld+json">{"@type": "NewsArticle"}</script>',
    "<div><time>today</time></div>",
  ]) {
    expect(article(beside)).not.toContain(TITLE);
  }
});

test("of several headings of the first rank, the title is the one that the head begins with", () => {
  const top = `<h1>Lights</h1>${heading}`;
  expect(kept({ type: "article", top, words: 1200 }).slice(0, 1)).toEqual([TITLE]);
  expect(kept({ type: "article", top, words: 1200, title: "Lights - Letters from the shore" })).not.toContain("Lights");
});

test("if another such heading is the site's name, a title may be short, too", () => {
  const keptBeside = (name: string): string[] => {
    const top = `<h1>${name}</h1><h1>Clean lamps</h1>`;
    return kept({ type: "documentation", top, words: 200, title: "Clean lamps - The keeper's manual - Lights" });
  };
  expect(keptBeside("Lights")).toContain("Clean lamps");
  expect(keptBeside("Lights")).not.toContain("Lights");
  expect(keptBeside("Letters")).not.toContain("Clean lamps");
});

test("the name of the site is no title where it begins the head and the rest is the heading of the text", () => {
  const titled = (head: string) =>
    keptOf(
      "listing",
      `<title>${head}</title><header data-sum="-3"><h1><a href="/">The Harbour Lights Blog</a></h1></header><main><h1>Archives of the blog</h1>${paragraph("the winter")}</main>`,
    );
  expect(titled("The Harbour Lights Blog - Archives")[0]).toBe("Archives of the blog");
  expect(titled("The Harbour Lights Blog - Winter")[0]).toBe("The Harbour Lights Blog");
});

test("a title in several pieces is one", () => {
  const kept = keptOf(
    "product",
    `<title>Storm lantern - 5001 | Harbour Lights</title><h1 data-sum="-3">Storm lantern <label>5001</label></h1>${paragraph("the lantern")}`,
  );
  expect(kept[0]).toBe("Storm lantern");
});

test("a heading that says something else than the head is none", () => {
  expect(kept({ type: "product", top: "<h1>Spring sale of all lamps</h1>", words: 100 })).not.toContain(
    "Spring sale of all lamps",
  );
});

test("a box within a text that asks readers to subscribe is left out", () => {
  const box = (inner: string) => `<div class="subscription-widget"><p>Never miss a letter from us.</p>${inner}</div>`;
  const more = Array.from({ length: 8 }, (_, index) => `<p>Paragraph ${index}.</p>`).join("");
  const page = { type: "article", top: heading, words: 200 } as const;
  const asking = "Never miss a letter from us.";
  for (const field of ['<form><input type="email"></form>', '<input type="email"><button>Join</button>']) {
    expect(kept({ ...page, within: box(field) + more })).not.toContain(asking);
  }
  expect(kept({ ...page, within: box("") + more })).toContain(asking);
});

test("without a heading of the first rank, what a manual calls a title is kept where the head ends with it", () => {
  const top = `<div class="head"><div class="title">${TITLE}</div></div>`;
  expect(kept({ type: "article", top, words: 200, title: `libgrain: ${TITLE}` })).toContain(TITLE);
  expect(kept({ type: "article", top, words: 200, title: "libgrain: Another page" })).not.toContain(TITLE);
});

test("a heading goes where nothing is kept of what is below it, unless it is a question, a link or above a picture", () => {
  const below = "<div>How to reach us by post.</div>";
  const keptWith = (inner: string, type: PageType = "article"): string[] => {
    const { document } = readHtml(`<title>Grain</title><h1>Grain</h1><p>What there is to say.</p>${inner}`);
    const table = buildPageTable(document, () => 0);
    const texts = Array.from(table.blockElement.keys(), (block) => table.texts[table.firstText[block]!]!.data);
    const isBelow = (text: string): boolean => text.startsWith("How to");
    const sums = Float32Array.from(texts, (text) => (isBelow(text) ? -LIKELY : LIKELY));
    const keep = finish(
      decideBlocks(table, type, sums, new Float32Array(sums.length).fill(9), undefined, "Grain", totalElements(table)),
    );
    return texts.filter((_, block) => keep[block] === 1);
  };
  expect(keptWith(`<h2>Contact</h2>${below}`)).not.toContain("Contact");
  expect(keptWith(`<h2>Contact</h2><h3>Post</h3>${below}<h2>Notes</h2><p>See below.</p>`)).toEqual([
    ...["Grain", "What there is to say.", "Notes", "See below."],
  ]);
  expect(keptWith(`<h2>Contact</h2>${below}<h3>Telephone</h3><p>7411</p>`)).toContain("Contact");
  for (const heading of ["Who are we?", '<a href="/us">Contact</a>']) {
    expect(keptWith(`<h2>${heading}</h2>${below}`)).toHaveLength(3);
  }
  expect(keptWith(`<h2>Contact</h2><p><img src="/us.jpg"></p>${below}`)).toContain("Contact");
  expect(keptWith(`<h2>Contact</h2>${below}`, "service")).toContain("Contact");
});

test("where something is stays right below its name, if its element is named so and does not lead elsewhere", () => {
  const page = (place: string): string =>
    `<main><h1>Lamp keeper</h1><div data-sum="-2"><div>At the Society</div>${place}</div>${paragraph("the lamp")}</main>`;
  for (const names of [
    'class="location"',
    'class="job__location"',
    'itemprop="jobLocation"',
    'class="hp_address_line"',
  ]) {
    const kept = keptOf("article", page(`<div ${names}>Dover, Kent</div>`));
    expect(kept).toContain("Dover, Kent");
    expect(kept).not.toContain("At the Society");
  }
  const inPieces = page('<div class="venue">Dover, Kent</div>').replace(
    "Lamp keeper",
    "<div>Lamp</div><div>keeper</div>",
  );
  expect(keptOf("article", inPieces)).toContain("Dover, Kent");
  for (const other of [
    '<div class="relocation">Dover, Kent</div>',
    '<div class="location"><a href="/kent">Dover, Kent</a></div>',
    `<div class="location">${"Dover, Kent and ".repeat(8)}</div>`,
  ]) {
    expect(keptOf("article", page(other)).join(" ")).not.toContain("Dover");
  }
});
