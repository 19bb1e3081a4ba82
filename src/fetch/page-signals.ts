/**
 * Signs in the HTML of a page of whether its content is there, or is to be filled in by scripts. One pass, in linear
 * time.
 */

import { asBuffer } from "../shared/as-buffer.ts";

/** If there is enough text, only the text is counted. */
export interface PageSignals {
  /** Characters other than white space, outside tags, scripts and the like; counting stops at {@link enoughText}. */
  readonly text: number;
  /** There are scripts that run. */
  readonly scripts: boolean;
  /** Elements that are content by themselves: links, pictures, fields, frames. */
  readonly content: number;
  /** There is an empty element of the kind in which applications are mounted. */
  readonly emptyRoot: boolean;
  /** There is such an element, empty or not. */
  readonly root: boolean;
  /** The page asks for scripts to be enabled. */
  readonly asksForScripts: boolean;
}

/** A page with this many characters of text is content by itself. */
export const enoughText = 600;
/**
 * How many bytes of the body are examined, in turn, as long as they contain hardly any text. No more than that: the
 * event loop waits, and a page that begins with megabytes of scripts is filled in by them.
 */
const looks = [4 * 1024, 32 * 1024, 256 * 1024, 4 * 1024 * 1024];

/**
 * Elements whose text no reader sees, and elements that contain only text, with a pattern for the beginning of their
 * end tags.
 */
const silentElements: ReadonlyMap<string, RegExp> = new Map(
  "script style noscript template title textarea svg".split(" ").map((name) => [name, new RegExp(`</${name}`, "gi")]),
);

/** True if the content of elements with this name, in lower case, is to be skipped. */
export const isSilent = (name: string): boolean => silentElements.has(name);

/** Where the end tag of such an element begins, searched from `from` on; -1 if there is none. */
export function endOfSilent(html: string, name: string, from: number): number {
  const endTag = silentElements.get(name)!;
  endTag.lastIndex = from;
  return endTag.exec(html)?.index ?? -1;
}

const contentElements: ReadonlySet<string> = new Set(
  "a img input video audio picture iframe frame object embed select canvas".split(" "),
);
/** Ids of the elements where frameworks mount an application. */
const rootIds =
  /\bid\s*=\s*["']?(?:root|app|main-app|__next|__nuxt|___gatsby|svelte|react-root|app-root|application|ember-app|mount|q-app|docs-app|app-container|react-app|vue-app|spa)["'\s>]/i;
/** Custom elements that frameworks start from. */
const rootElements = /^(?:app-root|my-app|ng-app|app-main|ion-app|polymer-app|flutter-view)$/;
const scriptNotice =
  /(?:enable|activate|turn on|requires?|need|without|allow|switch)[^<]{0,60}java ?script|java ?script[^<]{0,60}(?:enable|activate|turn(?:ed)? on|require|disabled|needed|to run)/i;

const scriptTags = ["<script", "<SCRIPT", "<Script"];
/** The types of scripts that browsers run. */
const scriptType = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*)$/i;
/** How much of a tag is examined; a script whose type comes later counts as one that runs. */
const maxScriptTag = 500;
/** More scripts with data are not examined: the event loop waits. */
const maxDataScripts = 1000;

const withEnoughText: PageSignals = {
  text: enoughText,
  scripts: false,
  content: 0,
  emptyRoot: false,
  root: false,
  asksForScripts: false,
};

export function readSignals(body: Uint8Array): PageSignals {
  const bytes = asBuffer(body);
  const start = startOf(bytes);
  let html = "";
  for (const size of looks) {
    html = asText(bytes.subarray(start, start + size));
    if (holdsText(html, enoughText)) return withEnoughText;
    if (start + size >= bytes.byteLength) break;
  }
  const signals = readBody(html);
  return signals.text >= enoughText ? withEnoughText : { ...signals, scripts: hasScript(bytes) };
}

/** True for a page whose content is only in its frames, apart from words for readers without frames. */
export function isOfFrames(body: Uint8Array): boolean {
  const [, first] = /<(frameset|body)[\s>]/i.exec(asText(asBuffer(body).subarray(0, looks[0]))) ?? [];
  return first?.toLowerCase() === "frameset";
}

/**
 * Looks at the beginning only: true if it contains that many characters of text, false if more would have to be
 * examined.
 */
export function beginsWithText(body: Uint8Array, characters: number): boolean {
  const bytes = asBuffer(body);
  const start = startOf(bytes);
  return holdsText(asText(bytes.subarray(start, start + looks[0]!)), characters);
}

/** Where the element `body` begins, or the page. */
function startOf(bytes: Buffer): number {
  const found = bytes.indexOf("<body");
  return Math.max(found >= 0 ? found : bytes.indexOf("<BODY"), 0);
}

