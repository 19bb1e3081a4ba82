import { expect, test } from "vitest";
import { readHtml } from "../src/transform/html/read-html.ts";
import { blockLine } from "../src/transform/main-content/block-text.ts";
import { keepDeclarations } from "../src/transform/main-content/keep-declarations.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";

/** The texts that stay although nothing of the page was kept. */
function keptOf(html: string, title?: string, pageType: PageType = "listing"): string[] {
  const table = buildPageTable(readHtml(html).document, () => 0);
  const keep = new Uint8Array(table.blockElement.length);
  keepDeclarations(table, pageType, title, keep);
  return Array.from(keep, (kept, block) => (kept === 1 ? [blockLine(table, block)] : [])).flat();
}

const entry = (name: string, note = ""): string =>
  `<div class="top"><p class="src"><a id="${name}" class="def">${name}</a> :: <a href="/Rope">Rope</a></p>${note}</div>`;

test("what a manual declares stays, with what is said of it and with the name of the module", () => {
  const html = `<div id="menu"><ul><li><a href="/src">Source</a></li></ul></div><p class="caption">Deck.Rope</p>
    <ul><li class="src short"><a href="#coil">coil</a></li><li class="src short"><a href="#cut">cut</a></li></ul>
    ${entry("coil", "<div><p>Since: 2.0</p></div>")}${entry("cut")}<div id="footer"><p>Produced by a tool</p></div>`;
  expect(keptOf(html, "Deck.Rope")).toEqual(["Deck.Rope", "coil", "cut", "coil :: Rope", "Since: 2.0", "cut :: Rope"]);
});

test("an element that is the only one of its kind does not stay because of the declaration in it", () => {
  const members = `<ol><li><h4 class="signature">def coil</h4></li><li><h4 class="signature">def cut</h4></li></ol>`;
  const html = `<body><h4 id="signature" class="signature">class Rope</h4><p>Hide all</p>${members}</body>`;
  expect(keptOf(html)).toEqual(["class Rope", "def coil", "def cut"]);
});

test("nothing stays beside the text, where only one element is named so, or where the name means something else", () => {
  expect(keptOf(`<nav>${entry("coil")}${entry("cut")}</nav><div class="sidebar">${entry("bend")}</div>`)).toEqual([]);
  expect(keptOf(`<p>The only one:</p>${entry("coil")}`)).toEqual([]);
  const post = `<div><p>Yes.</p><div class="signature post-signature">Captain</div><span class="src">Gazette</span></div>`;
  expect(keptOf(post + post)).toEqual([]);
  expect(keptOf(entry("coil") + entry("cut"), undefined, "article")).toEqual([]);
});
