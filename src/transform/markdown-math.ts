// Formulas: the TeX that KaTeX, MathJax, MathML and wikis carry with the picture of a formula.

import type { Element } from "domhandler";
import type { MarkdownContext, MarkdownRule } from "./markdown-context.ts";
import { textContent, walkElements } from "./walk.ts";

const formulaClass =
  /(?:^|\s)(?:katex|katex-display|mwe-math-element|math-container|MathJax|MathJax_Display|MathJax_Preview|math|arithmatex|tex2jax_process)(?:\s|$)/;

/** The rule for an element that shows a formula, by its classes; undefined for all others. */
export function writeMathElement(element: Element, className: string): MarkdownRule | undefined {
  if (!formulaClass.test(className)) return undefined;
  if (/(?:^|\s)MathJax(?:_Display|_Preview)?(?:\s|$)/.test(className)) {
    return texIn(element) === undefined ? () => {} : writeFormula;
  }
  return texIn(element) === undefined && !/(?:^|\s)(?:math|math-container|arithmatex)(?:\s|$)/.test(className)
    ? undefined
    : writeFormula;
}

const writeFormula: MarkdownRule = (context, element) => {
  const className = element.attribs["class"] ?? "";
  const source = texIn(element) ?? textContent(element);
  const display = /(?:^|\s)(?:katex-display|math-display|display|MathJax_Display)(?:\s|$)/.test(className);
  emit(context, source, display || element.name === "div" || isBlockMath(element));
};

/** `math` */
export const writeMathMl: MarkdownRule = (context, element) => {
  const source = texIn(element) ?? element.attribs["alttext"] ?? textContent(element);
  emit(context, source, element.attribs["display"] === "block");
};

function isBlockMath(element: Element): boolean {
  let block = false;
  walkElements(element, ({ name, attribs }) => {
    if (name === "math" && attribs["display"] === "block") block = true;
  });
  return block;
}

function texIn(element: Element): string | undefined {
  let tex: string | undefined;
  walkElements(element, (inner) => {
    if (inner.name === "annotation" && /tex/i.test(inner.attribs["encoding"] ?? "")) tex ??= textContent(inner);
    return tex === undefined;
  });
  return tex;
}

function emit(context: MarkdownContext, source: string, display: boolean): void {
  let tex = source.replace(/\u200b/g, "").trim();
  const delimited = /^(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$([\s\S]*)\$\$|\$([\s\S]*)\$)$/.exec(tex);
  const isDisplay = display || delimited?.[2] !== undefined || delimited?.[3] !== undefined;
  if (delimited !== null) tex = (delimited[1] ?? delimited[2] ?? delimited[3] ?? delimited[4] ?? "").trim();
  if (tex === "") return;
  if (isDisplay && !context.flat) context.block(`$$\n${tex.replace(/\n\s*\n/g, "\n")}\n$$`);
  else context.run.raw(`$${tex.replace(/\s+/g, " ")}$`);
}
