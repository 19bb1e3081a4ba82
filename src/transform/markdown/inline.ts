// A run of inline content: collects text, emphasis, links and breaks until they are written as markdown.
//
// Spaces and breaks wait until something follows them, and opening marks until they have content. So white space ends
// up outside emphasis and links, as markdown requires, and empty elements leave no trace.

import { emptyList } from "../empty-list.ts";
import { goesOn, isLineEnd, mayGoOn, withoutLineEnds } from "../line-ends.ts";
import { isSpacedWord } from "./escape.ts";
import { writeTokens } from "./line.ts";
import type { Repetition } from "./repetition.ts";
import { tidy } from "./tidy-text.ts";
import {
  type BreakStyle,
  type Format,
  LinkToken,
  type Opening,
  type OpenMark,
  TextToken,
  type Token,
} from "./tokens.ts";

const space: Token = { kind: "space" };
const hardBreak: Token = { kind: "break" };
const formats: readonly Format[] = ["strong", "em", "del", "sub", "sup", "kbd"];
/** One for each format, since a format is opened only once within a run. */
const openings = Object.fromEntries(formats.map((format) => [format, { kind: "open", format }])) as Record<
  Format,
  OpenMark
>;
const closings = Object.fromEntries(formats.map((format) => [format, { kind: "close", format }])) as Record<
  Format,
  Token
>;
const startSigns: readonly string[] = [..."([{“‘„«¿¡"];
const endSigns: readonly string[] = [...".,;:!?)]}”’»…%。，、；：！？）」』"];
/** Those of them after which no part of a number comes. */
const wordEnds = ";!?)]}”’»…";
const joiner = "\u200d";

const letter = /^\p{L}$/u;
const smallLetter = /^\p{Ll}$/u;

/** Length of the longest marks around a format. */
const formatLength = "<sub></sub>".length;

export class InlineRun {
  readonly #repetition: Repetition;
  #tokens: Token[] = emptyList();
  #waiting: Opening[] = emptyList();
  #active: Opening[] = emptyList();
  /** How many elements of each format are around the present place. */
  #depth: Record<Format, number> = { strong: 0, em: 0, del: 0, sub: 0, sup: 0, kbd: 0 };
  /** A pending space; one that is only a line end is not written between letters that go on without it. */
  #space: "none" | "line" | "any" = "none";
  #break = false;
  /** The mark of a list item that has no content yet. */
  #marker = "";
  /** The last text, if nothing else followed it: reading it from the token would join all of the token's text. */
  #last = "";
  /** A pending space, written unless punctuation follows, or only if a word of a script with spaces follows. */
  #gap: "none" | "any" | "word" = "none";

