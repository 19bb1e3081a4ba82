// Signs above or below a part of a formula, in MathML and as commands of TeX.

import type { Element } from "domhandler";
import { isElement, textContent } from "../html/walk.ts";

type Side = "over" | "under";

/** Each sign's command for a single letter, and for more. */
const accents: Readonly<Record<Side, ReadonlyMap<string, readonly [short: string, long: string]>>> = {
  over: new Map([
    ...signs("^ˆ\u0302", "hat", "widehat"),
    ...signs("~˜\u0303", "tilde", "widetilde"),
    ...signs("¯ˉ\u0304", "bar", "overline"),
    ...signs("‾―_\u0305", "overline"),
    ...signs("→⟶\u20d7", "vec", "overrightarrow"),
    ...signs("←⟵", "overleftarrow"),
    ...signs("˙.⋅\u0307", "dot"),
    ...signs("¨\u0308", "ddot"),
    ...signs("ˇ\u030c", "check"),
    ...signs("˘\u0306", "breve"),
    ...signs("˚\u030a", "mathring"),
    ...signs("⏞", "overbrace"),
  ]),
  under: new Map([...signs("_¯‾―\u0332", "underline"), ...signs("⏟", "underbrace")]),
};

function signs(texts: string, short: string, long = short): [string, readonly [string, string]][] {
  return [...texts].map((sign) => [sign, [short, long]]);
}

/** The TeX of a base with a sign on one side; undefined if what is there is no such sign. */
export function accentOf(side: Side, [base = ""]: readonly string[], elements: readonly Element[]): string | undefined {
  const command = commandOf(side, elements);
  return command === undefined ? undefined : `\\${command}{${base.trim()}}`;
}

/** True for a part with a brace, whose label goes below or above as the limits of a sum do. */
export function isAccented(element: Element): boolean {
  const content = element.children.filter(isElement);
  if (element.name === "mrow" && content.length === 1) return isAccented(content[0]!);
  if (element.name !== "munder" && element.name !== "mover") return false;
  return commandOf(element.name === "munder" ? "under" : "over", content)?.endsWith("brace") === true;
}

function commandOf(side: Side, [base, mark]: readonly Element[]): string | undefined {
  if (base === undefined || mark === undefined) return undefined;
  const commands = accents[side].get(textContent(mark, 10).trim());
  return commands?.[[...textContent(base, 10).trim()].length > 1 ? 1 : 0];
}
