import { describe, expect, test } from "vitest";
import { FRAME_TEXTS, found, page } from "./main-content-frame.ts";
import { scrapedKind, scrapedWhole } from "./scraped.ts";
import { transformHtml } from "./transform-input.ts";

const NOTES = [
  "The harbour office lends one.",
  "Before 1931 it was kept by the widow of the last keeper.",
  "See the list on the door.",
];

/** How a generator writes the mark of a note, and the notes at the end of the page. */
interface Generator {
  readonly mark: (number: number) => string;
  readonly notes: string;
}

const notes = (one: (number: number, text: string) => string): string =>
  NOTES.map((text, index) => one(index + 1, text)).join("\n");

const generators: Record<string, Generator> = {
  "GitHub and Docusaurus": {
    mark: (number) =>
      `<sup><a href="#user-content-fn-${number}" id="user-content-fnref-${number}" data-footnote-ref="true" aria-describedby="footnote-label">${number}</a></sup>`,
    notes: `<section data-footnotes="true" class="footnotes"><h2 class="anchor sr-only" id="footnote-label">Footnotes</h2>
<ol>${notes((number, text) => `<li id="user-content-fn-${number}"><p>${text} <a href="#user-content-fnref-${number}" data-footnote-backref="" aria-label="Back to reference ${number}" class="data-footnote-backref">↩</a></p></li>`)}</ol></section>`,
  },
  "mkdocs with Python-Markdown": {
    mark: (number) => `<sup id="fnref:${number}"><a class="footnote-ref" href="#fn:${number}">${number}</a></sup>`,
    notes: `<div class="footnote"><hr><ol>${notes((number, text) => `<li id="fn:${number}"><p>${text}&#160;<a class="footnote-backref" href="#fnref:${number}" title="Jump back to footnote ${number} in the text">&#8617;</a></p></li>`)}</ol></div>`,
  },
  pandoc: {
    mark: (number) =>
      `<a href="#fn${number}" class="footnote-ref" id="fnref${number}" role="doc-noteref"><sup>${number}</sup></a>`,
    notes: `<section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr><ol>${notes((number, text) => `<li id="fn${number}"><p>${text}<a href="#fnref${number}" class="footnote-back" role="doc-backlink">↩︎</a></p></li>`)}</ol></section>`,
  },
  asciidoctor: {
    mark: (number) =>
      `<sup class="footnote">[<a id="_footnoteref_${number}" class="footnote" href="#_footnotedef_${number}" title="View footnote.">${number}</a>]</sup>`,
    notes: `<div id="footnotes"><hr>${notes((number, text) => `<div class="footnote" id="_footnotedef_${number}"><a href="#_footnoteref_${number}">${number}</a>. ${text}</div>`)}</div>`,
  },
  Sphinx: {
    mark: (number) => `<a class="footnote-reference brackets" href="#id${number}" id="ref${number}">${number}</a>`,
    notes: `<p class="rubric">Footnotes</p><dl class="footnote brackets">${notes((number, text) => `<dt class="label" id="id${number}"><span class="brackets"><a class="fn-backref" href="#ref${number}">${number}</a></span></dt><dd><p>${text}</p></dd>`)}</dl>`,
  },
  "Sphinx since 2022": {
    mark: (number) =>
      `<a class="footnote-reference brackets" href="#id${number}" id="ref${number}" role="doc-noteref"><span class="fn-bracket">[</span>${number}<span class="fn-bracket">]</span></a>`,
    notes: `<aside class="footnote-list brackets">${notes((number, text) => `<aside class="footnote brackets" id="id${number}" role="note"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#ref${number}">${number}</a><span class="fn-bracket">]</span></span><p>${text}</p></aside>`)}</aside>`,
  },
  Texinfo: {
    mark: (number) => `<a id="DOCF${number}" href="#FOOT${number}"><sup>${number}</sup></a>`,
    notes: `<div class="footnotes-segment"><hr><h4 class="footnotes-heading">Footnotes</h4>
${notes((number, text) => `<h5 class="footnote-body-heading"><a id="FOOT${number}" href="#DOCF${number}">(${number})</a></h5>\n<p>${text}</p>`)}</div>`,
  },
  DocBook: {
    mark: (number) =>
      `<a href="#ftn.lamp${number}" class="footnote" id="lamp${number}"><sup class="footnote">[${number}]</sup></a>`,
    notes: `<div class="footnotes"><br><hr style="width:100; text-align:left;margin-left: 0">${notes((number, text) => `<div id="ftn.lamp${number}" class="footnote"><p><a href="#lamp${number}" class="para"><sup class="para">[${number}] </sup></a>${text}</p></div>`)}</div>`,
  },
};

