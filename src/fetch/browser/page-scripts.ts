/**
 * Scripts that run in a page, in an isolated world, which is not affected by the page's changes to built-in functions.
 */

/**
 * The document as HTML. Open shadow trees are written where they appear, with what is slotted into them; frames of the
 * same origin are written as `div[data-original-tag="iframe"]`. There is no recursion, because pages may nest without
 * limit. Null if the HTML has more bytes; they are counted in the page, because whatever leaves it arrives in this
 * process as a whole.
 */
export const readDocument = (maxBytes: number) => `(() => {
  const limit = ${maxBytes};
  // No UTF-16 unit takes more than three bytes.
  const bounded = (html) => html.length <= limit && (html.length * 3 <= limit || new TextEncoder().encode(html).byteLength <= limit) ? html : null;
  const root = document.documentElement;
  if (!root) return "";
  // A form may have a field named "attributes", which hides its attributes.
  const getter = (type, name) => { const { get } = Object.getOwnPropertyDescriptor(type.prototype, name); return (node) => get.call(node); };
  const typeOf = getter(Node, "nodeType"), childrenOf = getter(Node, "childNodes"), parentOf = getter(Node, "parentNode");
  const nameOf = getter(Element, "localName"), attributesOf = getter(Element, "attributes"), shadowOf = getter(Element, "shadowRoot");
  const baseOf = getter(Node, "baseURI");
  const doctype = document.doctype ? "<!DOCTYPE " + document.doctype.name + ">" : "";
  const frameDocument = (element) => {
    if (nameOf(element) !== "iframe" && nameOf(element) !== "frame") return null;
    try { return element.contentDocument; } catch { return null; }
  };
  let special = false;
  for (const element of document.querySelectorAll("*")) {
    if (shadowOf(element) || frameDocument(element)) { special = true; break; }
  }
  if (!special) return bounded(doctype + root.outerHTML);

  const empty = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
  const raw = new Set("script style xmp noembed noframes plaintext noscript".split(" "));
  const text = (value) => value.replace(/[&<>\\u00a0]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\\u00a0": "&nbsp;" })[sign]);
  const quoted = (value) => value.replace(/[&"\\u00a0]/g, (sign) => ({ "&": "&amp;", '"': "&quot;", "\\u00a0": "&nbsp;" })[sign]);
  // Addresses in a frame are relative to the frame, not to the page.
  const base = baseOf(document);
  const absolute = (reference, from) => URL.parse(reference, from)?.href ?? reference;
  const inPlace = (node, { name, value }) => {
    if (baseOf(node) === base || /^\\s*data:/i.test(value)) return value;
    if (/^(?:href|src|poster|cite|data-src)$/.test(name)) return absolute(value, baseOf(node));
    return name === "srcset" ? value.replace(/(^\\s*|,\\s+)([^\\s,]+)/g, (_, before, reference) => before + absolute(reference, baseOf(node))) : value;
  };
  const out = [];
  let length = 0;
  const write = (part) => { length += part.length; out.push(part); };
  write(doctype);
  // What is still to be written, in reverse order: nodes, and closing tags as strings.
  const open = [root];
  const pushAll = (nodes) => { for (let index = nodes.length - 1; index >= 0; index -= 1) open.push(nodes[index]); };
  while (open.length > 0 && length <= limit) {
    const node = open.pop();
    if (typeof node === "string") { write(node); continue; }
    if (typeOf(node) === 3) {
      const parent = parentOf(node);
      write(parent && typeOf(parent) === 1 && raw.has(nameOf(parent)) ? node.data : text(node.data));
      continue;
    }
    if (typeOf(node) === 8) { write("<!--" + node.data + "-->"); continue; }
    if (typeOf(node) !== 1) continue;
    const name = nameOf(node);
    if (name === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes({ flatten: false });
      pushAll(assigned.length > 0 ? assigned : [...node.childNodes]);
      continue;
    }
    const inner = frameDocument(node);
    const tag = inner ? "div" : name;
    write("<" + tag);
    if (inner) write(' data-original-tag="iframe"');
    for (const attribute of attributesOf(node)) write(" " + attribute.name + '="' + quoted(inPlace(node, attribute)) + '"');
    write(">");
    if (inner) {
      open.push("</div>");
      if (inner.body) pushAll([...childrenOf(inner.body)]);
      continue;
    }
    if (empty.has(name)) continue;
    open.push("</" + name + ">");
    const shadow = shadowOf(node);
    if (shadow) pushAll([...childrenOf(shadow)].filter((child) => child.localName !== "style"));
    else pushAll([...childrenOf(node)]);
  }
  return bounded(out.join(""));
})()`;

/** Characters of text, counted up to 1000; also 1000 for a page without scripts, since waiting will not change it. */
export const textLength = `(() => {
  const body = document.body;
  if (!document.querySelector("script")) return 1000;
  if (!body) return 0;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = walker.nextNode(); node && count < 1000; node = walker.nextNode()) {
    const parent = node.parentNode && node.parentNode.localName;
    if (parent !== "script" && parent !== "style" && parent !== "noscript") count += node.data.trim().length;
  }
  for (const host of count < 1000 ? document.querySelectorAll("*") : []) {
    if (host.shadowRoot) count += host.shadowRoot.textContent.trim().length;
    if (count >= 1000) break;
  }
  return Math.min(count, 1000);
})()`;

