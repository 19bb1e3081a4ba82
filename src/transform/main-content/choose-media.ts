/** Chooses the pictures and players that stay, by the text around them, or the text before and after them. */
import type { Element } from "domhandler";
import { addUp } from "./add-up.ts";
import { classOf } from "./element-names.ts";
import { bitsOfMeanings } from "./name-words.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { isArrow } from "./pagers.ts";
import type { SmallPage } from "./small-page.ts";
import { FIGURES } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

/** How far up a picture looks for text around it. */
const MEDIA_REACH = 4;

/** How far up a text looks for an element that makes it a caption. */
const CAPTION_REACH = 4;
const LINK = tagId("a");
const BYLINE = bitsOfMeanings("byline");
const CAPTION_MEANINGS = bitsOfMeanings("figure", "overlay");
const captionName = /caption|credit|lightbox|(?:^|\s)figure(?:\s|$)/i;

/** Parts between paragraphs that do not belong to the text. */
const FOREIGN = bitsOfMeanings("advert", "share", "consent", "subscribe", "byline", "related", "navigation", "overlay");
const symbolName = /(?:^|[^a-z])(?:avatar|gravatar|icons?|logos?|emoji|smiley|pixel|spacer|sprite|badge)(?:[^a-z]|$)/i;
/** In pixels; smaller pictures are symbols. */
const SMALLEST = 50;
/** The same for frames: players and maps are larger, strips of adverts and buttons to share are not. */
const SMALLEST_FRAME = 100;
const sizeInStyle = /(?:^|[;\s])(?:width|height):\s*(\d{1,5})px/gi;

/** For each element, how many pictures and players that stay are in it. */
export function chooseMedia(table: PageTable, keep: Uint8Array, small?: SmallPage): Int32Array {
  const { arrays, blockElement, elements, parent, firstText, textParent, media, mediaText } = table;
  const shown = arrays.integers(elements.length);
  if (media.length === 0) return shown;
  const captions = findCaptions(table, keep);
  const inside = arrays.integers(elements.length);
  // Blocks that have a say. Captions have none: that a caption is not kept says nothing against its picture.
  const voices = arrays.integers(elements.length);
  const kept = arrays.integers(elements.length);
  const blockOf = arrays.integers(textParent.length);
  for (let block = 0; block < keep.length; block++) {
    for (let text = firstText[block]!; text < firstText[block + 1]!; text++) {
      const element = textParent[text]!;
      blockOf[text] = block;
      inside[element]!++;
      if (captions[block] === 1) continue;
      voices[element]!++;
      if (keep[block] === 1) kept[element]!++;
    }
  }
  for (const counts of [inside, voices, kept]) addUp(counts, parent);
  const foreign = foreignElements(table, voices);
  const before = arrays.bytes(keep.length);
  const behind = arrays.bytes(keep.length);
  for (let block = 0; block < keep.length; block++) {
    before[block] = captions[block] === 1 ? (before[block - 1] ?? 0) : keep[block]!;
  }
  // The picture above an article may come before the line about its author.
  const isSilent = (block: number): boolean =>
    captions[block] === 1 || (keep[block] === 0 && isNamed(table, blockElement[block]!, BYLINE));
  for (let block = keep.length - 1; block >= 0; block--) {
    behind[block] = isSilent(block) ? (behind[block + 1] ?? 0) : keep[block]!;
  }
  media.forEach((medium, index) => {
    // On a small page the text around a picture says little; the part of the page says more.
    const element = elements[medium]!;
    if (small?.side[medium] === 1 || isStrip(element) || isAdvert(element) || isArrow(table, medium)) return;
    if (small?.plain[medium] === 1 && !isSymbol(element)) {
      shown[medium] = 1;
      return;
    }
    // A player's text for browsers that cannot play it does not count.
    let around = inside[medium] === 0 ? medium : parent[medium]!;
    for (let step = 0; step < MEDIA_REACH && around >= 0 && voices[around] === 0; step++) around = parent[around]!;
    if (around >= 0 && voices[around]! > 0 && kept[around]! * 2 >= voices[around]!) {
      shown[medium] = 1;
      return;
    }
    const first = mediaText[index]!;
    const next = first + inside[medium]!;
    if (first === 0 || next === blockOf.length) return;
    if (before[blockOf[first - 1]!] === 0 || behind[blockOf[next]!] === 0) return;
    if (keep[blockOf[next]!] === 0 && isNamed(table, medium, BYLINE)) return;
    if (foreign[medium] === 0 && !isSymbol(element) && !isNamelessFrame(element)) shown[medium] = 1;
  });
  dropLogos(table, shown, firstText[keep.indexOf(1)] ?? 0);
  addUp(shown, parent);
  return shown;
}

