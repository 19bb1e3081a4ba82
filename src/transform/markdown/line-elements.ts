// Source text and diffs of which each line is an element of its own, as viewers of repositories write them: that white
// space counts in it is said by their style sheets only.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { closesParagraph } from "../html/elements.ts";
import { isElement, isWrittenText, nextElement, parentElement, someElement, textContent } from "../html/walk.ts";
import { withoutMargin, writeLines } from "./code.ts";
import { languageOf } from "./code-language.ts";
import { gutterClass, isNumbers, preformattedText } from "./code-text.ts";
import type { MarkdownRule } from "./context.ts";
import { skip } from "./plain-rules.ts";

interface Code {
  readonly text: string;
  readonly language: string;
}

const sourceLine = classNamed("pre");
const hunkLine = classNamed("hunk|chunk_header");
/** How the line begins that says where in a file the lines of a diff are. */
const hunkStart = /^\s*@@ -\d/;
/** How the lines of a diff and those above it begin. */
const diffStart = /^(?:[-+ \u00a0\\]|\s*@@ -\d|diff |Index: )/;

/** True for an element that may be such a line, by its class. */
export function isLineElement({ name, attribs }: Element): boolean {
  const className = attribs["class"];
  return name === "div" && className !== undefined && (sourceLine.test(className) || hunkLine.test(className));
}

/** Adds rules by which the lines around each of `found` become one block of code. */
export function addLineRules(found: readonly Element[], rules: Map<Element, MarkdownRule>): void {
  const seen = new Set<Element>();
  for (const line of found) {
    const parent = parentElement(line);
    if (parent === undefined || seen.has(parent)) continue;
    seen.add(parent);
    for (const lines of runsIn(parent)) {
      if (isDiff(lines)) writeAs(withoutProse(lines), diffOf, rules);
      else if (lines.every(isSource)) writeAs(lines, sourceOf, rules);
    }
  }
}

/** Lines that follow each other with no other content between them. */
function runsIn({ children }: Element): Element[][] {
  const runs: Element[][] = [];
  let run: Element[] = [];
  for (const child of children) {
    if (isElement(child) && isLine(child)) {
      if (run.push(child) === 2) runs.push(run);
    } else if (isElement(child) || isWrittenText(child)) run = [];
  }
  return runs;
}

const isLine = (element: Element): boolean =>
  element.name === "div" && !someElement(element, ({ name }) => closesParagraph.has(name) || name === "img");

const isDiff = (lines: readonly Element[]): boolean =>
  lines.some((line) => hunkLine.test(line.attribs["class"] ?? "") && hunkStart.test(textContent(line)));

/** Without what is before and after the diff, which says who made a change and what others think of it. */
function withoutProse(lines: readonly Element[]): readonly Element[] {
  const isOfDiff = (line: Element): boolean => diffStart.test(textContent(line));
  return lines.slice(lines.findIndex(isOfDiff), lines.findLastIndex(isOfDiff) + 1);
}

/** It begins with its number: what is only named so may be prose, with links and pictures. */
const isSource = (line: Element): boolean =>
  sourceLine.test(line.attribs["class"] ?? "") && isNumber(nextElement(line, line)) && !isSeveralLines(line);

const isNumber = (element: Element | null): boolean =>
  element !== null && gutterClass.test(element.attribs["class"] ?? "") && isNumbers(element);

const isSeveralLines = (line: Element): boolean => textContent(line).trim().includes("\n");

const diffOf = (lines: readonly Element[]): Code => ({
  text: lines
    .map((line) => preformattedText(line))
    .join("\n")
    .trimEnd(),
  language: "diff",
});

const sourceOf = (lines: readonly Element[]): Code => ({
  text: withoutMargin(lines.map((line) => preformattedText(line))).join("\n"),
  language: languageOf(lines[0]!),
});

function writeAs(
  lines: readonly Element[],
  code: (lines: readonly Element[]) => Code,
  rules: Map<Element, MarkdownRule>,
): void {
  for (const line of lines) rules.set(line, skip);
  rules.set(lines[0]!, (context) => {
    const { text, language } = code(lines);
    if (text.trim() !== "") writeLines(context, text, language);
  });
}
