// Converts MathML to TeX, for formulas without TeX of their own.

import type { Element, Text } from "domhandler";
import { isElement, textContent } from "../html/walk.ts";
import { accentOf, isAccented } from "./mathml-accents.ts";
import { joinTex, leafTex, spaceTex, textTex } from "./mathml-leaves.ts";

/** The TeX of a `math` element. */
export function texOfMathMl(math: Element): string {
  return row(math).replace(/ {2,}/g, " ").trim();
}

function row(element: Element): string {
  const parts: string[] = [];
  const { children } = element;
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!;
    if (child.type === "text") parts.push((child as Text).data.trim());
    if (!isElement(child)) continue;
    const close = isOperator(child) ? fencedBy(children, at) : undefined;
    if (close === undefined) {
      parts.push(part(child));
    } else {
      parts.push(close.tex);
      at = close.end;
    }
  }
  return joinTex(parts);
}

type Writer = (parts: readonly string[], elements: readonly Element[], element: Element) => string;

/** Elements with a fixed number of parts. */
const schemes: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  [
    "mfrac",
    ([top, bottom], _, { attribs }) =>
      hasNoLine(attribs) ? `{${trimmed(top)} \\atop ${trimmed(bottom)}}` : `\\frac${braced(top)}${braced(bottom)}`,
  ],
  ["mroot", ([base, index]) => `\\sqrt[${trimmed(index)}]${braced(base)}`],
  ["msub", ([base, sub]) => `${group(base)}_${braced(sub)}`],
  ["msup", ([base, sup]) => `${group(base)}${superscript(sup)}`],
  ["msubsup", ([base, sub, sup]) => `${group(base)}_${braced(sub)}^${braced(sup)}`],
  ["munder", (parts, elements) => accentOf("under", parts, elements) ?? placed(parts[0], elements[0], parts[1])],
  [
    "mover",
    (parts, elements) => accentOf("over", parts, elements) ?? placed(parts[0], elements[0], undefined, parts[1]),
  ],
  ["munderover", ([base, under, over], elements) => placed(base, elements[0], under, over)],
]);

/** Elements that show a part of their content, or show it in a way of their own. */
const writers: ReadonlyMap<string, (element: Element) => string> = new Map([
  ["mi", leafTex],
  ["mo", leafTex],
  ["mn", leafTex],
  ["mtext", textTex],
  ["ms", textTex],
  ["mspace", spaceTex],
  ["msqrt", (element) => `\\sqrt{${row(element).trim()}}`],
  ["menclose", enclosed],
  ["mfenced", fenced],
  ["mmultiscripts", withScripts],
  ["mtable", (element) => matrix(element, "matrix")],
  ["semantics", first],
  ["maction", first],
  ...["annotation", "annotation-xml", "mphantom", "none", "mprescripts"].map((name) => [name, () => ""] as const),
]);

function part(element: Element): string {
  const scheme = schemes.get(element.name);
  if (scheme === undefined) return (writers.get(element.name) ?? row)(element);
  const elements = element.children.filter(isElement);
  return scheme(elements.map(part), elements, element);
}

function first(element: Element): string {
  const content = element.children.find(isElement);
  return content === undefined ? "" : part(content);
}

const trimmed = (tex: string | undefined): string => (tex ?? "").trim();

const braced = (tex: string | undefined): string => `{${trimmed(tex)}}`;

/** In braces, unless it is one sign, a number or a command. */
function group(tex: string | undefined): string {
  const base = trimmed(tex);
  return /^(?:\\[A-Za-z]+|\\?.|\d+|\\math\w+\{\w*\})?$/su.test(base) ? base : `{${base}}`;
}

function superscript(tex: string | undefined): string {
  const sup = trimmed(tex);
  return /^(?:\\prime)+$/.test(sup) ? "'".repeat(sup.length / "\\prime".length) : `^{${sup}}`;
}

const withLimits =
  /^(?:\\(?:sum|prod|coprod|bigcup|bigcap|bigoplus|bigotimes|lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr|i?int|oint)|\\mathrm\{[\w\\, ]*\}|)$/;

/** Below and above their base, which the scripts of a large operator are by themselves. */
function placed(tex: string | undefined, element: Element | undefined, under?: string, over?: string): string {
  const base = trimmed(tex);
  if (withLimits.test(base) || (element !== undefined && isAccented(element))) {
    return `${base}${under === undefined ? "" : `_${braced(under)}`}${over === undefined ? "" : `^${braced(over)}`}`;
  }
  const below = under === undefined ? base : `\\underset${braced(under)}{${base}}`;
  return over === undefined ? below : `\\overset${braced(over)}{${below}}`;
}

/** Scripts on both sides of a base: those after `mprescripts` come before it. */
function withScripts({ children }: Element): string {
  const [base, ...scripts] = children.filter(isElement);
  const turn = scripts.findIndex(({ name }) => name === "mprescripts");
  const [after, before] = turn < 0 ? [scripts, []] : [scripts.slice(0, turn), scripts.slice(turn + 1)];
  return `${before.length === 0 ? "" : `{}${pairs(before)}`}${base === undefined ? "" : group(part(base))}${pairs(after)}`;
}