/** Whether a page has scripts that run. */
export function hasScript(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  for (const tag of scriptTags) {
    let open = bytes.indexOf(tag);
    for (let count = 0; open >= 0; count += 1) {
      if (count === maxDataScripts || runs(asText(bytes.subarray(open, open + maxScriptTag)))) return true;
      open = bytes.indexOf(tag, open + tag.length);
    }
  }
  // Old pages lead on from here.
  const start = startOf(bytes);
  return /^<body\s[^>]{0,2000}\bonload\s*=/i.test(asText(bytes.subarray(start, start + 4096)));
}

/**
 * True for the tag of a script that a browser runs, false for one that contains data: JSON-LD, settings, templates.
 * Without a script that runs, they fill nothing in.
 */
function runs(tag: string): boolean {
  const [, quoted, single, bare] = /^[^>]*?\stype\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)(?=[\s>]))/i.exec(tag) ?? [];
  const type = (quoted ?? single ?? bare ?? "").trim();
  // Entities are not decoded here: what contains some may be any type.
  return type === "" || type.includes("&") || scriptType.test(type);
}

/** Markup is ASCII in every encoding that matters here, so the bytes need no decoding. */
function asText(bytes: Buffer): string {
  return bytes.toString("latin1");
}

/** Counts as {@link readBody} does, but without text in a `noscript`: a quick check that nearly all pages pass. */
function holdsText(html: string, characters: number): boolean {
  let text = 0;
  for (let position = 0; text < characters; ) {
    const open = html.indexOf("<", position);
    const end = open < 0 ? html.length : open;
    for (let index = position; index < end; index += 1) if (html.charCodeAt(index) > 32) text += 1;
    if (open < 0) break;
    const isComment = html.startsWith("<!--", open);
    const close = isComment ? html.indexOf("-->", open + 4) : html.indexOf(">", open);
    if (close < 0) break;
    position = close + (isComment ? 3 : 1);
    if (isComment || !mayBeSilent(html.charCodeAt(open + 1) | 0x20)) continue;
    const name = tagName(html, open);
    if (!isSilent(name)) continue;
    position = endOfSilent(html, name, position);
    if (position < 0) break;
  }
  return text >= characters;
}

/** Judged by the first letter of the name, in lower case: `n`, `s` or `t`. */
const mayBeSilent = (letter: number): boolean => letter === 0x6e || letter === 0x73 || letter === 0x74;

/** The name in lower case; empty if there is no start tag. */
function tagName(html: string, open: number): string {
  return /^<([a-z][a-z0-9-]{0,30})/i.exec(html.slice(open, open + 32))?.[1]?.toLowerCase() ?? "";
}

function readBody(html: string): Omit<PageSignals, "scripts"> {
  let [text, content] = [0, 0];
  let [emptyRoot, root, asksForScripts] = [false, false, false];
  let position = 0;
  while (position < html.length && text < enoughText) {
    const open = html.indexOf("<", position);
    const end = open < 0 ? html.length : open;
    for (let index = position; index < end; index += 1) if (html.charCodeAt(index) > 32) text += 1;
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      const close = html.indexOf("-->", open + 4);
      if (close < 0) break;
      position = close + 3;
      continue;
    }
    const name = tagName(html, open);
    const tagEnd = html.indexOf(">", open);
    if (tagEnd < 0) break;
    position = tagEnd + 1;
    if (contentElements.has(name)) content += 1;
    if (name !== "" && (rootElements.test(name) || rootIds.test(html.slice(open, Math.min(tagEnd + 1, open + 500))))) {
      root = true;
      emptyRoot ||= isClosedAtOnce(html, position);
    }
    if (!isSilent(name)) continue;
    const close = endOfSilent(html, name, position);
    if (close < 0) break;
    if (name === "noscript") {
      const inside = html.slice(position, close);
      asksForScripts ||= scriptNotice.test(inside.slice(0, 2000));
      // Some forums write the whole thread for readers without scripts.
      if (/<(?:p|h[1-6]|article|li|td)[\s>]/i.test(inside)) text += textOf(inside);
    }
    position = close;
  }
  if (!asksForScripts && text < 300)
    asksForScripts = scriptNotice.test(html.slice(0, 20_000).replace(/<[^<>]{0,500}>/g, " "));
  return { text, content, emptyRoot, root, asksForScripts };
}

/** Characters outside tags that are no white space. */
function textOf(html: string): number {
  let count = 0;
  let inTag = false;
  for (let index = 0; index < html.length && count < enoughText; index += 1) {
    const code = html.charCodeAt(index);
    if (code === 60) inTag = true;
    else if (code === 62) inTag = false;
    else if (!inTag && code > 32) count += 1;
  }
  return count;
}

/** Nothing but white space, comments and placeholders up to an end tag. */
function isClosedAtOnce(html: string, from: number): boolean {
  return /^(?:\s|<!--[^<>]{0,200}-->){0,20}<\//.test(html.slice(from, from + 1000));
}
