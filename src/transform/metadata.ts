// Reads the metadata of a page: title, description, language, favicon, Open Graph, Dublin Core, and any other meta tag.

import type { Element } from "domhandler";
import { resolveUrl } from "./absolute-urls.ts";
import { copyText } from "./copy-text.ts";
import type { HtmlPage } from "./html/read-html.ts";
import { elementAround, ownText } from "./html/walk.ts";
import { withoutLineEnds } from "./line-ends.ts";
import { type MetadataField, metadataFields } from "./metadata-fields.ts";

export type Metadata = Record<string, string | string[] | number>;

/** A page may have any number of tags of any size; more than this is not metadata. */
const maxKeys = 500;
const maxValuesPerKey = 100;
const maxValueLength = 10_000;

/** Fields that the engine sets, some of them for some pages only; a page must not set them itself. */
const engineFields = new Set(
  (
    "error contentType numPages cacheState cachedAt favicon scrapeId sourceURL url statusCode engine engineReason " +
    "proxyUsed creditsUsed"
  ).split(" "),
);

/** Tags that bear the name of a field only count where nothing better names its value, and do not change its form. */
const fieldsByName = new Map<string, MetadataField>(metadataFields.map((field) => [field.field, field]));
const fieldsByTag = new Map<string, MetadataField>(metadataFields.map((field) => [`${field.by}\n${field.key}`, field]));

/**
 * The metadata in the page itself. Keys in a page are data: `__proto__` is a key like any other.
 *
 * @param page the page as parsed, before anything was removed
 * @param url final URL of the page, for the favicon
 */
export function readMetadata(page: HtmlPage, url: string): Metadata {
  const collected = new Map<string, string | string[]>();
  for (const meta of page.listed("meta")) collect(meta, collected);
  const byOther = new Map<string, string | string[]>();
  for (const meta of page.listed("meta")) collectByOther(meta, byOther);
  for (const [field, value] of byOther) if (!collected.has(field)) collected.set(field, value);
  const description = collected.has("description") ? undefined : otherDescription(page);
  if (description !== undefined) collected.set("description", description);
  // SVG drawings have titles of their own.
  const title = page.listed("title").find((element) => elementAround(element, "svg") === undefined);
  if (title !== undefined) {
    collected.set("title", withoutLineEnds(ownText(title)).replace(/\s+/g, " ").trim().slice(0, maxValueLength));
  }
  const language = languageOf(page, collected.get("language"));
  if (language) collected.set("language", language);
  const favicon = findFavicon(page, url);
  if (favicon !== undefined) collected.set("favicon", favicon);
  const metadata: [string, string | string[]][] = [];
  for (const [key, value] of collected) {
    metadata.push([copyText(key), typeof value === "string" ? copyText(value) : value.map(copyText)]);
  }
  return Object.fromEntries(metadata);
}

function collect(meta: Element, collected: Map<string, string | string[]>): void {
  const { name, property, itemprop, content } = meta.attribs;
  if (content === undefined) return;
  const value = content.slice(0, maxValueLength);
  for (const [by, key] of [
    ["name", name],
    ["property", property],
  ]) {
    const field = key && fieldsByTag.get(`${by}\n${key.trim().toLowerCase()}`);
    if (field) take(collected, field, value);
  }
  const key = (name || property || itemprop)?.trim().slice(0, maxValueLength);
  // The description has a field of its own; `title` belongs to the title element.
  if (!key || isDescription(key) || key === "title" || engineFields.has(key) || fieldsByName.has(key)) return;
  add(collected, key, value);
}

/** Some pages use `name` where others use `property`, and vice versa, or the name of the field itself. */
function collectByOther(
  { attribs: { name, property, itemprop, content } }: Element,
  collected: Map<string, string | string[]>,
): void {
  if (content === undefined) return;
  const named = fieldsByName.get((name || property || itemprop || "").trim());
  if (named && named.field !== "description") take(collected, named, content.slice(0, maxValueLength));
  for (const [by, key] of [
    ["property", name],
    ["name", property],
  ]) {
    const lowerCase = key?.trim().toLowerCase();
    if (!lowerCase?.startsWith("og:") && !lowerCase?.startsWith("article:")) continue;
    const field = fieldsByTag.get(`${by}\n${lowerCase}`);
    if (field) take(collected, field, content.slice(0, maxValueLength));
  }
}

function isDescription(key: string | undefined): boolean {
  return key?.trim().toLowerCase() === "description";
}

/** The description of a page that has it only under `property` or `itemprop`. */
function otherDescription(page: HtmlPage): string | undefined {
  const meta = page.listed("meta").find(({ attribs: { property, itemprop } }) => isDescription(property ?? itemprop));
  return meta?.attribs["content"]?.slice(0, maxValueLength);
}

function take(collected: Map<string, string | string[]>, { field, take }: MetadataField, value: string): void {
  const before = collected.get(field);
  if (take === "all") {
    if (before === undefined) collected.set(field, [value]);
    else if (Array.isArray(before) && before.length < maxValuesPerKey) before.push(value);
  } else if (before === undefined) collected.set(field, value);
  else if (take === "joined" && typeof before === "string" && before.length + value.length < maxValueLength) {
    collected.set(field, `${before}, ${value}`);
  }
}

/** @param named the language according to a `meta` element */
function languageOf(page: HtmlPage, named: string | string[] | undefined): string | undefined {
  const { lang, "xml:lang": xmlLang } = page.listed("html")[0]?.attribs ?? {};
  const sent = page.listed("meta").find(({ attribs }) => attribs["http-equiv"]?.toLowerCase() === "content-language");
  const first = typeof named === "string" ? named : named?.[0];
  return lang?.trim() || xmlLang?.trim() || first?.trim() || sent?.attribs["content"]?.trim().slice(0, maxValueLength);
}

/** A second value turns the first into a list. */
function add(collected: Map<string, string | string[]>, key: string, value: string): void {
  const before = collected.get(key);
  if (before === undefined) {
    if (collected.size < maxKeys) collected.set(key, value);
  } else if (!Array.isArray(before)) collected.set(key, [before, value]);
  else if (before.length < maxValuesPerKey) before.push(value);
}

function findFavicon(page: HtmlPage, url: string): string | undefined {
  const icons: { readonly address: string; readonly isPlain: boolean }[] = [];
  for (const { attribs } of page.listed("link")) {
    const { rel = "", href = "" } = attribs;
    if (!rel.toLowerCase().includes("icon") || href.trim() === "") continue;
    const address = resolveUrl(href, url);
    if (address !== undefined) icons.push({ address, isPlain: rel.trim().toLowerCase() === "icon" });
  }
  // Some pages declare an empty icon, so that browsers request none.
  const candidates = [
    icons.filter(({ address }) => /^https?:/i.test(address)),
    icons.filter(({ address }) => /^data:image\//i.test(address)),
  ];
  for (const candidate of candidates) {
    const icon = candidate.find(({ isPlain }) => isPlain) ?? candidate[0];
    if (icon !== undefined) return icon.address;
  }
  return undefined;
}
