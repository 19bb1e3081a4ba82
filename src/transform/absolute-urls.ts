// Makes the addresses in a cleaned tree absolute, and gives lazily loaded pictures the address that they will have.

import type { Element, ParentNode } from "domhandler";
import { maxUrlLength } from "../contract/url.ts";
import { copyText } from "./copy-text.ts";
import type { HtmlPage } from "./html/read-html.ts";
import { elementAround, nextElement, parentElement } from "./html/walk.ts";
import { largestSource, parseSrcset } from "./srcset.ts";

/** Attributes that contain one URL, by element. Links, `img` and `source` are handled separately. */
const urlAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ["audio", ["src"]],
  ["embed", ["src"]],
  ["frame", ["src"]],
  ["iframe", ["src"]],
  ["link", ["href"]],
  ["object", ["data"]],
  ["track", ["src"]],
  ["video", ["src", "poster"]],
  ["blockquote", ["cite"]],
  ["q", ["cite"]],
]);

/** Where scripts for lazy loading keep the address of a picture, the most reliable first. */
const lazySources = ["data-src", "data-lazy-src", "data-original", "data-original-src", "data-lazy", "data-hi-res-src"];
/** Where pages keep the address of a frame or video until a reader scrolls near it, or agrees to load it. */
const lateSources = [
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-litespeed-src",
  "data-cookieblock-src",
  "data-cmp-src",
  "data-src-cmplz",
];
const lateElements: ReadonlySet<string> = new Set(["iframe", "embed", "video", "audio", "source"]);
const lazySourceSets = ["data-srcset", "data-lazy-srcset"];

/**
 * The URL against which a page resolves its links: the first `base href`, or else the page's own URL.
 *
 * @param url final URL of the page
 */
export function baseUrl(page: HtmlPage, url: string): string {
  // The content of a template is not part of the page yet.
  const isBase = (element: Element) =>
    element.attribs["href"] !== undefined && elementAround(element, "template") === undefined;
  const href = page.listed("base").find(isBase)?.attribs["href"]?.trim();
  if (!href || href.length > maxUrlLength) return url;
  const resolved = resolveUrl(href, url);
  return resolved !== undefined && /^https?:/i.test(resolved) ? resolved : url;
}

const scriptAddress = /^(?:javascript|vbscript):/;

/** The absolute form of a reference, or undefined if there is none. */
export function resolveUrl(reference: string, base: string | undefined): string | undefined {
  return URL.parse(reference.trim(), base)?.href;
}

export type ResolveUrl = (reference: string) => string | undefined;

/** A path on the same host that needs no normalisation, if no part of it begins with a dot. */
const plainPath = /^\/(?!\/)[\w\-./~]*$/;
/** The same of a whole address. A name that ends in digits may be a number, and one in Punycode invalid. */
const plainUrl = /^https?:\/\/(?!xn--)[a-z\d-]+(?:\.(?!xn--)[a-z\d-]+)*\.[a-z]+\/[\w\-./~]*(?:\?[\w\-./~=&%+:,;]*)?$/;

/**
 * Limits by how many characters all references of one page may grow when they are resolved: many short ones and a long
 * base would fill the memory. References beyond the limit get no absolute form.
 */
export class UrlGrowth {
  left: number;

  /** @param pageLength length of the page's source */
  constructor(pageLength = 0) {
    this.left = Math.min(100_000_000, 10_000_000 + 4 * pageLength);
  }
}

/**
 * {@link resolveUrl} for the many references of one page: most are plain paths, or have been seen before.
 *
 * @param growth shared by all resolvers of a page that has several
 * @param encode encodes what is not to be encoded as UTF-8
 */
export function urlResolver(
  base: string,
  growth = new UrlGrowth(),
  encode?: (reference: string) => string,
): ResolveUrl {
  const resolve = quickResolver(base, encode);
  return (reference) => {
    if (growth.left <= 0) return undefined;
    const url = resolve(reference);
    growth.left -= (url?.length ?? 0) - reference.length;
    return url;
  };
}

function quickResolver(base: string, encode = (reference: string) => reference): ResolveUrl {
  const root = /^https?:/i.test(base) ? URL.parse("/", base)?.href.slice(0, -1) : undefined;
  const known = new Map<string, string | undefined>();
  return (reference) => {
    if (root !== undefined && plainPath.test(reference) && !reference.includes("/.")) return root + reference;
    let url = known.get(reference);
    if (url === undefined) {
      const isPlain = plainUrl.test(reference) && !reference.includes("/.");
      url = isPlain ? reference : resolveUrl(encode(reference), base);
      // It may be the reference itself.
      if (url !== undefined) url = copyText(url);
      known.set(reference, url);
    }
    return url;
  };
}

/**
 * Rewrites the addresses in the tree. `javascript:` links lose their target and so become text. Returns the links in
 * order, including those of a frameset to its frames, without those that browsers could not open.
 *
 * @param options `sourceSets` false: no `srcset` is rewritten, since nobody is going to see one
 */
