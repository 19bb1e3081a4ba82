/** What a page says a second time elsewhere is left out; what is said of each of several things is not. */
import { expect, test } from "vitest";
import { keep, page } from "./main-content-frame.ts";

const paragraphs = [
  "The lighthouse at Tarn Point was built in 1822 of granite from the island opposite, and was the first of the coast to burn gas.",
  "Its lamp was lit by a keeper and two assistants until the station became automatic, and visitors have lived in their houses since.",
  "A storm took the first tower after nine winters; the second was set on the rock itself, twenty metres above the water of the sound.",
  "In fog a horn sounds twice a minute, as the boats of the northern villages had asked for in a letter that the museum keeps.",
  "The council repaired the stairs in spring, and the tower may be climbed by ten people at a time from May until the end of September.",
];
const count = (text: string, part: string): number => text.split(part).length - 1;
const article = (after: string) =>
  page(
    "The light of Tarn Point",
    `<main><article><h1>The light of Tarn Point</h1><div class="article-body">${paragraphs.map((text) => `<p>${text}</p>`).join("")}${after}</div></article></main>`,
  );

test("a paragraph that is repeated for small screens is kept once", () => {
  const again = `<section class="mobile-text"><div class="inner"><p>${paragraphs[1]}</p><p>${paragraphs[2]}</p></div></section>`;
  const { text } = keep(article(again), "https://lights.example/news/tarn-point");
  for (const paragraph of paragraphs) expect(count(text, paragraph)).toBe(1);
});

test("a quotation, a cell and a paragraph among its likes may say what another says", () => {
  const quoted = `<p>A visitor wrote to us about it:</p><blockquote><p>${paragraphs[3]}</p></blockquote>`;
  expect(count(keep(article(quoted), "https://lights.example/news/tarn-point").text, paragraphs[3]!)).toBe(2);
  const table = `<table><tr><th>Part</th><th>What is known</th></tr><tr><td>Horn</td><td>${paragraphs[3]}</td></tr><tr><td>Stairs</td><td>${paragraphs[4]}</td></tr></table>`;
  expect(count(keep(article(table), "https://lights.example/news/tarn-point").text, paragraphs[3]!)).toBe(2);
  expect(
    count(keep(article(`<p>${paragraphs[4]}</p>`), "https://lights.example/news/tarn-point").text, paragraphs[4]!),
  ).toBe(2);
});

test("a text alone in its part is kept once, though the same part is there again for other screens", () => {
  const again =
    "On the first Sunday of each month the keeper shows how the lamp was cleaned, and visitors may wind the clockwork.";
  const kept = (part: string): number =>
    count(keep(article(part), "https://lights.example/news/tarn-point").text, again);
  const parts = ["desktop", "mobile", "print"].map((screen) => `<div class="copy on-${screen}"><p>${again}</p></div>`);
  expect(kept(parts.join(""))).toBe(1);
  expect(kept(`<ul>${`<li><p>${again}</p></li>`.repeat(2)}</ul>`)).toBe(2);
});