  constructor(repetition: Repetition) {
    this.#repetition = repetition;
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** True if there is only a checkbox so far. */
  get isBox(): boolean {
    const [first] = this.#tokens;
    return this.#tokens.length === 1 && first?.kind === "raw" && (first.text === "[x]" || first.text === "[ ]");
  }

  /** True if the last thing added is a break: a second one begins a new paragraph. */
  get endsInBreak(): boolean {
    return this.#break;
  }

  /** The last character of the text so far, also in emphasis or a link; "" if the run does not end with text. */
  get lastCharacter(): string {
    return this.#space !== "none" || this.#break ? "" : (this.#last.at(-1) ?? "");
  }

  text(data: string): void {
    let text = tidy(data);
    if (text === "") return;
    if (text === " ") {
      this.#spaceOf(data, 0, this.#last.at(-1));
      return;
    }
    // Some editors fill empty paragraphs with a joiner that has nothing to join.
    if (text === joiner && this.lastCharacter === "") return;
    if (mayGoOn(text)) text = tidy(withoutLineEnds(data));
    const content = text.trim();
    if (text.startsWith(" ")) this.#spaceOf(data, 0, content[0]);
    if (this.#isGapBefore(content[0]!)) this.#space = "any";
    if (this.#space === "line" && this.#isWithinText && goesOn(this.#last.slice(-2), content[0]!)) this.#space = "none";
    this.#beforeContent();
    this.#last = content;
    const last = this.#tokens.at(-1);
    if (last?.kind === "text") last.text += content;
    else this.#tokens.push(new TextToken("text", content));
    if (text.endsWith(" ")) this.#spaceOf(data, data.length - 1, content.at(-1));
  }

  /** Whether emphasis or a link, which are parts of a sentence, begin or end here; other elements may be set apart. */
  get #isWithinText(): boolean {
    return this.#waiting.length > 0 || this.#tokens.at(-1)?.kind !== "text";
  }

  /** A space that `data` has there, next to a letter. */
  #spaceOf(data: string, at: number, letter = ""): void {
    if (!mayGoOn(letter) || !isLineEnd(data, at, at === 0 ? 1 : -1)) this.#space = "any";
    else if (this.#space === "none") this.#space = "line";
  }

  /** Adds something that is already markdown. */
  raw(markdown: string): void {
    if (markdown === "") return;
    if (this.#gap === "any") this.#space = "any";
    this.#beforeContent();
    // Two adjacent code spans would be read as one.
    const last = this.#tokens.at(-1);
    if (last?.kind === "raw" && last.text.endsWith("`") && markdown.startsWith("`")) this.#tokens.push(space);
    this.#tokens.push(new TextToken("raw", markdown));
    this.#last = "";
  }

  space(): void {
    this.#space = "any";
  }

  /** Begins an item of a list that is written in one line; "" ends the list. Marks of empty items are not written. */
  marker(markdown: string): void {
    this.break();
    this.#marker = markdown;
  }

  /** Separates words by a space, but not after an opening bracket, and not before punctuation or notes. */
  gap(): void {
    if (!startSigns.includes(this.lastCharacter)) this.#gap = "any";
  }

  /** Adds a picture, which is separated from words next to it. */
  picture(markdown: string): void {
    if (isSpacedWord(this.lastCharacter)) this.#space = "any";
    this.raw(markdown);
    this.#gap = "word";
  }

  /** Separates words of what is written from words next to it, as style sheets do with labels and dates. */
  apart(write: () => void): void {
    this.#wordGap();
    write();
    this.#wordGap();
  }

  break(): void {
    if (this.#tokens.length > 0) this.#break = true;
    this.#space = "none";
    this.#gap = "none";
  }

  open(format: Format): void {
    if (this.#depth[format]++ === 0) this.#begin(openings[format]);
  }

  close(format: Format): void {
    if (--this.#depth[format] === 0) this.#end(this.#active.lastIndexOf(openings[format]));
  }

  openLink(href: string, title: string): void {
    this.#begin(new LinkToken("link", href, title));
  }

  /** Reopens the link that has just been closed; false if there is none, or not to this address. */
  reopenLink(href: string): boolean {
    const last = this.#tokens.at(-1);
    if (last?.kind !== "linkEnd" || last.href !== href || this.#space !== "none" || this.#break || this.#gap !== "none")
      return false;
    this.#tokens.pop();
    this.#active.push(new LinkToken("link", href, last.title));
    return true;
  }

  closeLink(): void {
    this.#end(this.#active.findLastIndex(isLink));
  }

  /** True inside a link. */
  get inLink(): boolean {
    return this.#active.some(isLink);
  }

  /** A run with the same formats and links open, for content that is written separately. */
  derive(): InlineRun {
    const run = new InlineRun(this.#repetition);
    if (this.#active.length === 0) return run;
    run.#active = this.#repeated();
    run.#waiting = [...run.#active];
    run.#depth = { ...this.#depth };
    return run;
  }

  /** Returns what has been collected as markdown, and begins anew with the same formats and links open. */
  take(style: BreakStyle): string {
    const tokens = this.#tokens;
    this.#space = "none";
    this.#break = false;
    this.#marker = "";
    this.#gap = "none";
    if (tokens.length === 0) return "";
    for (let index = this.#active.length - 1; index >= 0; index--) {
      const opening = this.#active[index]!;
      if (!this.#waiting.includes(opening)) tokens.push(closingOf(opening));
    }
    this.#tokens = emptyList();
    this.#last = "";
    if (this.#active.length > 0) {
      this.#active = this.#repeated();
      this.#waiting = [...this.#active];
    }
    return writeTokens(tokens, style);
  }

  /** The open formats and links, as far as they may be opened once more: a link's address may be as long as the page. */
  #repeated(): Opening[] {
    return this.#active.filter((opening) =>
      this.#repetition.take(opening.kind === "open" ? formatLength : opening.href.length + opening.title.length),
    );
  }

  #wordGap(): void {
    const last = this.lastCharacter;
    if (this.#gap === "none" && (isSpacedWord(last) || (last !== "" && wordEnds.includes(last)))) this.#gap = "word";
  }

  #isGapBefore(first: string): boolean {
    if (this.#gap === "none" || this.#depth.sup > 0 || this.#depth.sub > 0) return false;
    if (this.#gap === "any") return !endSigns.includes(first);
    const last = this.#last;
    // The first letter of a word may be drawn larger than the others.
    if (letter.test(last) && smallLetter.test(first)) return false;
    // A method and the path that it is for.
    return isSpacedWord(first) || (first === "/" && letter.test(last.at(-1) ?? ""));
  }

  #begin(opening: Opening): void {
    this.#active.push(opening);
    this.#waiting.push(opening);
  }

  /** @param index of an opening among the active ones, or -1 */
  #end(index: number): void {
    if (index === -1) return;
    const [opening] = this.#active.splice(index, 1);
    const waiting = this.#waiting.indexOf(opening!);
    if (waiting === -1) this.#tokens.push(closingOf(opening!));
    else this.#waiting.splice(waiting, 1);
  }

  #beforeContent(): void {
    if (this.#tokens.length > 0) {
      if (this.#break) this.#tokens.push(hardBreak);
      else if (this.#space !== "none") this.#tokens.push(space);
    }
    this.#break = false;
    this.#space = "none";
    this.#gap = "none";
    if (this.#marker !== "") {
      this.#tokens.push(new TextToken("raw", this.#marker), space);
      this.#marker = "";
    }
    if (this.#waiting.length === 0) return;
    for (const opening of this.#waiting) {
      const last = this.#tokens.at(-1);
      if (opening.kind === "open" && last?.kind === "close" && last.format === opening.format) this.#tokens.pop();
      else {
        // Style sheets separate adjacent links on the page.
        if (opening.kind === "link" && last?.kind === "linkEnd") this.#tokens.push(space);
        this.#tokens.push(opening);
      }
    }
    this.#waiting.length = 0;
  }
}

const isLink = ({ kind }: Opening): boolean => kind === "link";

const closingOf = (opening: Opening): Token =>
  opening.kind === "open" ? closings[opening.format] : new LinkToken("linkEnd", opening.href, opening.title);