/** Ends when all scripts that the page names have run and, if the page is to be seen, when it has been drawn. */
export const isReady = (isSeen: boolean) => `(async () => {
  const haveScriptsRun = document.readyState === "complete" || performance.timing.domContentLoadedEventStart > 0;
  if (!haveScriptsRun) await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
  if (${isSeen}) await new Promise(requestAnimationFrame);
})()`;

/** The document as HTML if it has scripts and little text; an empty string otherwise, since larger ones take time. */
export const htmlOfShortPage = `(${textLength}) < 1000 ? document.documentElement.outerHTML.slice(0, 200_000) : ""`;

/** The beginning of a page that is sent on by a header or by itself, as HTML; an empty string otherwise. */
export const htmlWithRefresh = (isSent: boolean) =>
  `${isSent} || document.querySelector('meta[http-equiv="refresh" i]') ? document.documentElement.outerHTML.slice(0, 20_000) : ""`;

/**
 * The size of the whole page in CSS pixels, and how many pixels of a picture each of them is. A document that shows
 * only a picture may have no body.
 */
export interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly hasBody: boolean;
}

export const pageSize = `(() => {
  const { documentElement: root, body } = document;
  const sizes = [root, body].filter((element) => element);
  return {
    width: Math.max(innerWidth, ...sizes.map((element) => element.scrollWidth)),
    height: Math.max(innerHeight, ...sizes.map((element) => element.scrollHeight)),
    scale: devicePixelRatio,
    hasBody: body !== null,
  };
})()`;

/**
 * Scrolls by a window's height, down (1) or up (-1): the page or, if that hardly scrolls, the element that a mouse
 * wheel over its middle would scroll. Applications often fill the window with a box that contains everything.
 */
export const scrollWindow = (sign: 1 | -1) => `(() => {
  const root = document.scrollingElement || document.documentElement;
  const room = (element) => element.scrollHeight - element.clientHeight;
  let target = root;
  if (room(root) < innerHeight / 2) {
    const middle = (tree) => tree?.elementFromPoint(innerWidth / 2, innerHeight / 2);
    let at = middle(document);
    for (let inner = middle(at?.shadowRoot); inner && inner !== at; inner = middle(at.shadowRoot)) at = inner;
    while (at && !(room(at) > room(root) && /auto|scroll/.test(getComputedStyle(at).overflowY))) {
      at = at.assignedSlot || at.parentElement || at.getRootNode().host;
    }
    target = at || root;
  }
  target.scrollBy({ top: ${sign} * (target === root ? innerHeight : target.clientHeight), behavior: "instant" });
})()`;

/** Scrolls down by a window's height. True if there is more to see. */
export const scrollOn = `(() => {
  const root = document.scrollingElement || document.documentElement;
  if (!root) return false;
  const before = root.scrollTop;
  root.scrollBy({ top: innerHeight, behavior: "instant" });
  return root.scrollTop !== before;
})()`;

/** How far the page is scrolled down. */
export const scrolledBy = `(document.scrollingElement || document.documentElement)?.scrollTop ?? 0`;

/** Begins to count the clicks that the page gets by the mouse; those that its own scripts make are none of ours. */
export const countClicks = `(() => {
  if (globalThis.clicksSeen === undefined) addEventListener("click", ({ isTrusted }) => { if (isTrusted) globalThis.clicksSeen += 1; }, true);
  globalThis.clicksSeen = 0;
})()`;

/** How many it has got since; -1 if another page has come. */
export const clicksSeen = "globalThis.clicksSeen ?? -1";

/** Resolves when the page has been drawn, by when it has begun to load what it loads once that is seen. */
export const drawn = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

export const scrollTo = (top: number) =>
  `(document.scrollingElement || document.documentElement)?.scrollTo({ top: ${top}, behavior: "instant" })`;

/** Removes what the selectors match; invalid selectors are skipped. */
export function removeAll(selectors: readonly string[]): string {
  return `for (const selector of ${JSON.stringify(selectors)}) {
    try { for (const element of document.querySelectorAll(selector)) element.remove(); } catch {}
  }`;
}

/** Ids, classes and link targets of a page, up to a few thousand of each. */
export const namesInPage = `(() => {
  const [ids, classes, hrefs] = [new Set(), new Set(), new Set()];
  let count = 0;
  for (const element of document.querySelectorAll("[id], [class], a[href]")) {
    if ((count += 1) > 5000) break;
    if (element.id) ids.add(element.id);
    for (const name of element.classList) classes.add(name);
    if (element.localName === "a" && element.href) hrefs.add(element.href);
  }
  return { ids: [...ids], classes: [...classes], hrefs: [...hrefs] };
})()`;

/** Whether what is typed goes to the page as a whole, not to one of its elements. */
export const nothingHasFocus = `[null, document.body, document.documentElement].includes(document.activeElement)`;
