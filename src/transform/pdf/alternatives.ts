/** Reads what a PDF's own XML (XMP) says in several languages, which pdf.js joins to one text without a space. */

import { decodeXml } from "../../shared/html-references.ts";

const names = ["dc:title", "dc:description"];

/** A packet may be as long as its file. */
const longest = 200_000;

const item = /<rdf:li\b([^<>]*)>([^<>]*)<\/rdf:li>/g;

/** The entries that come in several languages, each in the file's default language, or else in its first. */
export function alternatives(packet: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const start = packet.indexOf(`<${name}>`);
    const end = start < 0 ? -1 : packet.indexOf(`</${name}>`, start);
    if (end < 0) continue;
    const items = [...packet.slice(start, Math.min(end, start + longest)).matchAll(item)];
    const chosen = items.find(([, attributes]) => attributes!.includes("x-default")) ?? items[0];
    if (chosen !== undefined && items.length > 1) found[name] = decodeXml(chosen[2]!);
  }
  return found;
}
