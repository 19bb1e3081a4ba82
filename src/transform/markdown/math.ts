// Formulas: the TeX that KaTeX, MathJax, MathML and wikis supply with the picture of a formula.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { elementBeside, isElement, parentElement, textContent, walkNodes } from "../html/walk.ts";
import type { MarkdownContext, MarkdownRule } from "./context.ts";
import { texOfMathMl } from "./mathml.ts";
import { skip } from "./plain-rules.ts";

/** Elements that show a formula and may contain its source. */
const shown = classNamed(
  "katex|katex-display|katex-mathml|mwe-math-element|MathJax|MathJax_Display|MathJax_SVG|MathJax_CHTML",
);
/** Elements whose text is the source. */
const source = classNamed("math|math-container|math-inline|math-display|arithmatex|tex2jax_process|tex");
const display = classNamed("katex-display|math-display|display|MathJax_Display|mwe-math-element-block");
const preview = classNamed("MathJax_Preview|MathJax_Processing");
/** What KaTeX draws, with or without the source next to it. */
const drawing = classNamed("katex-html");
const formulaSource = classNamed("katex-mathml");
const formulaImage = classNamed("latex|tex|math|mwe-math-fallback-image-inline|mwe-math-fallback-image-display");
const sourceAttributes = ["data-math", "data-tex", "data-latex", "data-mathml", "alttext"];

/** The rule for an element that shows a formula, by its classes and attributes; undefined for all others. */
export function mathRule(element: Element): MarkdownRule | undefined {
  const { name, attribs } = element;
  if (name === "math" || name === "mjx-container") return writeFormula;
  const className = attribs["class"] ?? "";
  if (attribs["data-math"] || attribs["data-tex"] || attribs["data-latex"]) return writeFormula;
  // Most elements have nothing to do with formulas.
  if (!/math|katex|tex/i.test(className)) return undefined;
  if (preview.test(className) || (drawing.test(className) && followsSource(element))) return skip;
  if (shown.test(className)) return texIn(element) === undefined ? undefined : writeFormula;
  return source.test(className) && isTex(textContent(element, 4000)) ? writeFormula : undefined;
}

function followsSource(element: Element): boolean {
  const before = elementBeside(element, "prev");
  return before !== undefined && formulaSource.test(before.attribs["class"] ?? "");
}

const writeFormula: MarkdownRule = (context, element) => {
  const tex = texIn(element) ?? tagged(textContent(element));
  writeTex(context, tex, isDisplay(element));
};

/** The number of an equation, perhaps with a permalink sign, and the equation between delimiters. */
const numbered = /^\s*\(([\w.-]{1,12})\)\W{0,3}\\\[([\s\S]+)\\\]\s*$/;

/** A source, in which a number before the equation becomes a TeX tag. */
function tagged(text: string): string {
  const [, number, tex] = numbered.exec(text) ?? [];
  if (tex === undefined) return text;
  return `\\[${tex.includes("\\tag") ? tex : `${tex.trim()} \\tag{${number}}`}\\]`;
}

/** The TeX of an element that shows a formula, "" for one that only repeats it; undefined for all others. */
export function formulaIn(element: Element): string | undefined {
  const rule = mathRule(element);
  if (rule === undefined) return undefined;
  return rule === writeFormula ? withoutDelimiters(texIn(element) ?? textContent(element)).tex : "";
}

/** A picture of a formula whose alternative text is its source. */
export function isFormulaImage({ attribs }: Element): boolean {
  const { class: className = "", src = "", alt } = attribs;
  if (!alt || isSpoken(alt)) return false;
  if (/\\[A-Za-z]{2,}/.test(alt) && /[{}^]/.test(alt)) return true;
  return formulaImage.test(className) || /\/(?:latex\.php|cgi-bin\/mathtex|(?:gif|svg|png)\.latex)/.test(src);
}

/** Writes TeX as `$…$`, or as a block of its own. */
export function writeTex(context: MarkdownContext, text: string, isBlock: boolean): void {
  const { tex, isDisplay } = withoutDelimiters(text);
  if (tex === "") return;
  if ((isBlock || isDisplay) && !context.flat) context.block(withoutMarkup(`$$\n${tex.replace(/\n\s*\n/g, "\n")}\n$$`));
  else context.run.raw(withoutMarkup(`$${tex.replace(/\s+/g, " ")}$`));
}

/** What begins a tag or an address in angle brackets. `0<x<1` does not: after a tag's name come spaces, `/` or `>`. */
const tagStart = /<(?=[/!?]|[A-Za-z][\w.+-]*[\s/>:@])/g;
/** What ends the text of a link, or the name that a definition gives to an address. */
const linkEnd = /\](?=[(:])/g;
const fence = /^([ \t]*~)(?=~~)/gm;
/** With what is behind a back-slash, where a back-tick is an accent. */
const backTicks = /\\[\s\S]|`/g;

/**
 * A formula in which readers of markdown that know no formulas find no markup, such as a tag with a script. Spaces mean
 * nothing in TeX, and a back-tick has a name.
 */
function withoutMarkup(tex: string): string {
  if (!/[<\]`~]/.test(tex)) return tex;
  return tex
    .replace(tagStart, "< ")
    .replace(linkEnd, "] ")
    .replace(fence, "$1 ")
    .replace(backTicks, (found) => (found === "`" ? "\\lq " : found));
}

