/** Recognises elements that do not contain content, by tags and names that plainly say so. */
import { type Element, isTag } from "domhandler";
import { classOf } from "./element-names.ts";
import { bitsOfMeanings, meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { TEXTS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const BODY = tagId("body");
const NAV = tagId("nav");
const DIALOG = tagId("dialog");
const HEADER = tagId("header");
const FOOTER = tagId("footer");
const ASIDE = tagId("aside");
const TITLE = tagId("h1");
/** A header in one of these is about the text there, not about the site. */
const TEXT_ROLES = new Set(["main", "article"]);
const roles = new Set(["navigation", "banner", "contentinfo", "complementary", "search"]);
/** A footer in one of these names the source. */
const QUOTATIONS = new Set(["blockquote", "figure"].map(tagId));
/** Manuals mark notes as asides. */
const noteName = /note|callout|admonition|(?<![a-z])(?:tip|hint|info|caution|warning|danger|important)(?![a-z])/i;
/** Children of a note that is nothing but a numbered list, white space included: more are not looked at. */
const MOST_OF_NOTE = 20;
const CARD = meaningBit("card");
/** These are parts of the text, whatever their classes and ids say: the header of a table, a heading. */
export const TEXT_PARTS: ReadonlySet<number> = new Set(
  "h1 h2 h3 h4 h5 h6 caption thead tbody tfoot tr td th".split(" ").map(tagId),
);

/** Meanings of names of parts that may stand within or beside a text but do not belong to it. */
export const BESIDE_TEXT = bitsOfMeanings(
  "navigation",
  "sidebar",
  "footer",
  "related",
  "share",
  "subscribe",
  "breadcrumb",
  "pagination",
);
/** Also of what is laid over or between the text. */
export const AROUND_TEXT = BESIDE_TEXT | bitsOfMeanings("advert", "consent", "overlay");

/** Classes and ids that always name something other than content. */
const NAMES = new Set(
  (
    "navbar sidebar ad ads advert popup modal breadcrumbs cookie social-media social-links lang-selector " +
    "language-selector sharedaddy navbox page-metadata likes-and-labels-container toc-macro printfooter noprint"
  ).split(" "),
);
/** On larger pages, only elements whose names have one of these meanings are asked for those names. */
const MEANT = bitsOfMeanings("navigation", "sidebar", "advert", "overlay", "breadcrumb", "consent", "share", "wiki");
/** Classes and ids that do so if a small page has them only once: a card or a comment may have such parts, too. */
const NAMES_OF_ONE = new Set(
  (
    "header top footer bottom copyright nav navigation menu breadcrumb pagination aside side widget overlay language " +
    "advertisement cookie-banner cookie-notice cookie-consent share social share-buttons social-share related " +
    "related-posts comments newsletter"
  ).split(" "),
);

const COMMENTS = "comments";
const SEVERAL = -1;
/** How far up the parts that contain an element are searched for. */
const REACH = 50;

/** True for an element whose name always means something other than content. */
export function hasSideName({ elements, meanings, tag }: PageTable, element: number, isSmall: boolean): boolean {
  if (tag[element] === BODY || TEXT_PARTS.has(tag[element]!)) return false;
  return (isSmall || (meanings[element]! & MEANT) !== 0) && namesOf(elements[element]!).some((name) => NAMES.has(name));
}

/**
 * The elements whose names mean so only because no other element of the page has them. Of a thread, the comments are
 * what the page is for.
 */
export function namedOnce(table: PageTable, pageType: PageType): number[] {
  const places = new Map<string, number>();
  table.elements.forEach((element, index) => {
    if (table.tag[index] === BODY || TEXT_PARTS.has(table.tag[index]!)) return;
    for (const name of new Set(namesOf(element))) {
      if (NAMES_OF_ONE.has(name) && !(name === COMMENTS && pageType === "forum"))
        places.set(name, places.has(name) ? SEVERAL : index);
    }
  });
  const isPart = (index: number): boolean =>
    index !== SEVERAL && !isInCard(table, index) && !isHeaderOfText(table, index);
  return [...places.values()].filter(isPart);
}

/** True for an element that HTML marks as navigation, header, footer or aside of a page. */
export function isSideElement(table: PageTable, element: number): boolean {
  const { attribs } = table.elements[element]!;
  if (roles.has(attribs["role"] ?? "")) return true;
  switch (table.tag[element]) {
    case NAV:
    case DIALOG:
      return true;
    case HEADER:
      return !isInText(table, element);
    case FOOTER:
      return !isIn(table, element, (around) => QUOTATIONS.has(table.tag[around]!));
    case ASIDE:
      return !isNote(table.elements[element]!);
    default:
      return false;
  }
}

/** By element: 1 in the parts between two elements that are beside the text, by their tags or names. */
export function besideText(table: PageTable, from: number, until: number): Uint8Array {
  const { arrays, parent, tag } = table;
  const beside = arrays.bytes(tag.length);
  for (let element = from; element < until; element++) {
    beside[element] = isBeside(table, element, AROUND_TEXT) || beside[parent[element]!] === 1 ? 1 : 0;
  }
  return beside;
}

/** True in such a part of any size; `names` are the meanings of the names that count. */
export function isBesideText(table: PageTable, element: number, names: number = AROUND_TEXT): boolean {
  return isBeside(table, element, names) || isIn(table, element, (around) => isBeside(table, around, names));
}

function isBeside(table: PageTable, element: number, names: number): boolean {
  return (table.meanings[element]! & names) !== 0 || isSideElement(table, element);
}

/** True for the footer of the site; nothing after it is content. */
export function isSiteFooter(table: PageTable, element: number): boolean {
  if (table.elements[element]!.attribs["id"] === "footer") return true;
  return table.tag[element] === FOOTER && isSideElement(table, element) && !isInText(table, element);
}

/** Recognised by its name, or because it contains only a numbered list. */
function isNote(aside: Element): boolean {
  if (noteName.test(classOf(aside)) || noteName.test(aside.attribs["role"] ?? "")) return true;
  if (aside.children.length > MOST_OF_NOTE) return false;
  const inner = aside.children.filter(isTag);
  return inner.length > 0 && inner.every(({ name }) => name === "ol");
}

/** True within cards, where a header belongs to the card. */
export function isInCard(table: PageTable, element: number): boolean {
  return isIn(table, element, (around) => (table.meanings[around]! & CARD) !== 0 && table.tag[around] !== BODY);
}

/** True for what is named a header inside a text and contains a title: as with that tag, it is about the text there. */
function isHeaderOfText(table: PageTable, element: number): boolean {
  const { elements, end, tag } = table;
  if (!namesOf(elements[element]!).includes("header") || !isInText(table, element)) return false;
  for (let inner = element + 1; inner < end[element]!; inner++) if (tag[inner] === TITLE) return true;
  return false;
}

function isInText(table: PageTable, element: number): boolean {
  return isIn(table, element, (around) => {
    return TEXTS.has(table.tag[around]!) || TEXT_ROLES.has(table.elements[around]!.attribs["role"] ?? "");
  });
}

function isIn({ parent }: PageTable, element: number, test: (around: number) => boolean): boolean {
  let around = parent[element]!;
  for (let step = 0; step < REACH && around >= 0; step++) {
    if (test(around)) return true;
    around = parent[around]!;
  }
  return false;
}

function namesOf({ attribs: { class: classes = "", id = "" } }: Element): string[] {
  if (classes === "") return id === "" ? [] : [id];
  return [...classes.split(/\s+/), id];
}
