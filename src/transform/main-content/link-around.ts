import { innermost } from "./innermost.ts";
import { IN_LINK, type PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const LINK: ReadonlySet<number> = new Set([tagId("a")]);
/** How far up from a text its link is searched for. */
const REACH = 6;

/** The address of the link around an element, or of the element if it is one; undefined outside of links. */
export function hrefAround(table: PageTable, element: number): string | undefined {
  if ((table.flags[element]! & IN_LINK) === 0) return undefined;
  return table.elements[innermost(table, element, LINK, REACH)]?.attribs["href"];
}

/** Whether an address is that of a person or a firm to write to or to call, rather than of a page. */
export const isContact = (href: string): boolean => href.startsWith("mailto:") || href.startsWith("tel:");

const files =
  "pdf docx? xlsx? pptx? od[tsp] rtf csv epub zip 7z rar tar t?gz t?xz bz2 exe msi dmg pkg deb rpm apk jar whl iso";
const fileName = new RegExp(`(?:^|(?<![:/])/)[^/?#:]*\\.(?:${files.replaceAll(" ", "|")})(?:[?#]|$)`, "i");

/** Whether an address is that of a file to be taken along, as its name says, rather than of a page. */
export const isFile = (href: string): boolean => fileName.test(href);
