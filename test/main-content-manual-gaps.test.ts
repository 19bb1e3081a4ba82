import { expect, test } from "vitest";
import { readHtml } from "../src/transform/html/read-html.ts";
import { blockLine } from "../src/transform/main-content/block-text.ts";
import { dropFarLinks } from "../src/transform/main-content/drop-far-links.ts";
import { fillManual } from "../src/transform/main-content/fill-manual.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";

/**
 * The texts that are kept if the model is sure of those that end in a full stop, and of headings, and gives all others
 * a chance.
 */
function fill(html: string, chance: number): string[] {
  const table = buildPageTable(readHtml(html).document, () => 0);
  const texts = Array.from(table.blockElement, (_, block) => blockLine(table, block));
  const keep = Uint8Array.from(texts, (text, block) => {
    return text.endsWith(".") || (table.headingRanks[block]! > 0 && text !== "Functions") ? 1 : 0;
  });
  fillManual(
    table,
    keep,
    Float32Array.from(keep, (kept) => (kept === 1 ? 0.9 : chance)),
  );
  return texts.filter((_, block) => keep[block] === 1);
}

const setting = `<div class="section"><h3>LAMP_ANGLE</h3><p>Default: <code>'0'</code></p><p>The angle of the lamp.</p>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>A lamp that is turned down is not seen.</p></div>
<div class="versionchanged"><span>Changed in Harbour 3.1:</span><p>Before, it was read once a day.</p></div></div>`;

test("labels of notes, and what a setting is by default, stay between the texts of a manual", () => {
  expect(fill(`<h1>Settings</h1><p>All settings.</p>${setting}<p>The end.</p>`, 0.1)).toEqual([
    "Settings",
    "All settings.",
    "LAMP_ANGLE",
    "Default: '0'",
    "The angle of the lamp.",
    "Warning",
    "A lamp that is turned down is not seen.",
    "Changed in Harbour 3.1:",
    "Before, it was read once a day.",
    "The end.",
  ]);
});

test("what is certainly no text of a manual, or leads elsewhere, does not stay because of what is around it", () => {
  expect(fill(setting, 0.02)).not.toContain("Warning");
  const beside = [
    "<nav><p>Chapters of this manual</p></nav>",
    '<div class="breadcrumbs"><p>Harbour, lamps, angle</p></div>',
    "<p><a href='/next'>Colour of the lamp</a></p>",
    "<form><p>Was this helpful</p></form>",
    '<ul class="toc"><li>Lamps</li></ul>',
  ];
  const html = `<h1>Lamps</h1><p>Lamps burn.</p>${beside.join("<p>They are counted.</p>")}<p>The end.</p>`;
  expect(fill(html, 0.4).filter((text) => !/\.$|^Lamps$/.test(text))).toEqual([]);
});

test("a table of a manual's functions stays with its heading, although most of it are links", () => {
  const row = (name: string): string => `<tr><td>void</td><td><a href="#${name}">lamp_${name}</a></td></tr>`;
  const rows = Array.from({ length: 30 }, (_, index) => row(`turn${index}`)).join("");
  const html = (table: string): string =>
    `<h2>Lamps</h2><p>Lighting lamps.</p><div><h2>Functions</h2><div>${table}</div></div><div><h2>Description</h2><p>Lamps burn.</p></div>`;
  const kept = fill(html(`<table>${rows}</table>`), 0.15);
  expect(kept).toContain("Functions");
  expect(kept.filter((text) => text.startsWith("lamp_"))).toHaveLength(30);
  expect(fill(html(`<table class="navigation">${rows}</table>`), 0.15)).not.toContain("void");
  expect(fill(html(`<table>${rows}</table>`), 0.04)).not.toContain("Functions");
});

test("a menu of which some texts are kept is not completed, but text beside a menu is", () => {
  const entries = Array.from(
    { length: 8 },
    (_, at) => `<table><tr><td><a href="/${at}">lamp${at}</a></td><td>(${at})</td></tr></table>`,
  );
  const menu = (name: string): string => `<div class="${name}"><p>Lights.</p>${entries.join("")}<p>Others.</p></div>`;
  const html = (part: string): string => `<h1>Lamps</h1>${part}<p>Lamps burn.</p>`;
  expect(fill(html(menu("t-navbar")), 0.4)).toEqual(["Lamps", "Lights.", "Others.", "Lamps burn."]);
  expect(fill(html(menu("toc")), 0.4)).toEqual(["Lamps", "Lights.", "Others.", "Lamps burn."]);
  expect(fill(`<div class="nav-content">${html(menu("contents"))}</div>`, 0.4)).toContain("lamp3");
});

test("a menu in a table that arranges the page is no table of facts", () => {
  const menu = Array.from({ length: 8 }, (_, at) => `<a href="/${at}">lamp${at}</a><br>`).join("");
  const html = `<h1>Lamps</h1><table><tr><td>${menu}</td><td><p>Lamps burn.</p></td></tr></table>`;
  expect(fill(html, 0.4)).toEqual(["Lamps", "Lamps burn."]);
});

test("the functions of a manual, most of which are links, are not taken for links apart from the text", () => {
  const rows = Array.from(
    { length: 9 },
    (_, at) => `<tr><td><a href="types.html">int</a></td><td><a href="lamps.html#${at}">turn${at}</a></td></tr>`,
  );
  const text = "<p>Lamps are what a harbour is seen by at night, and they are turned by the functions.</p>".repeat(30);
  const html = `<h1>Lamps</h1><p>Lamps burn.</p><div><h2>Functions</h2><table>${rows.join("")}</table></div><div>${text}</div>`;
  const table = buildPageTable(readHtml(html).document, () => 0);
  const texts = Array.from(table.blockElement, (_, block) => blockLine(table, block));
  const keep = Uint8Array.from(texts, (text) => (text.endsWith(".") || text === "Lamps" ? 1 : 0));
  const facts = fillManual(table, keep, new Float32Array(keep.length).fill(0.4));
  const sizes = Float32Array.from(texts, (text) => text.split(" ").length);
  dropFarLinks(table, keep, sizes, facts);
  expect(texts.filter((_, block) => keep[block] === 0)).toEqual([]);
});
