// From the text of a page to its tags, texts and comments, in one pass, by the rules of the HTML standard.
//
// Own code, because a fifth of a page's time was spent in a library's calls for each tag, attribute and piece of text:
// nothing is copied here that is not handed on, and the places of the next `<`, quote or `&` are asked of the string.

import { decodeAttribute, decodeText } from "../../shared/html-references.ts";
import type { Steps } from "../../shared/turn.ts";
import { emptyList } from "../empty-list.ts";
import { ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_VALUE, IS_SPACE, is, isLetter } from "./characters.ts";
import { nameAt } from "./names.ts";
import { endOfContent, type TextReading, textReadings } from "./text-elements.ts";

export type Attributes = Record<string, string>;

/** Receives the tags, texts and comments of a page. */
export interface TagHandler {
  startTag(name: string, attributes: Attributes, selfClosing: boolean): void;
  endTag(name: string): void;
  /** Text, with entities decoded where they have a meaning; in several parts if it is long. */
  text(data: string): void;
  comment(data: string): void;
  doctype(declaration: string): void;
  /** Whether `<![CDATA[` begins text here: in XML, drawings and formulas. Elsewhere it begins a comment. */
  knowsCdata(): boolean;
}

/** In XML, a document type may declare entities in brackets, which contain other declarations. */
const doctypeWithSubset = /!(doctype[^<>[]{0,1000})\[/iy;
const endOfSubset = /\]\s*>/g;

/** Characters per step at most, if much is there at once: what comes together with the end of a long comment. */
const charactersOfStep = 32 * 1024;
/** Near the end of what is there, what begins may still become something else: `<!-` a comment. */
const lookAhead = 16;
/** The same for a document type, which is longer. */
const lookAheadOfDoctype = 1100;

/**
 * Passes everything on the page to the handler, in order, in steps of about a piece of the page. Runs in linear time;
 * never fails.
 *
 * @param pieces the page, cut anywhere
 */
export function* readTags(pieces: Iterable<string>, handler: TagHandler): Steps<void> {
  const reader = new TagReader(pieces, handler);
  while (reader.readOn()) yield;
}

const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/** Most attributes of a tag whose names are searched for duplicates in a list. */
const MOST_LISTED = 8;

class TagReader {
  readonly #pieces: Iterator<string>;
  readonly #handler: TagHandler;
  /** What is there of the page and was not read before the last pieces came. */
  #html = "";
  /** Nothing comes after it. */
  #isLast = false;
  /** The position after what was read last. */
  #at = 0;
  /** The next `<` of what is there, if the last step left it to the next one. */
  #open = -1;
  /** The element whose text is read next. */
  #content: { readonly name: string; readonly reading: TextReading } | undefined = undefined;
  /** A document type's declarations have been found to have no end. */
  #isSubsetOpen = false;
  /** The next ampersand; without one, a text or value needs no decoding. */
  #ampersand = -1;
  /** Names of the current tag's attributes, as many as there is room for. */
  readonly #given: string[] = emptyList();

  constructor(pieces: Iterable<string>, handler: TagHandler) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#handler = handler;
  }

  /** Reads what the next piece completes, or a part of it; false at the end of the page. */
  readOn(): boolean {
    if (this.#open === -1) {
      this.#extend();
      if (!this.#readContent()) return true;
      this.#open = this.#html.indexOf("<", this.#at);
    }
    const html = this.#html;
    const end = this.#isLast ? html.length : html.length - lookAhead;
    const endOfStep = Math.min(end, this.#open + charactersOfStep);
    let open = this.#open;
    this.#open = -1;
    while (open !== -1 && open < endOfStep) {
      const code = html.charCodeAt(open + 1);
      let isWhole: boolean;
      if (isLetter(code)) {
        this.#text(open);
        this.#at = open + 1;
        isWhole = this.#startTag() && this.#readContent();
      } else if (code === SLASH && isLetter(html.charCodeAt(open + 2))) {
        this.#text(open);
        this.#at = open + 2;
        isWhole = this.#endTag();
      } else if (code === EXCLAMATION || code === QUESTION || (code === SLASH && open + 2 < html.length)) {
        this.#text(open);
        this.#at = open + 1;
        isWhole = this.#declaration();
      } else {
        open = html.indexOf("<", open + 1);
        continue;
      }
      if (!isWhole) {
        if (this.#content === undefined) this.#at = open;
        return true;
      }
      open = html.indexOf("<", this.#at);
    }
    if (open !== -1 && open < end) {
      this.#open = open;
      return true;
    }
    if (this.#isLast) this.#text(html.length);
    return !this.#isLast;
  }

  /** What was not read is kept, with at least as much after it: so the whole is read in linear time. */
  #extend(): void {
    const rest = this.#html.slice(this.#at);
    let more = "";
    do {
      const next = this.#pieces.next();
      if (next.done) this.#isLast = true;
      else more += next.value;
    } while (!this.#isLast && more.length <= rest.length);
    this.#html = rest + more;
    this.#at = 0;
    this.#ampersand = -1;
  }

  /** Reads text up to `end`. */
  #text(end: number): void {
    if (end > this.#at) this.#handler.text(this.#decoded(this.#at, end, decodeText));
  }

  #decoded(start: number, end: number, decode: (source: string) => string): string {
    const source = this.#html.slice(start, end);
    if (this.#ampersand < start) {
      const next = this.#html.indexOf("&", start);
      this.#ampersand = next === -1 ? this.#html.length : next;
    }
    return this.#ampersand < end ? decode(source) : source;
  }

  // What follows returns false if what begins here does not end in what is there and more comes: it is then read again.

  #startTag(): boolean {
    const name = this.#name(ENDS_TAG_NAME);
    const attributes: Attributes = {};
    const ending = this.#attributes(attributes);
    if (ending === "none") return this.#isLast;
    this.#handler.startTag(name, attributes, ending === "self-closing");
    const reading = textReadings.get(name);
    if (reading !== undefined && ending === "open") this.#content = { name, reading };
    return true;
  }

  #endTag(): boolean {
    const name = this.#name(ENDS_TAG_NAME);
    if (this.#html.charCodeAt(this.#at) === GREATER) this.#at++;
    else if (this.#attributes({}) === "none") return this.#isLast;
    this.#handler.endTag(name);
    return true;
  }

  /** The name that begins here, in lower case; its first character may be any. */
  #name(ends: number): string {
    const html = this.#html;
    const start = this.#at;
    let end = start + 1;
    while (end < html.length && !is(html.charCodeAt(end), ends)) end++;
    this.#at = end;
    return nameAt(html, start, end);
  }

  /**
   * Reads up to the end of the tag, and returns how it ends; a tag that is cut off by the end of the page is dropped.
   */
  #attributes(attributes: Attributes): "open" | "self-closing" | "none" {
    const html = this.#html;
    let slash = false;
    let count = 0;
    while (this.#at < html.length) {
      const code = html.charCodeAt(this.#at);
      if (code === GREATER) {
        this.#at++;
        return slash ? "self-closing" : "open";
      }
      slash = code === SLASH;
      if (slash || is(code, IS_SPACE)) {
        this.#at++;
        continue;
      }
      const name = this.#name(ENDS_ATTRIBUTE_NAME);
      const value = this.#value();
      if (value === undefined) break;
      if (!this.#isNew(name, count, attributes)) continue;
      attributes[name] = value;
      count++;
    }
    this.#at = html.length;
    return "none";
  }

  /**
   * The first of several attributes with one name counts. Looking it up in the object takes longer than searching a
   * short list.
   */
  #isNew(name: string, count: number, attributes: Attributes): boolean {
    const given = this.#given;
    if (count >= MOST_LISTED) return !Object.hasOwn(attributes, name);
    for (let index = 0; index < count; index++) if (given[index] === name) return false;
    given[count] = name;
    return true;
  }

  /** The value after an attribute's name; undefined if the page ends before the value does. */
  #value(): string | undefined {
    const html = this.#html;
    const equals = this.#skipSpaces(this.#at);
    if (html.charCodeAt(equals) !== EQUALS) return "";
    const start = this.#skipSpaces(equals + 1);
    const quote = html.charCodeAt(start);
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      const end = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start + 1);
      if (end === -1) return undefined;
      this.#at = end + 1;
      return this.#decoded(start + 1, end, decodeAttribute);
    }
    let end = start;
    while (end < html.length && !is(html.charCodeAt(end), ENDS_VALUE)) end++;
    this.#at = end;
    return this.#decoded(start, end, decodeAttribute);
  }

  #skipSpaces(start: number): number {
    let at = start;
    while (is(this.#html.charCodeAt(at), IS_SPACE)) at++;
    return at;
  }

  /** Reads the content of an element that contains only text, up to its end tag, if such an element has begun. */
  #readContent(): boolean {
    if (this.#content === undefined) return true;
    const { name, reading } = this.#content;
    const html = this.#html;
    const start = this.#at;
    const end = endOfContent(html, name, reading, start);
    if (end === html.length && !this.#isLast) {
      // Not kept until the end is there, which for a long script would be a long text. What is hidden in a script may
      // hide its end, too, and so may what begins with the last character that is handed on.
      const most = end - lookAhead;
      const hides = () => html.slice(start, most + "!--".length).includes("<!--");
      if (reading === "escapable" || most <= start || hides()) return false;
      this.#handler.text(html.slice(start, most));
      this.#at = most;
      return false;
    }
    this.#content = undefined;
    if (reading === "escapable") this.#text(end);
    else if (end > start) this.#handler.text(html.slice(start, end));
    this.#at = end;
    return true;
  }

  /** Reads a comment, a document type, or something that browsers take for a comment. */
  #declaration(): boolean {
    const html = this.#html;
    const start = this.#at;
    if (html.startsWith("!--", start)) return this.#comment(start + 3);
    if (html.startsWith("![CDATA[", start) && this.#handler.knowsCdata()) {
      const end = this.#upTo("]]>", start + 8);
      if (end === undefined) return false;
      if (end > start + 8) this.#handler.text(html.slice(start + 8, end));
      return true;
    }
    const isDoctype = /^!doctype/i.test(html.slice(start, start + 8));
    if (isDoctype && !this.#isLast && start + lookAheadOfDoctype > html.length) return false;
    doctypeWithSubset.lastIndex = start;
    const declared = isDoctype && this.#handler.knowsCdata() ? doctypeWithSubset.exec(html)?.[1] : undefined;
    if (declared !== undefined) {
      const isSkipped = this.#skipSubset(doctypeWithSubset.lastIndex);
      if (!isSkipped && !this.#isLast) return false;
      if (isSkipped) {
        this.#handler.doctype(declared.trimEnd());
        return true;
      }
    }
    const end = this.#upTo(">", start);
    if (end === undefined) return false;
    const source = html.slice(start, end);
    if (isDoctype) this.#handler.doctype(source.slice(1));
    // `</>` is nothing.
    else if (source !== "/") this.#handler.comment(source.startsWith("?") ? source : source.slice(1));
    return true;
  }

  /** Continues after the declarations in a document type; false if they have no end. */
  #skipSubset(start: number): boolean {
    if (this.#isSubsetOpen) return false;
    endOfSubset.lastIndex = start;
    const isFound = endOfSubset.test(this.#html);
    if (isFound) this.#at = endOfSubset.lastIndex;
    else this.#isSubsetOpen = this.#isLast;
    return isFound;
  }

  /** The next position of `mark`, or the end of the page; continues after it. Undefined if it may still come. */
  #upTo(mark: string, start: number): number | undefined {
    const at = this.#html.indexOf(mark, start);
    if (at === -1 && !this.#isLast) return undefined;
    this.#at = at === -1 ? this.#html.length : at + mark.length;
    return at === -1 ? this.#html.length : at;
  }

  #comment(start: number): boolean {
    const html = this.#html;
    // `<!-->` and `<!--->` are complete comments.
    const short = html.startsWith(">", start) ? 1 : html.startsWith("->", start) ? 2 : 0;
    if (short > 0) {
      this.#at = start + short;
      this.#handler.comment("");
      return true;
    }
    let end = html.indexOf("--", start);
    while (end !== -1) {
      const behind = html.charCodeAt(end + 2);
      if (behind === GREATER || (behind === EXCLAMATION && html.charCodeAt(end + 3) === GREATER)) break;
      end = html.indexOf("--", end + 1);
    }
    if (end === -1 && !this.#isLast) return false;
    const found = end === -1 ? html.length : end;
    this.#at = end === -1 ? html.length : html.indexOf(">", end) + 1;
    this.#handler.comment(html.slice(start, found));
    return true;
  }
}
