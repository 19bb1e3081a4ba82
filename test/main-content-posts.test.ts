// Given what the model says of each block, which are kept: the posts of a thread stay together.
import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { decideBlocks } from "../src/transform/main-content/choose-blocks.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, paragraph } from "./main-content-given.ts";

const POSTS = 12;
const sentence = "I have oiled the hinge of the lamp twice this winter and it still turns as badly as it did before.";

/** The posts kept of a thread of which every third one is surely kept, beside `frame` words of something else. */
function keptPosts(pageType: PageType, otherSum: number, frame: number): number {
  const posts = Array.from(
    { length: POSTS },
    (_, post) =>
      `<div class="post"><div class="name">Keeper ${post}</div><div class="text">Post ${post}: ${sentence}</div></div>`,
  );
  const { document } = readHtml(
    `<title>Lamp</title><h1>Lamp</h1><section>${posts.join("")}</section><div class="frame">${"menu ".repeat(frame)}</div>`,
  );
  const table = buildPageTable(document, () => 0);
  const nameOf = (block: number): string => table.elements[table.blockElement[block]!]!.attribs["class"] ?? "";
  const blocks = Array.from(table.blockElement.keys());
  const texts = blocks.filter((block) => nameOf(block) === "text");
  const sums = new Float32Array(blocks.length).fill(-6);
  texts.forEach((block, post) => {
    sums[block] = post % 3 === 0 ? 4 : otherSum;
  });
  const sizes = Float32Array.from(blocks, (block) =>
    nameOf(block) === "text" ? 22 : nameOf(block) === "frame" ? frame : 2,
  );
  const keep = finish(decideBlocks(table, pageType, sums, sizes, undefined, "Lamp", totalElements(table)));
  return texts.filter((block) => keep[block] === 1).length;
}

test("where most of a thread's page stands at one place, it is its posts: all are kept", () => {
  expect(keptPosts("forum", -2.5, 20)).toBe(POSTS);
});

test("what is surely no post is left out even so", () => {
  expect(keptPosts("forum", -6, 20)).toBe(POSTS / 3);
});

test("beside much else, and on other pages, posts are judged by what they say", () => {
  expect(keptPosts("forum", -2.5, 900)).toBe(POSTS / 3);
  expect(keptPosts("article", -2.5, 20)).toBe(POSTS / 3);
});

test("what is clicked below posts goes, however often it was", () => {
  const post = (what: string, below: string): string =>
    `<div class="post">${paragraph(what)}<span>${below}</span></div>`;
  const kept = keptOf(
    "forum",
    `<section>${["Reply", "5 Likes", "Share · Report", "12 gates"].map((below, index) => post(`lamp ${index}`, below)).join("")}</section>`,
  ).join(" ");
  for (const gone of ["Reply", "Likes", "Report"]) expect(kept).not.toContain(gone);
  expect(kept).toContain("12 gates");
});

test("answers inside the posts that they answer are posts, whatever is around them; a list of boxes is not", () => {
  const answer = (depth: number, sum: number): string => `<div class="post"><div class="entry">
<div class="tools" data-sum="-6">link save report</div><form><div class="text" data-sum="${sum}">${paragraph(`lamp ${depth}`)}</div></form></div>
<div class="answers"><div class="list">${depth < 6 ? answer(depth + 1, -2.5) : ""}</div></div></div>`;
  const rules = `<ol data-sum="-6">${"<li>Menu of the lights</li>".repeat(300)}</ol>`;
  expect(keptOf("forum", `${rules}<section>${answer(0, 3)}${answer(0, 3)}</section>`)).toHaveLength(14);
  const flat = `<section>${`<div class="entry"><form><div class="text" data-sum="-2.5">${paragraph("it")}</div></form></div>`.repeat(14)}</section>`;
  expect(keptOf("forum", rules + paragraph("the lamp") + flat).length).toBeLessThan(14);
});

test("what stands in a post's text belongs to it, but not its author, a preview or a long log", () => {
  const log = `<pre>${"12:01 connection closed by peer ".repeat(90)}</pre>`;
  const post = (what: string, inside: string): string =>
    `<div class="post"><div class="meta" data-sum="-2">Keeper of ${what}</div><div class="body">${paragraph(what)}${inside}</div></div>`;
  const odd = [
    '<p data-sum="-2">Thanks!</p>',
    '<pre data-sum="-2">lamp --oil</pre>',
    '<aside data-sum="-2"><p>example.org: A page about oil</p></aside>',
    log.replace("<pre", '<pre data-sum="-2"'),
    '<p data-sum="-6">Report this post</p>',
  ];
  const kept = keptOf(
    "forum",
    `<section>${odd.map((inside, index) => post(`lamp ${index}`, inside)).join("")}</section>`,
  ).join(" ");
  expect(kept).toContain("Thanks!");
  expect(kept).toContain("lamp --oil");
  for (const left of ["Keeper of", "example.org", "12:01", "Report"]) expect(kept).not.toContain(left);
});

test("a table is judged by what its rows are completed to, but not one of links", () => {
  const keptRows = (cell: (text: string) => string): string[] => {
    const row = (time: string, volts: string, sum: number): string =>
      `<tr><td data-sum="-2">${cell(time)}</td><td data-sum="${sum}">${cell(volts)}</td></tr>`;
    const readings = row("10:00", "229", -2) + row("10:01", "187", 3) + row("10:02", "190", 3);
    const kept = keptOf("forum", `${paragraph("the voltage")}<table>${readings}</table>${paragraph("the breaker")}`);
    return kept.slice(1, -1);
  };
  expect(keptRows((text) => text)).toEqual(["10:00", "229", "10:01", "187", "10:02", "190"]);
  expect(keptRows((text) => `<a href="/${text}">${text}</a>`)).toEqual(["10:01", "187", "10:02", "190"]);
});
