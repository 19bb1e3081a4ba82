// The markdown of a page, read by an independent CommonMark parser, is the page again: same text, same structure.

import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { readHtml } from "../src/transform/html/read-html.ts";
import { toMarkdown } from "../src/transform/markdown/to-markdown.ts";
import { outlineOf } from "./markdown-outline.ts";

const render = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Everything that means something to markdown, in pieces that meet each other in every order. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("a", "kettle", "snake_case", "Straße", "中文", "。", "“x”", "5", "(b)", "c.", "é"),
  },
  { weight: 4, arbitrary: fc.constant(" ") },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ..."* ** *** _ __ ~ ~~ ` `` ``` [ ] ( ) ![ ]( ]: [x] [^1] # ## > - + -- --- === 1. 2) | \\ & &amp; &lt; &#35; < <b> </b> <!-- ! : = \" '".split(
        " ",
      ),
    ),
  },
);
const text = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(""))
  // `\(x\)` is a formula of MathJax, and stays one.
  .filter((value) => !/\\[([]/.test(value));

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3, depthIdentifier: "inline" },
    { weight: 5, arbitrary: text.map(escapeHtml) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("b", "i", "em", "strong", "del"), tie("inline"))
        .map(([name, inner]) => `<${name}>${inner}</${name}>`),
    },
    {
      weight: 1,
      arbitrary: text.filter((code) => !/\\\||\]:/.test(code)).map((code) => `<code>${escapeHtml(code)}</code>,`),
    },
    { weight: 1, arbitrary: fc.constant("<br>") },
    {
      weight: 1,
      arbitrary: text.map(
        // Between a picture and a word there is a space.
        (alt) => `,<img src="https://x.test/i(1).png" alt="${escapeHtml(alt.replace(/[\s\\]+/g, " ").trim())}">,`,
      ),
    },
    { weight: 2, arbitrary: fc.tuple(tie("inline"), tie("inline")).map(([one, other]) => one + other) },
  ),
}));
/** No link within a link, and none without text. */
const linked = fc
  .tuple(inline, fc.constantFrom("https://x.test/a_b", "https://x.test/(c", "https://x.test/?q=1&copy=2"))
  // Side by side, links and code spans are set apart by a space, and so may be a link behind another element.
  .map(([inner, href]) => `,<a href="${escapeHtml(href)}">${inner}</a>.`);
const phrase = fc
  .array(fc.oneof({ weight: 4, arbitrary: inline }, { weight: 1, arbitrary: linked }), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));

const code = fc
  .array(fc.oneof(text, fc.constantFrom("  indented", "\ttab", "")), { minLength: 1, maxLength: 4 })
  .map((lines) => `x\n${lines.map(escapeHtml).join("\n")}`);
const cell = phrase.map((content) => content);
const table = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 3 }))
  .chain(([columns, rows]) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows + 1, maxLength: rows + 1 }),
  )
  .map(([head, ...rows]) => {
    const row = (cells: string[], name: string) =>
      `<tr>${cells.map((content) => `<${name}>w ${content}</${name}>`).join("")}</tr>`;
    return `<table>${row(head!, "th")}${rows.map((cells) => row(cells, "td")).join("")}</table>`;
  });

const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: "block" },
    { weight: 5, arbitrary: phrase.map((content) => `<p>${content}</p>`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 6 }), phrase)
        .map(([level, content]) => `<h${level}>${content}</h${level}>`),
    },
    { weight: 1, arbitrary: code.map((content) => `<pre><code>${content}</code></pre>`) },
    { weight: 1, arbitrary: table },
    { weight: 1, arbitrary: fc.constant("<hr>") },
    {
      weight: 1,
      arbitrary: fc
        .array(tie("block"), { minLength: 1, maxLength: 3 })
        .map((blocks) => `<blockquote>${blocks.join("")}</blockquote>`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("ul", "ol", 'ol start="7"'),
          fc.array(fc.tuple(phrase, fc.array(tie("block"), { maxLength: 2 })), { minLength: 1, maxLength: 3 }),
        )
        .map(
          ([name, items]) =>
            `<${name}>${items.map(([content, blocks]) => `<li>w ${content}${blocks.join("")}</li>`).join("")}</${name.slice(0, 2)}>`,
        ),
    },
  ),
}));
const page = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join("\n"));

describe("markdown", () => {
  it("has the text and the structure of the page", () => {
    fc.assert(
      fc.property(page, (html) => {
        const { document } = readHtml(html);
        const markdown = toMarkdown(document);
        expect(outlineOf(readHtml(render(markdown)).document), markdown).toEqual(outlineOf(document));
      }),
      { numRuns: 1500, seed: 7 },
    );
  });
});
