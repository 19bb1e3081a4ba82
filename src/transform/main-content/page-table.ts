/** Flattens a page into two tables, elements and blocks of text, in one pass over the tree. */
import { type ChildNode, type Document, type Element, isTag, isText, type ParentNode, type Text } from "domhandler";
import { finish, type Steps } from "../../shared/turn.ts";
import { emptyList } from "../empty-list.ts";
import { NameReader } from "./element-names.ts";
import type { Rate } from "./lexicon.ts";
import { isBlank, isFormula, isHidden, isNotice, isWord } from "./node-kinds.ts";
import { type NumberList, PageArrays } from "./page-arrays.ts";
import { BLOCK, DROPPED, MEDIA, rankOf, TAG_COUNT, tagId, tagKind } from "./tags.ts";
import { countText, HASHED_WORDS, STATISTIC, STATISTIC_COUNT, type WordHashes } from "./text-statistics.ts";

/** Bits of `flags` besides those of the tag: about the element itself, and about the elements around it. */
export const HIDDEN = 1 << 8;
export const IN_HIDDEN = 1 << 9;
export const IN_LINK = 1 << 10;
const IN_BOLD = 1 << 11;

/**
 * A page as tables. An element's index is its place in document order and its subtree is `[index, end[index])`.
 * A block is a run of text that no block-level border interrupts.
 */
export interface PageTable {
  readonly elements: Element[];
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly depth: Int32Array;
  readonly tag: Int32Array;
  readonly flags: Int32Array;
  /** Meanings and ratings of the element's own class, id and roles. */
  readonly meanings: Int32Array;
  readonly ratings: Float64Array;
  readonly shapes: Int32Array;
  readonly names: NameReader;
  /** Nodes that were not entered and are never content. */
  readonly dropped: ChildNode[];
  readonly scripts: Element[];
  /** For each block: the nearest block-level element around it, and the parent of its first text. */
  readonly blockElement: Int32Array;
  readonly blockLeaf: Int32Array;
  /** For each block: 1 to 6 if it is a heading, or the content of one; otherwise 0. */
  readonly headingRanks: Int32Array;
  /** The text nodes of block b are `texts[firstText[b]] … texts[firstText[b + 1] - 1]`. */
  readonly firstText: Int32Array;
  readonly texts: Text[];
  readonly textParent: Int32Array;
  readonly statistics: Float32Array;
  /** The hashes of the first words of block b start at `b * HASHED_WORDS`. */
  readonly wordHashes: Int32Array;
  readonly hashCount: Int32Array;
  /** Elements that show something without text, and for each the number of texts before it. */
  readonly media: Int32Array;
  readonly mediaText: Int32Array;
  /** Supplies the arrays for the table and for further work on the page. */
  readonly arrays: PageArrays;
}

const BREAK = tagId("br");
const LINK = tagId("a");
const INLINE = { id: 0, flags: 0 };
const NOSCRIPT = tagId("noscript");
const HEAD = tagId("head");
/** By the number of a tag: 1 if its text is bold. */
const BOLD = new Uint8Array(TAG_COUNT);
for (const name of ["b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"]) BOLD[tagId(name)] = 1;

export function buildPageTable(document: Document, rate: Rate, arrays = new PageArrays()): PageTable {
  return finish(pageTableInSteps(document, rate, arrays));
}

/** {@link buildPageTable} in steps, between which other work gets its turn. */
export function pageTableInSteps(document: Document, rate: Rate, arrays: PageArrays): Steps<PageTable> {
  return new TableBuilder(rate, arrays).build(document);
}

/** Some tenths of a millisecond of work, or many times that if the code is cold. */
const nodesOfStep = 256;

