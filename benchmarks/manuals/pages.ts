/** Reads the pages of manuals, with the words of what their generator marks as the content. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Cheerio, load } from "cheerio";
import type { Element } from "domhandler";
import { decodeBody } from "../../src/transform/charset/decode.ts";
import type { Manual } from "./generators.ts";

export interface ManualPage {
  readonly url: string;
  readonly html: string;
  readonly words: readonly string[];
}

/** In bytes. */
const smallest = 2_000;
const largest = 400_000;
const fewestWords = 25;
const inline = new Set(
  "a abbr acronym b bdi big cite code em font i ins kbd mark q s samp small span strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** At most so many pages of a manual; fewer, or none, if the packages are not installed. */
export function readPages(manual: Manual, root: string, most: number): ManualPage[] {
  const pages: ManualPage[] = [];
  for (const file of filesOf(manual, root)) {
    if (pages.length === most) break;
    const { size } = statSync(file);
    if (size < smallest || size > largest) continue;
    const html = decodeBody(readFileSync(file), "text/html");
    const words = contentOf(html, manual);
    if (words !== undefined)
      pages.push({ url: `https://${manual.generator}.example${file.slice(root.length)}`, html, words });
  }
  return pages;
}

/** In an order that has nothing to do with the names of the pages. */
function filesOf({ folders }: Manual, root: string): string[] {
  const files = folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((file) => /\.x?html?$/.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile());
  const key = (file: string): string => createHash("sha256").update(file).digest("hex");
  return [...new Set(files.map((file) => realpathSync(file)))].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Undefined for a page with hardly any content, and for a table of contents, of which that is uncertain. */
function contentOf(html: string, { main, without }: Manual): string[] | undefined {
  const $ = load(html);
  const found = $<Element, string>(main);
  const content = found.filter((_, element) => $(element).parents().filter(found).length === 0);
  const all = wordsOf(content.text()).length;
  if (without !== undefined) $(without).remove();
  content.find("script, style, noscript, template, svg, select").remove();
  content.find("*").each((_, element) => {
    if (!inline.has(element.name)) $(element).prepend("\n").append("\n");
  });
  const words = content.toArray().flatMap((element) => wordsOf($(element).text()));
  return words.length < fewestWords || words.length < all / 2 || words.length < linkedWords(content) * 4
    ? undefined
    : words;

  /** Of items and cells that are nothing but a link. */
  function linkedWords(elements: Cheerio<Element>): number {
    const items = elements
      .find("li, dt, td")
      .toArray()
      .map((item) => [$(item).text(), $(item).find("a").text()]);
    return items.reduce((sum, [text = "", linked = ""]) => {
      const words = wordsOf(text).length;
      return words === wordsOf(linked).length ? sum + words : sum;
    }, 0);
  }
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