const delimiters: readonly (readonly [start: string, end: string, isDisplay: boolean])[] = [
  ["\\(", "\\)", false],
  ["\\[", "\\]", true],
  ["$$", "$$", true],
  ["$", "$", false],
];

function withoutDelimiters(text: string): { tex: string; isDisplay: boolean } {
  let tex = text.replaceAll("\u200b", "").trim();
  // MathJax wraps its scripts so that XML parsers do not look into them.
  tex = tex.replace(/^%\s*<!(?:\[|_)CDATA\[/, "").trim();
  if (tex.endsWith("]]>")) tex = tex.slice(0, -"]]>".length).trimEnd().replace(/%$/, "").trimEnd();
  for (const [start, end, isDisplay] of delimiters) {
    if (tex.length > start.length + end.length && tex.startsWith(start) && tex.endsWith(end)) {
      return { tex: tex.slice(start.length, -end.length).trim(), isDisplay };
    }
  }
  return { tex, isDisplay: false };
}

/**
 * Formulas contain commands, indices or delimiters, or are single letters; other elements may happen to be called
 * `math`.
 */
const isTex = (text: string): boolean => /[\\^_$]|^\s*[A-Za-z]\s*$/.test(text);

function isDisplay(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "div" || display.test(attribs["class"] ?? "") || attribs["display"] === "true") return true;
  if (display.test(parentElement(element)?.attribs["class"] ?? "")) return true;
  let block = false;
  const look = (node: Element) => {
    if (node.name === "math" && node.attribs["display"] === "block") block = true;
    if (display.test(node.attribs["class"] ?? "")) block = true;
  };
  look(element);
  walkNodes(element, (node) => {
    if (isElement(node)) look(node);
    return !block;
  });
  return block;
}

/** The TeX that an element has as an annotation, as an attribute, or as MathML. */
function texIn(element: Element): string | undefined {
  for (const attribute of sourceAttributes) {
    const value = element.attribs[attribute];
    if (value && !value.trimStart().startsWith("<") && !isSpoken(value)) return value;
  }
  let annotation: Element | undefined;
  let math: Element | undefined = element.name === "math" ? element : undefined;
  walkNodes(element, (node) => {
    if (!isElement(node)) return true;
    if (node.name === "annotation" && /tex/i.test(node.attribs["encoding"] ?? "")) annotation = node;
    else if (node.name === "math") math ??= node;
    return annotation === undefined;
  });
  if (annotation !== undefined) return textContent(annotation);
  if (math === undefined) return undefined;
  const alternative = math.attribs["alttext"];
  return alternative && !isSpoken(alternative) ? alternative : texOfMathMl(math);
}

/** The formula in words: `x squared plus y`. In TeX, words are commands or have some around them. */
const isSpoken = (text: string): boolean => /[A-Za-z]{3}/.test(text) && !/[\\^_{}]/.test(text);

/** Longest formula in running text. */
const maxTextFormula = 2000;

/** Writes text; formulas between the delimiters of MathJax and KaTeX are not escaped. */
export function writeText(context: MarkdownContext, text: string): void {
  if (!text.includes("$") && !text.includes("\\")) {
    context.run.text(text);
    return;
  }
  const ends = new Map<string, number>();
  let written = 0;
  for (let at = 0; at < text.length; at++) {
    if (!mayOpen(text, at)) continue;
    const end = formulaEnd(text, at, ends);
    if (end === undefined) continue;
    context.run.text(text.slice(written, at));
    writeTex(context, text.slice(at, end), false);
    written = end;
    at = end - 1;
  }
  context.run.text(text.slice(written));
}

/** Whether two dollars mean something else in a text: `$$name` is a variable, and `$$` or `$$$` what a meal costs. */
function isProse(tex: string, before: string | undefined, after: string | undefined): boolean {
  if (before === "$" || after === "$" || tex.startsWith("$")) return true;
  if (/[\\^{}]/.test(tex)) return false;
  return /\w/.test(after ?? "") || (/[A-Za-z]{3}/.test(tex) && !/[=_]/.test(tex));
}

/** Whether there may be a delimiter at a place. Called for each character, so it does not search a list. */
function mayOpen(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x24) return true;
  if (code !== 0x5c) return false;
  const next = text.charCodeAt(at + 1);
  return next === 0x28 || next === 0x5b;
}

/**
 * Where the formula that begins at a place ends; undefined if none begins there.
 *
 * @param ends where each delimiter was last found, so that a text full of openings is searched only once
 */
function formulaEnd(text: string, at: number, ends: Map<string, number>): number | undefined {
  const delimiter = delimiters.find(([start]) => text.startsWith(start, at));
  // After a backslash it is part of the text.
  if (delimiter === undefined || text[at - 1] === "\\") return undefined;
  const [start, end] = delimiter;
  const from = at + start.length;
  let close = ends.get(end) ?? 0;
  if (close !== -1 && close < from) {
    close = text.indexOf(end, from);
    ends.set(end, close);
  }
  if (close <= from || close - from > maxTextFormula) return undefined;
  const tex = text.slice(from, close);
  if (start === "$$" && isProse(tex, text[at - 1], text[close + end.length])) return undefined;
  if (start !== "$") return /[A-Za-z\d]/.test(tex) ? close + end.length : undefined;
  // A single dollar is money unless there is TeX between two of them.
  const isFormula = /\\[A-Za-z]|[\^_]/.test(tex) && !/^\s|[\s\\]$/.test(tex) && !/\d/.test(text[close + 1] ?? "");
  return isFormula ? close + 1 : undefined;
}
