// Parses an HTML page into the one tree that everything else works on.

import type { Document, Element } from "domhandler";
import { finish, type Steps } from "../../shared/turn.ts";
import { readTags } from "./tokens.ts";
import { TreeBuilder } from "./tree-builder.ts";

/** Elements that are listed while the tree is built, so that links and metadata need no walk of their own. */
const listed = ["html", "base", "title", "meta", "link", "a", "area", "frame", "template", "foreignobject"] as const;

/** A parsed page. */
export interface HtmlPage {
  /**
   * The tree, of `domhandler` nodes as cheerio and css-select use them. Unless it is empty, it has `html` and `body`.
   */
  readonly document: Document;
  /** All elements of one of the listed names, in document order, as they were before anything was removed. */
  listed(name: (typeof listed)[number]): readonly Element[];
}

interface HtmlOptions {
  readonly xhtml?: boolean;
  readonly elements?: number;
}

/**
 * Parses a page. What is not HTML becomes text. Linear in time; the tree is at most some 500 levels deep.
 *
 * @param html the decoded text of the page
 * @param options `xhtml`: the page is XML, where `<div/>` is an empty element; `elements`: the most elements
 * @throws TakesLong if there are more elements
 */
export function readHtml(html: string, options: HtmlOptions = {}): HtmlPage {
  return finish(readHtmlInSteps(html, options));
}

/**
 * {@link readHtml} in steps, between which other work gets its turn.
 *
 * @param html also in pieces, cut anywhere; each is a step
 */
export function* readHtmlInSteps(html: string | Iterable<string>, options: HtmlOptions = {}): Steps<HtmlPage> {
  const { xhtml = false, elements = Number.POSITIVE_INFINITY } = options;
  const builder = new TreeBuilder({ names: listed, selfClosing: xhtml, mostElements: elements });
  yield* readTags(typeof html === "string" ? cut(html) : html, builder);
  builder.end();
  return new ReadPage(builder);
}

/** Characters per piece, which take some tenths of a millisecond, or ten milliseconds while the code is cold. */
const charactersOfPiece = 16 * 1024;

function* cut(html: string): Generator<string> {
  for (let at = 0; at < html.length; at += charactersOfPiece) yield html.slice(at, at + charactersOfPiece);
}

/**
 * A class: V8 may take objects of a literal for long-lived, and the whole page with them (see "Time and memory" in
 * `docs/architecture.md`).
 */
class ReadPage implements HtmlPage {
  readonly document: Document;
  readonly #builder: TreeBuilder;

  constructor(builder: TreeBuilder) {
    this.document = builder.document;
    this.#builder = builder;
  }

  listed(name: (typeof listed)[number]): readonly Element[] {
    return this.#builder.listed(name);
  }
}
