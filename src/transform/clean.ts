// Removes from a page what no reader sees: scripts, styles, comments, the head, hidden elements, skip links.

import type { ChildNode, Document, Element, ParentNode, Text } from "domhandler";
import { imageSource } from "./absolute-urls.ts";
import { isHiddenAnswer } from "./hidden-answers.ts";
import { classNamed } from "./html/class-names.ts";
import {
  isElement,
  nextElement,
  removeChildren,
  removeNodes,
  siblingElement,
  someElement,
  textContent,
  textLength,
  walkElements,
  walkNodes,
} from "./html/walk.ts";
import { standardizeMedia } from "./media-elements.ts";
import { isPixel } from "./pixels.ts";

const removed: ReadonlySet<string> = new Set(["head", "meta", "link", "style", "template", "base"]);

/** Elements whose `hidden` state means only that the reader has not clicked yet. */
const shownOnDemand: ReadonlySet<string> = new Set(["tabpanel", "listbox"]);

const skipLink = /^\s*(?:skip|jump)\s+(?:to|over|the|past|navigation|links|main|content)\b/i;

/**
 * Cleans the tree in place.
 *
 * @param options `rendered`: the tree comes from a browser, where scripts have run and `noscript` says nothing
 */
export function clean(document: Document, options: { rendered: boolean }): void {
  const hidden = new Set<Element>();
  prune(document, options.rendered, hidden);
  removeHidden(document, hidden, true);
}

/** Removes only what the page hides, also what a click would show. */
export function dropHidden(document: Document): void {
  const hidden = new Set<Element>();
  walkElements(document, (element) => {
    if (isHidden(element)) hidden.add(element);
  });
  removeHidden(document, hidden, false);
}

function prune(document: Document, rendered: boolean, hidden: Set<Element>): void {
  const pruning: Pruning = { rendered, hidden, drawings: new Set() };
  removeChildren(document, isUnseen, pruning);
  for (let element = nextElement(document, document); element !== null; element = nextElement(element, document)) {
    removeChildren(element, isUnseen, pruning);
  }
  removeNodes(pruning.drawings);
}

interface Pruning {
  readonly rendered: boolean;
  /** The hidden elements found so far; they are not removed yet. */
  readonly hidden: Set<Element>;
  /** MathJax's drawings of formulas that are kept. */
  readonly drawings: Set<Element>;
}

function isUnseen(child: ChildNode, { rendered, hidden, drawings }: Pruning): boolean {
  if (child.type === "comment") return true;
  if (!isElement(child)) return false;
  if (removed.has(child.name)) return true;
  standardizeMedia(child);
  if (child.name === "script") return !keepFormula(child, drawings);
  if (child.name === "noscript") return rendered || !keepNoscript(child);
  if (child.name === "a" && isSkipLink(child)) return true;
  if (isHidden(child)) hidden.add(child);
  return false;
}

/** MathJax keeps formulas in scripts. They are replaced by elements that the markdown writer knows. */
function keepFormula(script: Element, drawings: Set<Element>): boolean {
  const type = script.attribs["type"]?.trim().toLowerCase() ?? "";
  if (!type.startsWith("math/tex")) return false;
  addDrawings(script, drawings);
  script.name = "span";
  script.attribs = { class: type.includes("mode=display") ? "math math-display" : "math math-inline" };
  return true;
}

const drawnFormula = classNamed("MathJax(?:_\\w+)?|mjx-chtml");
/** A preview and the drawing precede the script, with white space between them. */
const maxBeforeFormula = 5;

/** Adds MathJax's drawing of the formula in a script, which precedes the script. */
function addDrawings(script: Element, drawings: Set<Element>): void {
  let node = script.prev;
  for (let count = 0; node !== null && count < maxBeforeFormula; count++) {
    if (isElement(node)) {
      if (!drawnFormula.test(node.attribs["class"] ?? "")) return;
      drawings.add(node);
    } else if ((node as Text).data.trim() !== "") return;
    node = node.prev;
  }
}

/**
 * Keeps what a page shows to readers without scripts: the picture behind a placeholder, or, in forums, the whole
 * thread. Requests to enable scripts, and tracking pixels, are not content.
 */
function keepNoscript(noscript: Element): boolean {
  const text = textContent(noscript, 1000).trim();
  if (text.length >= 200 && !(text.length < 600 && /javascript/i.test(text))) {
    noscript.name = "div";
    return true;
  }
  let image: Element | undefined;
  walkElements(noscript, (element) => {
    if (element.name === "img" && !isPixel(element)) image ??= element;
  });
  if (image === undefined || text.length > 0) return false;
  const before = neighbouringImage(noscript, "prev");
  if (isBeacon(image) && (before === undefined || namesPicture(before))) return false;
  if (before !== undefined) {
    // The same picture twice, and the one for scripts has no address yet.
    const alt = image.attribs["alt"] || before.attribs["alt"];
    before.attribs = { ...before.attribs, ...image.attribs, ...(alt === undefined ? {} : { alt }) };
    return false;
  }
  const behind = neighbouringImage(noscript, "next");
  if (behind !== undefined && imageSource(behind)?.trim() === imageSource(image)?.trim()) return false;
  noscript.name = "span";
  return true;
}