const chapter = ({ mark, notes }: Generator): string =>
  page(
    "Keeping the lamp",
    `<div class="layout"><main><article><h1>Keeping the lamp</h1>
<p>A lamp on the mole is lit an hour before the sun goes down and burns until the first ferry has left. Whoever lights it needs a ladder.${mark(1)} The time is written into the book beside the door, in ink, and nothing is ever struck out there.</p>
<p>The book has seven columns. The first is the number of the lamp, the second the hour, and the others say who lit it, with what oil, and what the weather was. The oldest one that is left begins with a storm.${mark(2)}</p>
<h2>In fog</h2>
<p>In fog the lamps burn all day. The keeper then fills them twice, once at noon and once before the evening, and never while a ship passes the head of the mole. Ships of the harbour are known by their bells.${mark(3)}</p>
${notes}</article></main></div>`,
  );

describe("footnotes that the main content refers to are kept, at whatever end of the page they stand", () => {
  test.each(Object.entries(generators))("%s", async (_, generator) => {
    const { markdown = "" } = await transformHtml(chapter(generator), { onlyMainContent: true });
    NOTES.forEach((text, index) => {
      expect(markdown).toMatch(new RegExp(`\\S\\[\\^${index + 1}\\]`));
      expect(markdown).toContain(`[^${index + 1}]: ${text}`);
    });
    expect(found(markdown, FRAME_TEXTS)).toEqual([]);
  });
});

test("notes to what is not kept, and long texts that a mark leads to, are no part of the main content", async () => {
  const { mark } = generators["pandoc"]!;
  const terms = `Orders are shipped when the lamp is lit, and never in fog. ${"Returned lamps are wiped and sold once more. ".repeat(60)}`;
  const html = chapter({ mark, notes: `<p><a id="fn1"></a>One note.</p>` }).replace(
    /<footer class="site-footer">/,
    `<footer class="site-footer"><p>Prices without oil.<sup><a href="#fn7">7</a></sup></p><div id="fn2">${terms}</div><div id="fn7">Oil is sold by weight.</div>`,
  );
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toContain("One note.");
  expect(found(markdown, [...FRAME_TEXTS, "Returned lamps", "Oil is sold"])).toEqual([]);
});

test("the note of a law is found by a mark in brackets, which a class raises", async () => {
  const markdown = await scrapedKind("eu-law", "/legal-content/EN/TXT/HTML/");
  expect(markdown).toContain("one harbour for another [^1].");
  expect(markdown).toContain("[^1]: OJ C 10, 3.1.2025, p. 4.");
});

test("a note whose first paragraph is named is the whole item, without the number of the list", async () => {
  const html = `<p>The beds were never dredged<sup><a href="#ref-1">1</a></sup>, nor were the gates<sup><a href="#ref-2">2</a></sup>.</p>
    <ol><li><p id="ref-1">Smith, Canals (2010).</p><p><a href="https://doi.example/1">Article</a></p></li><li>
    <p id="ref-2">Jones, Gates (2012).</p></li></ol>`;
  expect(await scrapedWhole(html)).toBe(
    "The beds were never dredged[^1], nor were the gates[^2].\n\n[^1]: Smith, Canals (2010).\n\n    [Article](https://doi.example/1)\n\n[^2]: Jones, Gates (2012).",
  );
});
