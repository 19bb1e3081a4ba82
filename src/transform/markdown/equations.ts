// Tables that only place formulas and their numbers on the page.

import type { Element, Text } from "domhandler";
import { isElement, walkNodes } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { formulaIn, writeTex } from "./math.ts";

interface Equation {
  readonly formulas: string[];
  number: string;
}

const wrappers: ReadonlySet<string> = new Set(["span", "div", "p"]);
const equationNumber = /^\(([\w.*'′-]{1,12})\)$/;
const equationClass = /(?:^|[\s_])(?:equation(?:group)?|eqn?)(?:[\s_]|$)/i;

/** The equations of a table, one for each row; undefined if it contains anything else. */
export function equationsOf(
  table: Element,
  rows: readonly { readonly cells: readonly Element[] }[],
): Equation[] | undefined {
  const equations: Equation[] = [];
  for (const { cells } of rows) {
    const equation: Equation = { formulas: [], number: "" };
    for (const cell of cells) if (!readCell(cell, equation)) return undefined;
    if (equation.formulas.length > 0) equations.push(equation);
  }
  const named = equationClass.test(table.attribs["class"] ?? "");
  const isPlaced = named || equations.every(({ formulas, number }) => formulas.length === 1 || number !== "");
  return isPlaced && equations.length > 0 ? equations : undefined;
}

/** False if the cell contains more than formulas or a number. */
function readCell(cell: Element, equation: Equation): boolean {
  if (cell.name !== "td") return false;
  let text = "";
  let isEquation = true;
  walkNodes(cell, (node) => {
    if (node.type === "text") text += (node as Text).data.trim();
    if (!isElement(node)) return isEquation;
    const formula = formulaIn(node);
    if (formula) equation.formulas.push(formula);
    else if (formula === undefined && !wrappers.has(node.name)) isEquation = false;
    return isEquation && formula === undefined;
  });
  const number = equationNumber.exec(text)?.[1];
  if (number !== undefined) equation.number = number;
  return isEquation && (number !== undefined || /^[.,;]?$/.test(text));
}

export function writeEquations(context: MarkdownContext, equations: readonly Equation[]): void {
  for (const { formulas, number } of equations) {
    const tex = formulas.map((formula) => formula.replace(/^\\displaystyle\s*/, "")).join(" ");
    writeTex(context, number === "" || tex.includes("\\tag") ? tex : `${tex} \\tag{${number}}`, true);
  }
}
