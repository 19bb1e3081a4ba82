/** Splits a long text into parts that fit into one call of a model, between its blocks. */
import { estimateTokens, reach } from "./tokens.ts";

const fence = /^ {0,3}(?:`{3,}|~{3,})/;
const heading = /^#{1,6} /;

/** The share of the tokens below which a part is not ended between two blocks: a title would be asked about alone. */
const leastPart = 1 / 8;

/** A place where the text may be cut, and how many tokens come before it. */
interface Border {
  readonly at: number;
  readonly tokens: number;
}

/**
 * The parts of a markdown text in order, none longer than `maxTokens` (estimated); joined they are the text. A part ends
 * before a heading if one comes in its second half, else between two blocks, unless it would have next to nothing, else
 * between two lines; a line that is too long is cut between two words, if there are any.
 */
export function splitText(text: string, maxTokens: number): string[] {
  if (text.length < maxTokens || estimateTokens(text) <= maxTokens) return [text];
  const parts: string[] = [];
  let start: Border = { at: 0, tokens: 0 };
  let block: Border | undefined;
  let title: Border | undefined;
  let tokens = 0;
  let inCode = false;
  let afterBlank = false;

  function cut(border: Border): void {
    parts.push(text.slice(start.at, border.at));
    start = border;
    if (block !== undefined && block.at <= start.at) block = undefined;
    if (title !== undefined && title.at <= start.at) title = undefined;
  }

  const lateBorder = (border: Border | undefined, least: number): Border | undefined =>
    border !== undefined && border.tokens - start.tokens >= least ? border : undefined;

  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline + 1;
    const beginning = text.slice(at, Math.min(end, at + 16));
    const here = { at, tokens };
    if (!inCode && at > start.at) {
      if (heading.test(beginning)) title = here;
      if (afterBlank) block = here;
    }
    if (fence.test(beginning)) inCode = !inCode;
    afterBlank = beginning.trim() === "" && end - at <= 16;

    const length = estimateTokens(text, at, end);
    if (tokens + length - start.tokens > maxTokens && at > start.at) {
      cut(lateBorder(title, maxTokens / 2) ?? lateBorder(block, maxTokens * leastPart) ?? here);
      // After a cut at an early border, the rest may still be too long together with this line.
      if (tokens + length - start.tokens > maxTokens && at > start.at) cut(here);
    }
    if (length > maxTokens) {
      for (let to = endOfPart(text, at, end, maxTokens); to < end; to = endOfPart(text, to, end, maxTokens))
        cut({ at: to, tokens: start.tokens + estimateTokens(text, start.at, to) });
    }
    tokens += length;
    at = end;
  }
  if (start.at < text.length) parts.push(text.slice(start.at));
  return parts;
}

function endOfPart(text: string, from: number, end: number, maxTokens: number): number {
  const most = reach(text, from, end, maxTokens);
  if (most === end) return end;
  const half = Math.floor((from + most) / 2);
  // Not looked for in all of the line again and again.
  const space = text.slice(half, most).lastIndexOf(" ");
  return space === -1 ? wholeCharacter(text, most) : half + space + 1;
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
