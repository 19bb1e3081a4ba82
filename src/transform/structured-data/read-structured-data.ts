// Reads everything that a page declares about itself for machines, from the tree before anything is removed from it.

import { isDeepStrictEqual } from "node:util";
import type { Element } from "domhandler";
import type { StructuredData, StructuredItem } from "../../contract/structured-data.ts";
import type { HtmlPage } from "../html/read-html.ts";
import { ownText, walkElements } from "../html/walk.ts";
import { readAnnotations } from "./annotations.ts";
import { Budget, localName, shortText } from "./bounds.ts";
import { declaredText } from "./declared-address.ts";
import { readJsonLd } from "./json-ld.ts";
import { isJsonLd } from "./json-ld-text.ts";
import { readTables } from "./tables.ts";

const tagFamilies = /^(?:og|article|book|product|profile|video|music|place|business):/i;
const maxTags = 300;
const maxTagLength = 20_000;
const maxHeadings = 4;
const maxValuesPerTag = 20;

/**
 * @param page the page as parsed
 * @param length that of its source, in characters
 * @param base the URL against which it resolves its links
 */
export function readStructuredData(page: HtmlPage, base: string, length: number): StructuredData {
  const budget = new Budget(length);
  const scripts: string[] = [];
  const textOf = (element: Element) => shortText(element, budget);
  const headings = page.listed("title").slice(0, 1).map(textOf);
  walkElements(page.document, (element) => {
    if (element.name === "h1" && headings.length < maxHeadings) headings.push(textOf(element));
    if (isJsonLd(element)) scripts.push(ownText(element));
  });
  const declared = readJsonLd(scripts, base, budget);
  const items = withMainEntities(eachOnce([...declared, ...readAnnotations(page.document, base, budget)]));
  const tables = readTables(page.document, budget);
  return { items, headings, tags: readTags(page, base), ...tables, ...(budget.isCut ? { isCut: true } : {}) };
}

/**
 * Removes duplicates: two parts of a content system, or a wide and a narrow variant of the page, may declare the same
 * thing in the same words.
 */
function eachOnce(items: readonly StructuredItem[]): StructuredItem[] {
  const firsts = new Map<string, StructuredItem>();
  return items.filter((item) => {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    return first === undefined || !isDeepStrictEqual(first, item);
  });
}

/** Moves the thing that a page declares to be its main entity to the top level, next to the page instead of in it. */
function withMainEntities(items: readonly StructuredItem[]): StructuredItem[] {
  const known = new Set(items.map(keyOf));
  const entities: StructuredItem[] = [];
  const pages = items.map((item) => {
    const { mainEntity = [], ...properties } = item.properties;
    const [entity, ...others] = mainEntity;
    const isPage = item.types.some((type) => type.endsWith("Page"));
    if (!isPage || typeof entity !== "object" || others.length > 0) return item;
    if (!known.has(keyOf(entity))) entities.push(entity);
    return { ...item, properties };
  });
  return [...pages, ...entities];
}

function keyOf({ from, types, properties }: StructuredItem): string {
  return [from, ...types, String(properties["name"]?.[0])].join(" ");
}

function readTags(page: HtmlPage, base: string): Record<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const { attribs } of page.listed("meta")) {
    const name = (attribs["property"] ?? attribs["name"])?.trim().toLowerCase();
    const given = attribs["content"]?.slice(0, maxTagLength).trim();
    if (!name || !given || name.length > 100 || !tagFamilies.test(name)) continue;
    const content = declaredText(localName(name), given, base);
    const values = tags.get(name);
    if (values === undefined) {
      if (tags.size < maxTags) tags.set(name, [content]);
    } else if (values.length < maxValuesPerTag) values.push(content);
  }
  return Object.fromEntries(tags);
}