/**
 * By element: not 0 if it, or an element around it without further text, is hidden or has a name that speaks against
 * it.
 */
function foreignElements({ arrays, parent, flags, meanings }: PageTable, voices: Int32Array): Int32Array {
  const foreign = arrays.integers(parent.length);
  for (let element = 0; element < foreign.length; element++) {
    const around = parent[element]!;
    foreign[element] = (meanings[element]! & FOREIGN) | (flags[element]! & IN_HIDDEN);
    if (around >= 0 && voices[around] === 0) foreign[element]! |= foreign[around]!;
  }
  return foreign;
}

/** Whether an element, or one of those around it, has a name with one of the meanings. */
function isNamed({ meanings, parent }: PageTable, element: number, meaning: number): boolean {
  let around = element;
  for (let step = 0; step < MEDIA_REACH && around >= 0; step++) {
    if ((meanings[around]! & meaning) !== 0) return true;
    around = parent[around]!;
  }
  return false;
}

/** A frame that neither has a title nor may fill the screen seldom shows what the text is about. */
function isNamelessFrame({ name, attribs }: Element): boolean {
  return name === "iframe" && !attribs["title"]?.trim() && attribs["allowfullscreen"] === undefined;
}

/** A frame too narrow or too low to show anything but a button or an advert. */
function isStrip(element: Element): boolean {
  if (!isNamelessFrame(element)) return false;
  const { width = "", height = "", style = "" } = element.attribs;
  const sizes = [width, height].filter((size) => /^\s*\d{1,5}(?:px)?\s*$/.test(size));
  for (const [, size] of style.matchAll(sizeInStyle)) sizes.push(size!);
  return sizes.some((size) => Number.parseInt(size, 10) < SMALLEST_FRAME);
}

const advertName = /(?:^|[^a-z])(?:ads?|advert(?:s|isements?|ising)?|sponsored)(?:[^a-z]|$)/i;
/** A part of the host's name or a folder that adverts come from. */
const advertPlace = /(?:^|[./])(?:ads?\d?|adserv(?:er|ice)|adframe|pagead|googleads|doubleclick|safeframe)(?=[./])/i;

/** A frame that says of itself that it shows an advert, or comes from where adverts do. */
function isAdvert({ name, attribs }: Element): boolean {
  if (name !== "iframe") return false;
  const { title = "", id = "", name: ownName = "", class: names = "", src = "" } = attribs;
  if ([title, id, ownName, names].some((text) => advertName.test(text))) return true;
  const source = URL.parse(src);
  return source !== null && advertPlace.test(source.host + source.pathname);
}

function isSymbol({ attribs: { width = "", height = "", src = "", alt = "", class: name = "" } }: Element): boolean {
  if (Number.parseInt(width, 10) < SMALLEST || Number.parseInt(height, 10) < SMALLEST) return true;
  return symbolName.test(`${name} ${alt} ${src.startsWith("data:") ? "" : src}`);
}

const pictureFile = /\.(?:jpe?g|png|gif|webp|avif)(?:$|[?#])/i;

/** More of them are the way into a shop. */
const MOST_LOGOS = 2;

/**
 * Hides, in place, pictures that lead elsewhere, above all kept text and apart from it by other text: logos and adverts.
 */
function dropLogos(table: PageTable, shown: Int32Array, start: number): void {
  const { media, mediaText } = table;
  const logos = media.filter((medium, index) => {
    return shown[medium] === 1 && mediaText[index]! < start && leadsAway(table, medium);
  });
  if (logos.length <= MOST_LOGOS) for (const logo of logos) shown[logo] = 0;
}

/** True for a picture in a link to another page, not to the picture itself. */
function leadsAway({ elements, parent, tag }: PageTable, medium: number): boolean {
  const around = parent[medium]!;
  if (around < 0 || tag[around] !== LINK) return false;
  const { href = "" } = elements[around]!.attribs;
  return href !== "" && !href.startsWith("#") && !href.startsWith("javascript:") && !pictureFile.test(href);
}

/** 1 for each block that is not kept and is a caption. */
function findCaptions(
  { arrays, blockElement, elements, parent, tag, meanings }: PageTable,
  keep: Uint8Array,
): Uint8Array {
  const captions = arrays.bytes(keep.length);
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1) continue;
    let element = blockElement[block]!;
    for (let step = 0; step < CAPTION_REACH && element >= 0; step++) {
      const named = (meanings[element]! & CAPTION_MEANINGS) !== 0;
      if (FIGURES.has(tag[element]!) || (named && captionName.test(classOf(elements[element]!)))) {
        captions[block] = 1;
        break;
      }
      element = parent[element]!;
    }
  }
  return captions;
}
