/** What the HTML of a page shows about who has to fill it: its author, or a browser. One pass, linear in time. */

/** With enough text nothing but the text is looked for. */
export interface PageSignals {
  /** Characters that are no white space, outside tags, scripts and the like; counting stops at {@link enoughText}. */
  readonly text: number;
  readonly scripts: boolean;
  /** Elements that are content by themselves: links, pictures, fields, frames. */
  readonly content: number;
  /** An element where applications put themselves, with nothing in it. */
  readonly emptyRoot: boolean;
  /** Such an element, filled or not. */
  readonly root: boolean;
  /** The page asks for scripts to be switched on. */
  readonly asksForScripts: boolean;
}

/** A page with this many characters of text says something by itself. */
export const enoughText = 600;
/** Bytes of the body that are looked at first, and then, if they hold hardly any text. The last is all of them. */
const looks = [4 * 1024, 32 * 1024, 256 * 1024, Number.POSITIVE_INFINITY];

/** Elements whose text no reader sees, and those that contain text only; by their names, what their end tags begin with. */
const silentElements: ReadonlyMap<string, RegExp> = new Map(
  "script style noscript template title textarea svg".split(" ").map((name) => [name, new RegExp(`</${name}`, "gi")]),
);

/** True for an element of this name, in lower case, whose content is to be passed over. */
export const isSilent = (name: string): boolean => silentElements.has(name);

/** Where the end tag of such an element begins that stands at `from` or behind it; -1 without one. */
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
  for (const size of looks) {
    const html = asText(bytes.subarray(start, start + size));
    if (holdsText(html, enoughText)) return withEnoughText;
    const signals = readBody(html);
    if (signals.text >= enoughText) return withEnoughText;
    if (start + size >= bytes.byteLength) return { ...signals, scripts: hasScript(bytes) };
  }
  throw new TypeError("The last look takes everything");
}

/** A page that has nothing but what its frames show, and perhaps words for readers without any. */
export function isOfFrames(body: Uint8Array): boolean {
  const [, first] = /<(frameset|body)[\s>]/i.exec(asText(asBuffer(body).subarray(0, looks[0]))) ?? [];
  return first?.toLowerCase() === "frameset";
}

/** A look at the beginning: true when it holds so many characters of text, false when more would have to be looked at. */
export function beginsWithText(body: Uint8Array, characters: number): boolean {
  const bytes = asBuffer(body);
  const start = startOf(bytes);
  return holdsText(asText(bytes.subarray(start, start + looks[0]!)), characters);
}

const asBuffer = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** Where the element `body` begins, or the page. */
function startOf(bytes: Buffer): number {
  const found = bytes.indexOf("<body");
  return Math.max(found >= 0 ? found : bytes.indexOf("<BODY"), 0);
}

function hasScript(bytes: Buffer): boolean {
  if (bytes.includes("<script") || bytes.includes("<SCRIPT") || bytes.includes("<Script")) return true;
  // Old pages lead on from here.
  const start = startOf(bytes);
  return /^<body\s[^>]{0,2000}\bonload\s*=/i.test(asText(bytes.subarray(start, start + 4096)));
}

/** Markup is ASCII in every encoding that matters here, so the bytes need no decoding. */
function asText(bytes: Buffer): string {
  return bytes.toString("latin1");
}

/** The count of {@link readBody} alone, without text in a `noscript`: a quick look, which nearly all pages pass. */
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

/** By the first letter of their names, in lower case: `n`, `s` and `t`. */
const mayBeSilent = (letter: number): boolean => letter === 0x6e || letter === 0x73 || letter === 0x74;

/** In lower case; empty for what is no start tag. */
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
      // Forums write the whole thread for readers without scripts.
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