class TableBuilder {
  readonly #elements: Element[] = emptyList();
  readonly #parent: NumberList<Int32Array>;
  readonly #end: NumberList<Int32Array>;
  readonly #depth: NumberList<Int32Array>;
  readonly #tag: NumberList<Int32Array>;
  readonly #flags: NumberList<Int32Array>;
  readonly #meanings: NumberList<Int32Array>;
  readonly #ratings: NumberList<Float64Array>;
  readonly #shapes: NumberList<Int32Array>;
  readonly #names: NameReader;
  readonly #dropped: ChildNode[] = emptyList();
  readonly #scripts: Element[] = emptyList();
  readonly #blockElement: NumberList<Int32Array>;
  readonly #blockLeaf: NumberList<Int32Array>;
  readonly #headingRanks: NumberList<Int32Array>;
  readonly #firstText: NumberList<Int32Array>;
  readonly #texts: Text[] = emptyList();
  readonly #textParent: NumberList<Int32Array>;
  readonly #hashCount: NumberList<Int32Array>;
  readonly #media: NumberList<Int32Array>;
  readonly #mediaText: NumberList<Int32Array>;
  readonly #arrays: PageArrays;
  #statistics: Float32Array;
  #wordHashes: Int32Array;
  readonly #words: WordHashes;
  /** The open block; -1 if the next text begins a new one. */
  #block = -1;
  /** How many `br` have come since the last text. */
  #breaks = 0;

  constructor(rate: Rate, arrays: PageArrays) {
    this.#names = new NameReader(rate);
    this.#arrays = arrays;
    this.#parent = arrays.integerList();
    this.#end = arrays.integerList();
    this.#depth = arrays.integerList();
    this.#tag = arrays.integerList();
    this.#flags = arrays.integerList();
    this.#meanings = arrays.integerList();
    this.#ratings = arrays.doubleList();
    this.#shapes = arrays.integerList();
    this.#blockElement = arrays.integerList();
    this.#blockLeaf = arrays.integerList();
    this.#headingRanks = arrays.integerList();
    this.#firstText = arrays.integerList();
    this.#textParent = arrays.integerList();
    this.#hashCount = arrays.integerList();
    this.#media = arrays.integerList();
    this.#mediaText = arrays.integerList();
    this.#statistics = arrays.floats(256 * STATISTIC_COUNT);
    this.#wordHashes = arrays.integers(256 * HASHED_WORDS);
    this.#words = { hashes: this.#wordHashes, next: 0, end: 0 };
  }

  *build(document: Document): Steps<PageTable> {
    const root: ParentNode = document;
    let nodes = 0;
    let node: ChildNode | null = document.children[0] ?? null;
    let element = -1;
    const container = this.#arrays.integerList();
    while (node !== null) {
      if (++nodes % nodesOfStep === 0) yield;
      let entered = false;
      if (isText(node)) {
        if (element >= 0) this.#text(node, element, container.values[element]!);
      } else if (isTag(node)) {
        const index = this.#open(node, element, container);
        if (index >= 0) {
          const { children } = node;
          // Not read beyond its end: V8 then throws the optimised code away.
          const first: ChildNode | undefined = children.length > 0 ? children[0] : undefined;
          if (first !== undefined) {
            element = index;
            node = first;
            entered = true;
          } else this.#close(index);
        }
      }
      if (entered) continue;
      while (node !== null && node.next === null) {
        const parent: ParentNode | null = node.parent;
        if (parent === null || parent === root) {
          node = null;
          break;
        }
        this.#close(element);
        element = this.#parent.values[element]!;
        node = parent as Element;
      }
      if (node !== null) node = node.next;
    }
    this.#closeBlock();
    this.#firstText.push(this.#texts.length);
    return {
      elements: this.#elements,
      parent: this.#parent.toArray(),
      end: this.#end.toArray(),
      depth: this.#depth.toArray(),
      tag: this.#tag.toArray(),
      flags: this.#flags.toArray(),
      meanings: this.#meanings.toArray(),
      ratings: this.#ratings.toArray(),
      shapes: this.#shapes.toArray(),
      names: this.#names,
      dropped: this.#dropped,
      scripts: this.#scripts,
      blockElement: this.#blockElement.toArray(),
      blockLeaf: this.#blockLeaf.toArray(),
      headingRanks: this.#headingRanks.toArray(),
      firstText: this.#firstText.toArray(),
      texts: this.#texts,
      textParent: this.#textParent.toArray(),
      statistics: this.#statistics,
      wordHashes: this.#wordHashes,
      hashCount: this.#hashCount.toArray(),
      media: this.#media.toArray(),
      mediaText: this.#mediaText.toArray(),
      arrays: this.#arrays,
    };
  }