export function makeUrlsAbsolute(
  root: ParentNode,
  resolve: ResolveUrl,
  { sourceSets = true }: { readonly sourceSets?: boolean } = {},
): Element[] {
  const links: Element[] = [];
  for (let element = nextElement(root, root); element !== null; element = nextElement(element, root)) {
    const { name } = element;
    if (lateElements.has(name)) takeLateSource(element);
    if (name === "a" || name === "area") {
      if (makeAbsolute(element, "href", resolve)) links.push(element);
    } else if (name === "img" || name === "source") {
      if (name === "img") makeImageAbsolute(element, resolve);
      else makeEmbeddedAbsolute(element, "src", resolve);
      if (sourceSets) makeSourceSetAbsolute(element, resolve);
    } else {
      for (const attribute of urlAttributes.get(name) ?? []) {
        makeEmbeddedAbsolute(element, attribute, resolve);
      }
      if (name === "frame") links.push(element);
    }
  }
  return links;
}

/** For elements that show something in the page; an empty address would be that of the page. */
function makeEmbeddedAbsolute(element: Element, attribute: string, resolve: ResolveUrl): void {
  if (element.attribs[attribute]?.trim() === "") delete element.attribs[attribute];
  else makeAbsolute(element, attribute, resolve);
}

/** Makes the attribute absolute; false if browsers do not understand its address. */
function makeAbsolute({ attribs }: Element, attribute: string, resolve: ResolveUrl): boolean {
  const value = attribs[attribute];
  if (value === undefined) return false;
  const absolute = resolve(value);
  // Checked after resolving, because browsers ignore line ends and control characters within the scheme; also beyond the
  // limit of what is resolved.
  if (scriptAddress.test(absolute ?? resolveUrl(value, undefined) ?? "")) {
    delete attribs[attribute];
    return false;
  }
  attribs[attribute] = absolute ?? value.trim();
  return absolute !== undefined;
}

function takeLateSource({ attribs }: Element): void {
  const { src } = attribs;
  if (src !== undefined && !isPlaceholder(src) && src.trim() !== "") return;
  const late = firstValue(attribs, lateSources);
  if (late !== undefined) attribs["src"] = late;
}

function makeSourceSetAbsolute(element: Element, resolve: ResolveUrl): void {
  const srcset = element.attribs["srcset"];
  if (srcset === undefined) return;
  element.attribs["srcset"] = parseSrcset(srcset)
    .map((candidate) => ({ ...candidate, url: (resolve(candidate.url) ?? candidate.url).replaceAll(",", "%2C") }))
    .filter(({ url }) => !scriptAddress.test(url))
    .map(({ url, size, unit }) => (unit === "x" && size === 1 ? url : `${url} ${size}${unit}`))
    .join(", ");
}

function makeImageAbsolute(image: Element, resolve: ResolveUrl): void {
  const source = imageSource(image);
  if (source === undefined) return;
  const absolute = resolve(source) ?? source.trim();
  // An empty address would be that of the page.
  if (source.trim() === "" || scriptAddress.test(absolute)) delete image.attribs["src"];
  else image.attribs["src"] = absolute;
}

/** A template that nobody has filled in, a list of sources in JSON, or a script. */
const noSource = /^\s*(?:\{|javascript:)/i;

/** The address a reader's browser would end up with. */
export function imageSource(image: Element): string | undefined {
  const { attribs } = image;
  const lazySet = firstValue(attribs, lazySourceSets);
  const own = attribs["src"] && !isPlaceholder(attribs["src"]) ? attribs["src"] : undefined;
  const fromSet = largestSource(lazySet ?? attribs["srcset"] ?? "", own);
  if (fromSet !== undefined && !isPlaceholder(fromSet)) return fromSet;
  const lazy = firstValue(attribs, lazySources);
  if (lazy !== undefined && !noSource.test(lazy)) return lazy;
  if (own !== undefined) return own;
  return pictureSource(image) ?? attribs["src"];
}

/** Most nodes of a `picture` that are examined for each image in it; a usual one has ten. */
const mostSources = 100;

/** The first source of a `picture` whose image has no address of its own. */
function pictureSource(image: Element): string | undefined {
  const picture = parentElement(image);
  if (picture?.name !== "picture") return undefined;
  for (const child of picture.children.slice(0, mostSources)) {
    if (!("attribs" in child) || child.name !== "source") continue;
    const source = largestSource(firstValue(child.attribs, ["srcset", ...lazySourceSets]) ?? "");
    // In the form that it has in a rewritten `srcset`, from which it may come.
    if (source !== undefined && !isPlaceholder(source)) return source.replaceAll(",", "%2C");
  }
  return undefined;
}

function firstValue(attribs: Element["attribs"], names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attribs[name];
    if (value !== undefined && value.trim() !== "") return value;
  }
  return undefined;
}

/** Whether an address is only a placeholder until a script sets the real one, or no address at all. */
function isPlaceholder(source: string): boolean {
  return source.length < 2000 && /^\s*(?:data:image\/(?:gif|svg\+xml|png)|about:blank|javascript:)/i.test(source);
}
