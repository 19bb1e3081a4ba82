// Takes out of a cleaned tree the attributes with which a page would run in whoever shows its `html`: scripts are gone
// already, and so are links to them.

import type { ParentNode } from "domhandler";
import { walkElements } from "./html/walk.ts";

/** Attributes beside those of links that hold addresses, of which some lead to scripts. */
const addresses: ReadonlySet<string> = new Set("action formaction href xlink:href to from values".split(" "));

/** Browsers read over spaces and control characters in front of a scheme, and over line ends within it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a hostile page hides the scheme with.
const ignored = /[\u0000- ]+/g;
const scriptScheme = /^(?:javascript|vbscript):/i;

export function dropHandlers(root: ParentNode): void {
  walkElements(root, ({ attribs }) => {
    for (const name of Object.keys(attribs)) if (runs(name, attribs[name]!)) delete attribs[name];
  });
}

function runs(name: string, value: string): boolean {
  // `onclick` and its like; the document that a frame holds in an attribute is one with scripts.
  if (name.startsWith("on") || name === "srcdoc") return true;
  return addresses.has(name) && scriptScheme.test(value.replace(ignored, ""));
}