  /** Enters an element; -1 if it is to be skipped. */
  #open(node: Element, parent: number, container: NumberList<Int32Array>): number {
    const named = tagKind(node.name);
    const isCustom = named.id === 0 && named.flags === BLOCK;
    const kind = isFormula(node) || (isCustom && isWord(node)) ? INLINE : named;
    if ((kind.flags & DROPPED) !== 0 && node.attribs["shadowrootmode"] === undefined) {
      if (node.name === "script") this.#scripts.push(node);
      this.#dropped.push(node);
      return -1;
    }
    if (kind.id === NOSCRIPT && isNotice(node)) return -1;
    const index = this.#elements.length;
    const inherited = parent >= 0 ? this.#flags.values[parent]! & (IN_HIDDEN | IN_LINK | IN_BOLD) : 0;
    let flags = kind.flags | inherited;
    this.#names.read(node, kind.id);
    if (this.#names.mayBeHidden && isHidden(node)) flags |= HIDDEN | IN_HIDDEN;
    if (kind.id === LINK && node.attribs["href"] !== undefined) flags |= IN_LINK;
    if (BOLD[kind.id] === 1) flags |= IN_BOLD;
    this.#elements.push(node);
    this.#parent.push(parent);
    this.#end.push(index + 1);
    this.#depth.push(parent >= 0 ? this.#depth.values[parent]! + 1 : 0);
    this.#tag.push(kind.id);
    this.#flags.push(flags);
    this.#meanings.push(this.#names.meanings);
    this.#ratings.push(this.#names.rating);
    this.#shapes.push(this.#names.shape);
    const block = (kind.flags & BLOCK) !== 0;
    container.push(block || parent < 0 ? index : container.values[parent]!);
    if (block) this.#closeBlock();
    else if (kind.id === BREAK && ++this.#breaks >= 2) this.#closeBlock();
    if ((kind.flags & MEDIA) !== 0) {
      this.#media.push(index);
      this.#mediaText.push(this.#texts.length);
    }
    return index;
  }

  #close(index: number): void {
    this.#end.values[index] = this.#elements.length;
    if ((this.#flags.values[index]! & BLOCK) !== 0) this.#closeBlock();
  }

  #closeBlock(): void {
    if (this.#block >= 0) this.#hashCount.values[this.#block] = this.#words.next - this.#block * HASHED_WORDS;
    this.#block = -1;
    this.#breaks = 0;
  }

  #text(node: Text, parent: number, container: number): void {
    const text = node.data;
    if (isBlank(text) || this.#tag.values[parent] === HEAD) return;
    if (this.#block < 0) this.#openBlock(parent, container);
    this.#breaks = 0;
    this.#texts.push(node);
    this.#textParent.push(parent);
    const row = this.#block * STATISTIC_COUNT;
    const words = countText(text, this.#statistics, row, this.#words);
    const flags = this.#flags.values[parent]!;
    if ((flags & IN_LINK) !== 0) this.#statistics[row + STATISTIC.linkWords]! += words;
    if ((flags & IN_BOLD) !== 0) this.#statistics[row + STATISTIC.boldWords]! += words;
  }

  #openBlock(parent: number, container: number): void {
    const block = this.#blockElement.length;
    this.#block = block;
    if ((block + 1) * STATISTIC_COUNT > this.#statistics.length) {
      this.#statistics = grown(this.#statistics, this.#arrays.floats(this.#statistics.length * 2));
      this.#wordHashes = grown(this.#wordHashes, this.#arrays.integers(this.#wordHashes.length * 2));
    }
    this.#blockElement.push(container);
    this.#blockLeaf.push(parent);
    const around = this.#parent.values[container]!;
    const rank = rankOf(this.#tag.values[container]!);
    this.#headingRanks.push(rank === 0 && around >= 0 ? rankOf(this.#tag.values[around]!) : rank);
    this.#firstText.push(this.#texts.length);
    this.#hashCount.push(0);
    this.#words.hashes = this.#wordHashes;
    this.#words.next = block * HASHED_WORDS;
    this.#words.end = this.#words.next + HASHED_WORDS;
  }
}

function grown<Numbers extends Float32Array | Int32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from as never);
  return to;
}
