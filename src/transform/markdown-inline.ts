// One run of inline content: collects text, emphasis, links and breaks, and writes them as markdown.
//
// Spaces and breaks wait until something follows them, and opening marks wait until they have content. So white space
// ends up outside of emphasis and links, where markdown wants it, and what is empty leaves no trace.

import { escapeLineStart, escapeText, isPunctuation, isSpace, isWord } from "./markdown-escape.ts";

/** Inline formats. The last four have no marks in markdown and are written as HTML. */
export type Format = "strong" | "em" | "del" | "sub" | "sup" | "kbd" | "u";

interface Link {
  readonly href: string;
  readonly title: string;
}

type Opening = { readonly kind: "open"; readonly format: Format } | { readonly kind: "link"; readonly link: Link };

type Token =
  | Opening
  | { readonly kind: "text"; text: string }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "space" | "break" }
  | { readonly kind: "close"; readonly format: Format }
  | { readonly kind: "linkEnd"; readonly link: Link };

/** How a run is written: hard breaks as they may stand in a paragraph, a table cell, or a heading. */
export type BreakStyle = "paragraph" | "cell" | "line";

const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
const whiteSpace = /\s+/g;

export class InlineRun {
  #tokens: Token[] = [];
  #waiting: Opening[] = [];
  #active: Opening[] = [];
  #depth = new Map<Format, number>();
  #space = false;
  #break = false;

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** True when a break is the last thing that came: a second one begins a new paragraph. */
  get endsInBreak(): boolean {
    return this.#break;
  }

  text(data: string): void {
    const text = data.replace(invisible, "").replace(whiteSpace, " ");
    if (text === "") return;
    if (text === " ") {
      this.#space = true;
      return;
    }
    if (text.startsWith(" ")) this.#space = true;
    this.#beforeContent();
    const content = text.trim();
    const last = this.#tokens.at(-1);
    if (last?.kind === "text") last.text += content;
    else this.#tokens.push({ kind: "text", text: content });
    if (text.endsWith(" ")) this.#space = true;
  }

  /** Adds something that is markdown already. */
  raw(markdown: string): void {
    if (markdown === "") return;
    this.#beforeContent();
    // Two code spans side by side would be read as one.
    const last = this.#tokens.at(-1);
    if (last?.kind === "raw" && last.text.endsWith("`") && markdown.startsWith("`"))
      this.#tokens.push({ kind: "space" });
    this.#tokens.push({ kind: "raw", text: markdown });
  }

  space(): void {
    this.#space = true;
  }