/**
 * The image right before or after an element, or the only image in the element there, which holds nothing else or is a
 * figure: an article with one picture may come before the tracking pixel of the page.
 */
function neighbouringImage(element: Element, side: "prev" | "next"): Element | undefined {
  const beside = siblingElement(element, side);
  if (beside === undefined || beside.name === "img") return beside;
  const images: Element[] = [];
  walkNodes(beside, (node) => {
    if (isElement(node) && node.name === "img") images.push(node);
    return images.length < 2;
  });
  if (images.length !== 1) return undefined;
  return beside.name === "figure" || textContent(beside, 200).trim() === "" ? images[0] : undefined;
}

/** Counters are GIFs, photographs are not. */
const pictureFile = /\.(?:jpe?g|jfif|png|webp|avif|svg|bmp|tiff?)(?:$|[^a-z])/i;
const counterName = /^(?:\w+ )?(?:counter|statistics|stats|analytics|tracker|pixel|advert(?:isement)?)$/i;

const namesPicture = (image: Element): boolean => pictureFile.test(imageSource(image) ?? "");

/**
 * A picture that nothing describes and whose address names no file counts visits or, in a link, is an advert. Only a
 * placeholder before it says otherwise.
 */
function isBeacon(image: Element): boolean {
  const { alt = "", width, height, srcset } = image.attribs;
  if (counterName.test(alt.trim())) return true;
  if (alt.trim() !== "" || srcset !== undefined || namesPicture(image)) return false;
  const linked = image.parent !== null && isElement(image.parent) && image.parent.name === "a";
  return linked || width === undefined || height === undefined;
}

function isSkipLink(link: Element): boolean {
  const href = link.attribs["href"];
  return href?.startsWith("#") === true && href.length > 1 && skipLink.test(textContent(link, 80));
}

/**
 * Bootstrap's class, which others took over, hides as `display: none` does, unless another shows it on some screens. Of
 * a part of text only: a script may show a whole part of the page.
 */
const hiding = /(?:^|\s)d-none(?:\s|$)/;
const shownSomewhere = /(?:^|\s)d-(?:[\w-]+-)?(?:block|inline|flex|grid|table|contents)|:d-/;
const partsOfText: ReadonlySet<string> = new Set(["span", "small", "b", "strong", "i", "em"]);

function isHidden({ name, attribs }: Element): boolean {
  if (name === "body" || name === "html") return false;
  if (name === "dialog" && attribs["open"] === undefined) return true;
  if (attribs["hidden"] !== undefined && attribs["hidden"] !== "until-found") {
    return !shownOnDemand.has(attribs["role"] ?? "");
  }
  const { class: names, style } = attribs;
  if (names?.includes("d-none") === true && partsOfText.has(name)) {
    if (hiding.test(names) && !shownSomewhere.test(names)) return true;
  }
  return style !== undefined && /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/**
 * Some pages hide everything until a script has run; hiding then says nothing about what a reader sees. Such pages have
 * this many times as much hidden text as visible text; less may be a long dialog or form on a short page.
 */
const hidesEverything = 8;
/** Links and controls are visible even on pages that hide everything else. */
const aroundText: ReadonlySet<string> = new Set(["a", "nav", "button", "option", "noscript", "script"]);

function removeHidden(document: Document, hidden: ReadonlySet<Element>, keepsAnswers: boolean): void {
  if (hidden.size === 0) return;
  const unseen = new Set<Element>();
  let hiddenLength = 0;
  let shownLength = 0;
  walkNodes(document, (node) => {
    if (node.type === "text") shownLength += (node as Text).data.trim().length;
    if (!isElement(node) || !hidden.has(node)) return true;
    // Formulas have their hidden source next to the picture; notes are shown by a click on their number.
    if (holdsFormula(node) || holdsNotes(node) || (keepsAnswers && isHiddenAnswer(node))) return true;
    unseen.add(node);
    hiddenLength += textLength(node);
    return false;
  });
  if (hiddenLength > shownLength) {
    const hiddenText = unseen.values().reduce((length, element) => length + runningLength(element, unseen), 0);
    if (hiddenText > hidesEverything * runningLength(document, unseen)) return;
  }
  removeNodes(unseen);
}

/** Characters of running text below `root`, without what is in other elements that are hidden. */
function runningLength(root: ParentNode, unseen: ReadonlySet<Element>): number {
  let length = 0;
  walkNodes(root, (node) => {
    if (node.type === "text") length += (node as Text).data.trim().length;
    return !isElement(node) || !(aroundText.has(node.name) || unseen.has(node));
  });
  return length;
}

const holdsFormula = (element: Element): boolean => someElement(element, ({ name }) => name === "math");

const holdsNotes = ({ attribs }: Element): boolean =>
  /footnote|endnote/i.test(`${attribs["class"] ?? ""} ${attribs["id"] ?? ""} ${attribs["role"] ?? ""}`);