function pairs(scripts: readonly Element[]): string {
  let result = "";
  for (let at = 0; at < scripts.length; at += 2) {
    const [sub, sup] = scripts.slice(at, at + 2).map((script) => part(script).trim());
    result += `${at === 0 ? "" : "{}"}${sub ? `_{${sub}}` : ""}${sup ? `^{${sup}}` : ""}`;
  }
  return result;
}

function enclosed(element: Element): string {
  const { notation = "longdiv" } = element.attribs;
  const content = `{${row(element).trim()}}`;
  if (/radical/.test(notation)) return `\\sqrt${content}`;
  if (/box|circle/.test(notation)) return `\\boxed${content}`;
  if (/strike/.test(notation)) return `\\cancel${content}`;
  const line = /^\s*(?:top|bottom)\s*$/.exec(notation)?.[0].trim();
  if (line !== undefined) return `\\${line === "top" ? "over" : "under"}line${content}`;
  return row(element);
}

/** Signs that enclose, and the names of matrices within them. */
const matrices: Readonly<Record<string, string>> = {
  "( )": "pmatrix",
  "[ ]": "bmatrix",
  "{ }": "Bmatrix",
  "| |": "vmatrix",
  "‖ ‖": "Vmatrix",
  "{ ": "cases",
};

const isOperator = (element: Element): boolean => element.name === "mo";

/** A matrix, or a fraction without a line, between two signs: TeX has names for the whole. */
function fencedBy(siblings: Element["children"], open: number): { tex: string; end: number } | undefined {
  const next = elementAfter(siblings, open);
  if (next === undefined) return undefined;
  const inner = only(next.element);
  if (inner.name !== "mtable" && !(inner.name === "mfrac" && hasNoLine(inner.attribs))) return undefined;
  const end = elementAfter(siblings, next.at);
  if (end !== undefined && !isOperator(end.element)) return undefined;
  const close = end === undefined ? "" : textContent(end.element).trim();
  const tex = between(`${textContent(siblings[open] as Element).trim()} ${close}`, inner);
  return tex === undefined ? undefined : { tex, end: (end ?? next).at };
}

function elementAfter(siblings: Element["children"], from: number): { element: Element; at: number } | undefined {
  for (let at = from + 1; at < siblings.length; at++) {
    const node = siblings[at]!;
    if (isElement(node)) return { element: node, at };
  }
  return undefined;
}

function between(signs: string, inner: Element): string | undefined {
  if (inner.name === "mfrac") {
    return signs === "( )" ? `\\binom${inner.children.filter(isElement).map(part).map(braced).join("")}` : undefined;
  }
  const name = Object.hasOwn(matrices, signs) ? matrices[signs] : undefined;
  return name === undefined ? undefined : matrix(inner, name);
}

/** The element, or what it does nothing but hold. */
function only(element: Element): Element {
  const content = element.children.filter(isElement);
  return content.length === 1 && /^(?:mrow|mstyle|mpadded)$/.test(element.name) ? only(content[0]!) : element;
}

const hasNoLine = (attribs: Element["attribs"]): boolean => /^0(?:px|pt|em)?$/.test(attribs["linethickness"] ?? "");

function fenced(element: Element): string {
  const { open = "(", close = ")", separators = "," } = element.attribs;
  const content = element.children.filter(isElement);
  const known = content.length === 1 ? between(`${open} ${close}`, only(content[0]!)) : undefined;
  if (known !== undefined) return known;
  const signs = [...separators.replace(/\s/g, "")];
  const parts = content.map(
    (child, at) => `${at === 0 ? "" : `${signs[at - 1] ?? signs.at(-1) ?? ""} `}${part(child)}`,
  );
  return `\\left${fence(open)} ${joinTex(parts)} \\right${fence(close)}`;
}

function fence(sign: string): string {
  const names: Readonly<Record<string, string>> = {
    "": ".",
    "{": "\\{",
    "}": "\\}",
    "‖": "\\|",
    "⟨": "\\langle",
    "⟩": "\\rangle",
  };
  return Object.hasOwn(names, sign) ? names[sign]! : sign;
}

function matrix(element: Element, name: string): string {
  const rows = element.children.filter(isElement).map((line) =>
    line.children
      .filter(isElement)
      // A labelled row begins with its number.
      .slice(line.name === "mlabeledtr" ? 1 : 0)
      .map((cell) => row(cell).trim()),
  );
  // A single cell only places a formula; several columns are TeX only within a matrix.
  if (name === "matrix" && rows.length === 1 && rows[0]!.length <= 1) return rows[0]![0] ?? "";
  return `\\begin{${name}} ${rows.map((cells) => cells.join(" & ")).join(" \\\\ ")} \\end{${name}}`;
}