  break(): void {
    if (this.#tokens.length > 0) this.#break = true;
    this.#space = false;
  }

  open(format: Format): void {
    const depth = this.#depth.get(format) ?? 0;
    this.#depth.set(format, depth + 1);
    if (depth === 0) this.#begin({ kind: "open", format });
  }

  close(format: Format): void {
    const depth = (this.#depth.get(format) ?? 1) - 1;
    this.#depth.set(format, depth);
    if (depth === 0) this.#end((opening) => opening.kind === "open" && opening.format === format);
  }

  openLink(href: string, title: string): void {
    this.#begin({ kind: "link", link: { href, title } });
  }

  closeLink(): void {
    this.#end((opening) => opening.kind === "link");
  }

  /** True inside a link. */
  get inLink(): boolean {
    return this.#active.some(({ kind }) => kind === "link");
  }

  /** A run with the same formats and links open, for content that is written apart. */
  derive(): InlineRun {
    const run = new InlineRun();
    run.#active = [...this.#active];
    run.#waiting = [...this.#active];
    run.#depth = new Map(this.#depth);
    return run;
  }

  /** Writes what has been collected and begins anew, with the same formats and links open. */
  take(style: BreakStyle): string {
    for (const opening of this.#active.toReversed()) {
      if (!this.#waiting.includes(opening)) this.#tokens.push(closingOf(opening));
    }
    const tokens = this.#tokens;
    this.#tokens = [];
    this.#waiting = [...this.#active];
    this.#space = this.#break = false;
    return tokens.length === 0 ? "" : writeTokens(tokens, style);
  }

  #begin(opening: Opening): void {
    this.#active.push(opening);
    this.#waiting.push(opening);
  }

  #end(isOpening: (opening: Opening) => boolean): void {
    const index = this.#active.findLastIndex(isOpening);
    if (index === -1) return;
    const [opening] = this.#active.splice(index, 1);
    const waiting = this.#waiting.indexOf(opening!);
    if (waiting === -1) this.#tokens.push(closingOf(opening!));
    else this.#waiting.splice(waiting, 1);
  }

  #beforeContent(): void {
    if (this.#tokens.length > 0) {
      if (this.#break) this.#tokens.push({ kind: "break" });
      else if (this.#space) this.#tokens.push({ kind: "space" });
    }
    this.#break = this.#space = false;
    for (const opening of this.#waiting) {
      const last = this.#tokens.at(-1);
      if (opening.kind === "open" && last?.kind === "close" && last.format === opening.format) this.#tokens.pop();
      else {
        // Links side by side are kept apart by style sheets on the page.
        if (opening.kind === "link" && last?.kind === "linkEnd") this.#tokens.push({ kind: "space" });
        this.#tokens.push(opening);
      }
    }
    this.#waiting.length = 0;
  }
}

const closingOf = (opening: Opening): Token =>
  opening.kind === "open" ? { kind: "close", format: opening.format } : { kind: "linkEnd", link: opening.link };

const breaks: Readonly<Record<BreakStyle, string>> = { paragraph: "  \n", cell: "<br>", line: " " };

function writeTokens(tokens: Token[], style: BreakStyle): string {
  movePunctuationOut(tokens, style);
  const marks = chooseMarks(tokens, style);
  const paired = pairCounter(tokens);
  let markdown = "";
  let linkDepth = 0;
  tokens.forEach((token, index) => {
    switch (token.kind) {
      case "text":
        markdown += escapeText(token.text, {
          before: index > 0 ? lastCharacter(tokens[index - 1], style) : "",
          after: firstCharacter(tokens[index + 1], style),
          inLink: linkDepth > 0,
          linkFollows: tokens[index + 1]?.kind === "link",
          paired,
        });
        break;
      case "raw":
        markdown += token.text;
        break;
      case "space":
        markdown += " ";
        break;
      case "break":
        markdown += linkDepth > 0 && style === "paragraph" ? "\\\n" : breaks[style];
        break;
      case "link":
        linkDepth++;
        markdown += "[";
        break;
      case "linkEnd":
        linkDepth--;
        markdown += `](${destination(token.link.href)}${linkTitle(token.link.title)})`;
        break;
      default:
        markdown += marks[index];
    }
  });
  if (style === "cell") return markdown.replaceAll("|", "\\|");
  if (style === "line") return markdown;
  // At the start it would be a box to tick or a definition; links and real boxes are no text.
  if (tokens[0]?.kind === "text" && /^\[(?:[ xX]\](?:\s|$)|[\s\S]*\]:)/.test(markdown)) markdown = `\\${markdown}`;
  return markdown.includes("\n") ? markdown.split("\n").map(escapeLineStart).join("\n") : escapeLineStart(markdown);
}

/** `word**(bracket).**word` is no emphasis in CommonMark: punctuation at the edge goes outside. */
function movePunctuationOut(tokens: Token[], style: BreakStyle): void {
  for (let index = 1; index < tokens.length - 1; index++) {
    const token = tokens[index]!;
    if (token.kind !== "open" && token.kind !== "close") continue;
    const inside = tokens[token.kind === "open" ? index + 1 : index - 1]!;
    const outside = tokens[token.kind === "open" ? index - 1 : index + 1]!;
    if (inside.kind !== "text" || outside.kind !== "text") continue;
    if (token.kind === "open") {
      const edge = /^[\p{P}\p{S}\s]+(?=[\p{L}\p{N}])/u.exec(inside.text)?.[0];
      if (edge === undefined || !isWord(lastCharacter(outside, style))) continue;
      inside.text = inside.text.slice(edge.length);
      outside.text += edge;
    } else {
      const edge = trailingPunctuation(inside.text);
      if (edge === "" || edge.length === inside.text.length || !isWord(firstCharacter(outside, style))) continue;
      inside.text = inside.text.slice(0, -edge.length);
      outside.text = edge + outside.text;
    }
  }
}

function trailingPunctuation(text: string): string {
  let at = text.length;
  while (at > 0 && (isPunctuation(text[at - 1]!) || text[at - 1] === " ")) at--;
  return text.slice(at);
}

/** For each opening and closing token its mark. Where marks would not be read as such, HTML is. */
function chooseMarks(tokens: readonly Token[], style: BreakStyle): string[] {
  const marks: string[] = [];
  const openings: number[] = [];
  tokens.forEach((token, index) => {
    if (token.kind === "open") openings.push(index);
    if (token.kind !== "close") return;
    const at = openings.pop();
    if (at === undefined) return;
    const before = lastCharacter(tokens[at - 1], style);
    const first = firstCharacter(tokens[at + 1], style);
    const last = lastCharacter(tokens[index - 1], style);
    const after = firstCharacter(tokens[index + 1], style);
    const opens = !isSpace(first) && (!isPunctuation(first) || !isWord(before));
    const closes = !isSpace(last) && (!isPunctuation(last) || !isWord(after));
    const inWord = isWord(before) || isWord(after);
    // Marks of the same sign side by side would be read as one.
    const isAlone = [at - 1, at + 1, index - 1, index + 1].every((place) => !isMark(tokens[place]));
    const mark = opens && closes ? markOf(token.format, inWord, isAlone) : undefined;
    marks[at] = mark ?? `<${token.format}>`;
    marks[index] = mark ?? `</${token.format}>`;
  });
  return marks;
}

function markOf(format: Format, inWord: boolean, isAlone: boolean): string | undefined {
  if (format === "strong") return "**";
  if (format === "em") return inWord ? (isAlone ? "*" : undefined) : "_";
  return format === "del" ? "~~" : undefined;
}

const isMark = (token: Token | undefined): boolean => token?.kind === "open" || token?.kind === "close";

/** Counts the signs that only mean something in pairs, at the first question. */
function pairCounter(tokens: readonly Token[]): (sign: string) => boolean {
  const counts = new Map<string, number>();
  return (sign) => {
    let count = counts.get(sign);
    if (count === undefined) {
      count = 0;
      for (const token of tokens) {
        if (token.kind === "open") count += 2;
        else if (token.kind === "text" || token.kind === "raw") {
          for (let at = token.text.indexOf(sign); at !== -1; at = token.text.indexOf(sign, at + 1)) count++;
        }
      }
      counts.set(sign, count);
    }
    return count > 1;
  };
}

/** The character with which a token will begin; "" where there is none. */
function firstCharacter(token: Token | undefined, style: BreakStyle): string {
  if (token === undefined) return "";
  if (token.kind === "text" || token.kind === "raw") return String.fromCodePoint(token.text.codePointAt(0) ?? 32);
  // In a link a break begins with a back-slash; what stands before it must know that a line ends.
  return token.kind === "break" ? (style === "paragraph" ? "\n" : breaks[style][0]!) : signs[token.kind];
}

/** The character with which a token will end. */
function lastCharacter(token: Token | undefined, style: BreakStyle): string {
  if (token === undefined) return "";
  if (token.kind === "text" || token.kind === "raw") return /.$/su.exec(token.text.slice(-2))?.[0] ?? "";
  return token.kind === "break" ? breaks[style].at(-1)! : token.kind === "linkEnd" ? ")" : signs[token.kind];
}

const signs = { space: " ", open: "*", close: "*", link: "[", linkEnd: "]" } as const;

/** A link target as it stands in the brackets. */
export function destination(href: string): string {
  const safe = href
    .replace(/[\s<>\\]/g, (character) => encodeURIComponent(character))
    .replace(/&(?=#?\w{1,31};)/g, "&amp;");
  if (!/[()]/.test(safe)) return safe;
  return hasBalancedBrackets(safe) ? safe : `<${safe}>`;
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return false;
  }
  // CommonMark allows readers to stop at some depth.
  return depth === 0 && !text.includes("((((");
}

export function linkTitle(title: string): string {
  const text = title.replace(whiteSpace, " ").trim();
  return text === "" ? "" : ` "${text.replace(/[\\"]/g, "\\$&").replace(/&(?=#?\w{1,31};)/g, "\\&")}"`;
}
