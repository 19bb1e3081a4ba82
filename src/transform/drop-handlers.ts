// Takes out of a cleaned tree what would run in whoever shows its `html`: attributes, and what browsers read otherwise
// than it was read here. Scripts are gone already, and so are links to them.

import type { ParentNode } from "domhandler";
import { removeChildren, walkElements } from "./html/walk.ts";

/** Attributes beside those of links that hold addresses, of which some lead to scripts. */
const addresses: ReadonlySet<string> = new Set("action formaction href xlink:href to from values".split(" "));

/** Browsers read over spaces and control characters in front of a scheme, and over line ends within it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a hostile page hides the scheme with.
const ignored = /[\u0000- ]+/g;
const scriptScheme = /^(?:javascript|vbscript):/i;

/** They show a document that their address holds: with scripts, unless it is a picture or print. */
const frames: ReadonlySet<string> = new Set(["iframe", "frame", "embed", "object"]);
const heldDocument = /^data:(?!image\/(?!svg)|application\/pdf\b)/i;

/** Their content is markup here and text in browsers, which it ends wherever an end tag stands, in an attribute too. */
const textInBrowsers: ReadonlySet<string> = new Set(["iframe", "noframes"]);

export function dropHandlers(root: ParentNode): void {
  walkElements(root, (element) => {
    const { attribs, name: elementName } = element;
    if (textInBrowsers.has(elementName)) removeChildren(element, () => true, null);
    // So is this one's, but it is a part of the markdown.
    if (elementName === "noembed") element.name = "span";
    for (const name of Object.keys(attribs)) if (runs(name, attribs[name]!)) delete attribs[name];
    if (frames.has(elementName)) {
      for (const name of ["src", "data"]) if (heldDocument.test(bare(attribs[name] ?? ""))) delete attribs[name];
    }
  });
}

function runs(name: string, value: string): boolean {
  // `onclick` and its like; the document that a frame holds in an attribute is one with scripts.
  if (name.startsWith("on") || name === "srcdoc") return true;
  return addresses.has(name) && scriptScheme.test(bare(value));
}

function bare(address: string): string {
  return address.replace(ignored, "");
}
