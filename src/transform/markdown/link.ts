// Links: inline ones, links around whole blocks (cards), and the small ones of headings that point to themselves.

import type { Element } from "domhandler";
import { decodedText } from "../../shared/percent-decoding.ts";
import { classNamed } from "../html/class-names.ts";
import { closesParagraph, headingElements } from "../html/elements.ts";
import {
  elementAround,
  elementBeside,
  isElement,
  isWrittenText,
  parentElement,
  someElement,
  textContent,
  textLength,
  walkElements,
} from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { boldLine, skip } from "./plain-rules.ts";
import { tellsOfNewWindow } from "./spoken.ts";
import { leadsNowhere } from "./top-links.ts";

/** Signs for "link to this place"; those for private use are pictures of icon fonts. */
const permalinkSign = /^[\s¶#§◆🔗⚓∞\p{Co}]*$/u;
/** Words for it, which have this meaning only next to a heading. */
const permalinkWords = /^(?:link|permalink|anchor|copy link|(?:direct )?link to .*)$/i;
const permalinkTitle = /^perma(?:nent )?link$/i;
const foldSign = /^\s*\[?\s*[-–—−+±×✕▲▼▴▾▸]\s*\]?\s*$/;
const sourceWords = /^\s*(\[)?(?:view )?(?:source|src)\]?\s*$/i;
/** Without brackets, the word alone may be what a text cites. */
const sourceClass = classNamed("src|srclink|source-?link|view-?source|viewcode-link");
const restOfWord = /^(?:\p{Ll}|[.,;:!?)\]}])/u;
const richBlocks: ReadonlySet<string> = new Set("ul ol dl table pre blockquote hr iframe video".split(" "));
/** A card up to this length becomes one link; a longer one has the link on its first block only. */
const maxCardText = 300;
/** Characters of an element that may be a note about what the link does. */
const mostOfNote = 80;

export function writeLink(context: MarkdownContext, link: Element): void {
  const href = link.attribs["href"];
  const inPage = href !== undefined && isInPage(href, context.options.pageUrls);
  if (inPage && (isPermalink(link, href) || leadsNowhere(link) || link.attribs["aria-hidden"] === "true")) return;
  if (permalinkTitle.test(link.attribs["title"] ?? "") && textContent(link, 300).trim() === "") return;
  if (href === undefined ? folds(link) : leadsToSource(link)) return;
  if (inPage && !context.flat && opensNext(link, href)) return boldLine(context, link);
  if (!href || context.run.inLink || (inPage && isInHeading(link))) {
    context.children(link);
    return;
  }
  const last = link.children.at(-1);
  if (link.children.length > 1 && isElement(last!) && tellsOfNewWindow(textContent(last, mostOfNote))) {
    context.overrides.set(last, skip);
  }
  const title = link.attribs["title"] ?? "";
  const blocks = context.flat ? undefined : blocksIn(link);
  if (blocks === undefined || blocks.length === 0) {
    const goesOn = !inPage && isCut(link, href) && context.run.reopenLink(href);
    if (!goesOn) context.run.openLink(href, title);
    context.children(link);
    context.run.closeLink();
    return;
  }
  context.boundary();
  const shows = textLength(link) > 0 ? (block: Element) => textLength(block) > 0 : holdsPicture;
  const heading = blocks.find((block) => headingElements.has(block.name) && shows(block));
  const isRich = blocks.some((block) => richBlocks.has(block.name));
  if (heading === undefined && !isRich && textLength(link) <= maxCardText) {
    context.run.openLink(href, title);
    context.flatten(link);
    context.run.closeLink();
  } else {
    const target = heading ?? blocks.find((block) => textLength(block) > 0 && blocksIn(block).length === 0);
    if (target !== undefined) linkLater(context, target, href, title);
    context.children(link);
  }
  context.boundary();
}

const holdsPicture = (element: Element): boolean => someElement(element, ({ name }) => name === "img");

/** Whether a link is the label of what is right after it: of a text that it folds, or of a tab on narrow screens. */
function opensNext(link: Element, href: string): boolean {
  const target = href.slice(href.indexOf("#") + 1);
  let label: Element | undefined = link;
  for (let level = 0; level < 3 && target !== "" && label !== undefined; level++) {
    if (label.name === "li" || isBesideText(label)) return false;
    const next = elementBeside(label, "next");
    if (next !== undefined) return next.attribs["id"] === target;
    label = parentElement(label);
  }
  return false;
}

const isBesideText = (element: Element): boolean => isWrittenText(element.prev) || isWrittenText(element.next);

/** Whether an anchor, whose target is a script, shows only the sign for folding what is below it. */
const folds = (link: Element): boolean => foldSign.test(textContent(link, 10));

/** Whether a link next to the name of a definition leads to its source code. */
function leadsToSource(link: Element): boolean {
  const words = sourceWords.exec(textContent(link, 20));
  if (words === null) return false;
  if (words[1] === undefined) return sourceClass.test(link.attribs["class"] ?? "");
  return isInHeading(link) || elementAround(link, "dt") !== undefined;
}

/** Whether a link continues the one before it, because an editor has cut it within a word or before a full stop. */
function isCut(link: Element, href: string): boolean {
  const { prev } = link;
  if (prev === null || !isElement(prev) || prev.name !== "a" || prev.attribs["href"] !== href) return false;
  return restOfWord.test(textContent(link, 10));
}

/** Makes the content of an element a link once the writer reaches it. */
function linkLater(context: MarkdownContext, target: Element, href: string, title: string): void {
  context.overrides.set(target, () => {
    context.overrides.delete(target);
    // In a cell of a table, a link may be within another.
    if (context.run.inLink) return context.children({ children: [target] });
    context.boundary();
    context.run.openLink(href, title);
    context.children({ children: [target] });
    context.boundary();
    context.run.closeLink();
  });
}

/** True for a link to a place in the page itself. */
export function isInPage(href: string, pageUrls: readonly string[] | undefined): boolean {
  const hash = href.indexOf("#");
  return hash === 0 || (hash > 0 && pageUrls?.includes(href.slice(0, hash)) === true);
}

function isPermalink(link: Element, href: string): boolean {
  const text = textContent(link, 300).trim();
  if (text === "") return !holdsPicture(link);
  if (permalinkSign.test(text) || (permalinkWords.test(text) && isInHeading(link))) return true;
  const before = elementBeside(link, "prev");
  return before !== undefined && headingElements.has(before.name) && isTarget(before, href) && isNamedBy(before, text);
}

/** Whether the text of a link is about a heading: it repeats it, as in "Section titled …", or is a word or two. */
function isNamedBy(heading: Element, text: string): boolean {
  const title = textContent(heading, 300).trim();
  return (title !== "" && text.includes(title)) || text.split(/\s+/).length <= 2;
}

/** Whether a link in the page leads to an element. */
function isTarget({ attribs: { id } }: Element, href: string): boolean {
  const target = href.slice(href.indexOf("#") + 1);
  return target !== "" && (id === target || id === decodedText(target));
}

/** A link in a heading that leads to the heading, or to the table of contents. */
function isInHeading(link: Element): boolean {
  let node = link.parent;
  for (let level = 0; level < 4 && node !== null && isElement(node); level++) {
    if (headingElements.has(node.name)) return true;
    node = node.parent;
  }
  return false;
}

function blocksIn(link: Element): Element[] {
  const blocks: Element[] = [];
  walkElements(link, (element) => {
    if (closesParagraph.has(element.name)) blocks.push(element);
  });
  return blocks;
}
