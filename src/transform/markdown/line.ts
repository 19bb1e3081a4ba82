// Writes the tokens of a run as markdown.

import { type EscapeContext, escapeLineStart, escapeText, isPlain } from "./escape.ts";
import { breaks, chooseMarks, firstCharacter, lastCharacter, movePunctuationOut } from "./marks.ts";
import { rawInCell } from "./raw-in-cell.ts";
import { destination, linkTitle } from "./target.ts";
import type { BreakStyle, Token } from "./tokens.ts";

/** The markdown of a run: one line, or several if it has hard breaks. */
export function writeTokens(tokens: Token[], style: BreakStyle): string {
  movePunctuationOut(tokens, style);
  const marks = chooseMarks(tokens, style);
  let paired: EscapeContext["paired"] | undefined;
  let markdown = "";
  let linkDepth = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    switch (token.kind) {
      case "text": {
        const goesOn = linkDepth === 0 && goesOnAfter(index, tokens, marks);
        if (!goesOn && isPlain(token.text)) {
          markdown += token.text;
          break;
        }
        paired ??= pairCounter(tokens);
        markdown += escapeText(token.text, {
          before: index > 0 ? lastCharacter(tokens[index - 1], style) : "",
          after: firstCharacter(tokens[index + 1], style),
          inLink: linkDepth > 0,
          linkFollows: tokens[index + 1]?.kind === "link",
          goesOn,
          paired,
        });
        break;
      }
      case "raw":
        markdown += style === "cell" ? rawInCell(token.text) : token.text;
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
        markdown += `](${destination(token.href)}${linkTitle(token.title)})`;
        break;
      default:
        markdown += marks[index];
    }
  }
  if (style === "cell") return markdown.replaceAll("|", "\\|");
  if (style === "line") return markdown;
  // At the start it would be a checkbox or a definition; links and real checkboxes are not text tokens.
  if (markdown.startsWith("[") && tokens[0]?.kind === "text" && /^\[(?:[ xX]\](?:\s|$)|[\s\S]*\]:)/.test(markdown))
    markdown = `\\${markdown}`;
  return markdown.includes("\n") ? markdown.split("\n").map(escapeLineStart).join("\n") : escapeLineStart(markdown);
}

/** How a text begins that ends an address; GFM does not count these signs as part of it, unless more follows. */
const endsAddress = /^[?!.,:'")]*\s/;
const isOpenEnd = /^[?!.,:'")]*$/;

/** Whether GFM would read what follows a text, up to white space or a tag, as part of an address at the text's end. */
function goesOnAfter(index: number, tokens: readonly Token[], marks: readonly string[]): boolean {
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind === "text" && isOpenEnd.test(token.text)) continue;
    if (token.kind === "text") return !endsAddress.test(token.text);
    if (token.kind === "raw") return !token.text.startsWith("<");
    if (token.kind !== "open" && token.kind !== "close") return token.kind === "link";
    if (marks[at]?.startsWith("<")) return false;
  }
  return false;
}

/** Counts the signs that only have a meaning in pairs, as soon as they are asked for. */
function pairCounter(tokens: readonly Token[]): (sign: string) => boolean {
  const counts = new Map<string, number>();
  return (sign) => {
    let count = counts.get(sign);
    if (count === undefined) {
      count = 0;
      for (const token of tokens) {
        if (token.kind === "open") count += 2;
        const text = textOf(token, sign);
        for (let at = text.indexOf(sign); at !== -1 && count < 2; at = text.indexOf(sign, at + 1)) count++;
        if (count > 1) break;
      }
      counts.set(sign, count);
    }
    return count > 1;
  };
}

/** Where the sign may have its partner. Code, which ends wherever its mark is, may end in a link's address or title. */
function textOf(token: Token, sign: string): string {
  if (token.kind === "text" || token.kind === "raw") return token.text;
  return token.kind === "linkEnd" && sign === "`" ? token.href + token.title : "";
}
