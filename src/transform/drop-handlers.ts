// Removes from a cleaned tree what would run if its `html` were shown: attributes, and markup that browsers parse
// differently from this parser. Scripts, and links to them, are already gone.

import type { ParentNode } from "domhandler";
import { removeChildren, walkElements } from "./html/walk.ts";

/** Attributes, other than those of links, that contain an address, which may lead to a script. */
const addresses: ReadonlySet<string> = new Set("action formaction href xlink:href to from".split(" "));

/** Browsers ignore spaces and control characters before a scheme, and line ends within it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a hostile page hides the scheme with.
const ignored = /[\u0000- ]+/g;
const scriptScheme = /^(?:javascript|vbscript):/i;
/** The same for the addresses that an animation shows one after the other. */
const scriptAmong = /(?:^|;)(?:javascript|vbscript):/i;

/** Elements that show a document contained in their address, with its scripts, unless it is a picture or PDF. */
const frames: ReadonlySet<string> = new Set(["iframe", "frame", "embed", "object"]);
const heldDocument = /^data:(?!image\/(?!svg)|application\/pdf\b)/i;

/**
 * Elements whose content is markup here but text in browsers, where it ends at the first end tag, even within an
 * attribute.
 */
const textInBrowsers: ReadonlySet<string> = new Set(["iframe", "noframes"]);

/**
 * The same is true of the first, but its content is part of the markdown. The other's content is text here, but markup in
 * browsers if it is in a drawing or a formula.
 */
const standsFor: ReadonlyMap<string, string> = new Map([
  ["noembed", "span"],
  ["xmp", "pre"],
]);

export function dropHandlers(root: ParentNode): void {
  walkElements(root, (element) => {
    const { attribs, name: elementName } = element;
    if (textInBrowsers.has(elementName)) removeChildren(element, () => true, null);
    element.name = standsFor.get(elementName) ?? elementName;
    for (const name of Object.keys(attribs)) if (runs(name, attribs[name]!)) delete attribs[name];
    if (frames.has(elementName)) {
      for (const name of ["src", "data"]) if (heldDocument.test(bare(attribs[name] ?? ""))) delete attribs[name];
    }
  });
}

function runs(name: string, value: string): boolean {
  // `onclick` and the like; and `srcdoc`, a document with scripts.
  if (name.startsWith("on") || name === "srcdoc") return true;
  if (name === "values") return scriptAmong.test(bare(value));
  return addresses.has(name) && scriptScheme.test(bare(value));
}

function bare(address: string): string {
  return address.replace(ignored, "");
}
