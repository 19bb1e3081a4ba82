// From htmlparser2's tokens to whole tags: names in lower case, attributes decoded, raw text left alone.

import { decodeHTML, decodeHTMLAttribute } from "entities";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { commonNames } from "./html-elements.ts";

export type Attributes = Record<string, string>;

/** What is made of the tags of a page. */
export interface TagHandler {
  startTag(name: string, attributes: Attributes, selfClosing: boolean): void;
  endTag(name: string): void;
  /** Text as it stands; {@link decodeText} resolves its entities where they mean something. */
  text(source: string): void;
  comment(data: string): void;
  cdata(data: string): void;
  doctype(declaration: string): void;
}

/**
 * Tells the handler everything that is on the page, in order.
 *
 * @param asItIs false: at a comment that ends in `--!>`, or at `<![CDATA[`, it gives up
 * @returns false when it gave up
 */
export function readTags(html: string, handler: TagHandler, asItIs: boolean): boolean {
  return new TagReader(html, handler, asItIs).read();
}

export const decodeText = (source: string): string => (source.includes("&") ? decodeHTML(source) : source);

class TagReader implements TokenizerCallbacks {
  #html: string;
  #handler: TagHandler;
  #tokenizer: Tokenizer;
  #tagName = "";
  #attributes: Attributes = {};
  #attributeName = "";
  #attributeValue = "";
  readonly #asItIs: boolean;
  #gaveUp = false;

  constructor(html: string, handler: TagHandler, asItIs: boolean) {
    this.#asItIs = asItIs;
    this.#html = html;
    this.#handler = handler;
    // Entities are decoded where there is an ampersand at all: this doubles the speed of the tokenizer.
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this);
  }

  read(): boolean {
    this.#tokenizer.write(this.#html);
    this.#tokenizer.end();
    return !this.#gaveUp;
  }

  #giveUp(): void {
    this.#gaveUp = true;
    this.#tokenizer.pause();
  }

  ontext(start: number, end: number): void {
    this.#handler.text(this.#html.slice(start, end));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#name(start, end);
    this.#tagName = name === "image" ? "img" : name;
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#name(start, end);
    this.#attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#html.slice(start, end);
  }

  onattribend(): void {
    const value = this.#attributeValue;
    const name = this.#attributeName;
    const attributes = this.#attributes;
    // The first of several counts. `constructor` and the like are there without being set.
    if (attributes[name] === undefined || !Object.hasOwn(attributes, name)) {
      attributes[name] = value.includes("&") ? decodeHTMLAttribute(value) : value;
    }
    this.#attributeValue = "";
  }

  onopentagend(end: number): void {
    this.#handler.startTag(this.#tagName, this.#attributes, false);
    if (this.#tagName === "plaintext") {
      this.#tokenizer.pause();
      this.#handler.text(this.#html.slice(end + 1));
    }
  }

  onselfclosingtag(): void {
    this.#handler.startTag(this.#tagName, this.#attributes, true);
  }

  onclosetag(start: number, end: number): void {
    this.#handler.endTag(this.#name(start, end));
  }

  oncomment(start: number, end: number, offset: number): void {
    const data = this.#html.slice(start, end - offset);
    if (!this.#asItIs && data.includes("--!>")) this.#giveUp();
    else this.#handler.comment(data);
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.#asItIs) this.#handler.cdata(this.#html.slice(start, end - offset));
    else this.#giveUp();
  }

  ondeclaration(start: number, end: number): void {
    const declaration = this.#html.slice(start, end);
    if (/^doctype\b/i.test(declaration)) this.#handler.doctype(declaration);
  }

  /** The name of an element or an attribute, in lower case. */
  #name(start: number, end: number): string {
    const name = this.#html.slice(start, end);
    return commonNames.get(name) ?? name.toLowerCase();
  }

  onprocessinginstruction(): void {}
  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}
}
