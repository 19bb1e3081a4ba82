// Pictures, and what is played or embedded.

import { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { isElement, someElement, textContent, walkNodes } from "../html/walk.ts";
import { isPixel } from "../pixels.ts";
import type { MarkdownContext } from "./context.ts";
import { isBlankImage, removedImage } from "./embedded-images.ts";
import { escapeText, insideBrackets } from "./escape.ts";
import { isFormulaImage, writeTex } from "./math.ts";
import { destination, linkTitle } from "./target.ts";

/** A picture in place of a character that the reader's fonts may lack. */
const emojis = /^\s*(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f){1,12}\s*$/u;

export function writeImage(context: MarkdownContext, image: Element): void {
  const { src, alt = "", title = "" } = image.attribs;
  if (!src || isPixel(image) || isOrnament(image)) return;
  if (isFormulaImage(image)) {
    writeTex(context, alt, /(?:^|\s)display/.test(image.attribs["class"] ?? ""));
    return;
  }
  if (emojis.test(alt)) return context.run.text(alt.trim());
  const text = escapeText(alt.replace(/\s+/g, " ").trim(), insideBrackets);
  const isData = /^\s*data:/i.test(src);
  if (isData && context.options.removeBase64Images && image.attribs["alt"]?.trim() === "" && isBlankImage(src)) return;
  const target =
    isData && context.options.removeBase64Images
      ? `<${removedImage}>`
      : `${destination(src.trim())}${linkTitle(title === alt ? "" : title)}`;
  const markdown = `![${text}](${target})`;
  if (isInText(image)) context.run.raw(markdown);
  else context.run.picture(markdown);
}

/** True for an initial, or an emoji as a picture. */
function isInText({ attribs: { alt = "", class: className = "" } }: Element): boolean {
  const text = alt.trim();
  return text.length === 1 || /^\p{Extended_Pictographic}/u.test(text) || /emoji|smil(?:ey|ie)/i.test(className);
}

/** `video`, `audio`: a link to the file. */
export function writeMedia(context: MarkdownContext, media: Element): void {
  let source = media.attribs["src"];
  walkNodes(media, (node) => {
    if (source === undefined && isElement(node) && node.name === "source") source = node.attribs["src"];
  });
  writeAsLink(context, media, source);
}

const quotedPost = classNamed("wp-embedded-content");

/** `iframe`, `frame`, `embed`: a link to what is shown in the frame. */
export function writeEmbed(context: MarkdownContext, frame: Element): void {
  // WordPress quotes a post, with a link to it, before the frame that shows it.
  const isQuoted = quotedPost.test(frame.attribs["class"] ?? "");
  if (!isPixel(frame) && !isQuoted) writeAsLink(context, frame, frame.attribs["src"]);
}

/** `object`: its content for browsers that cannot show it, else what it shows, or a link to that. */
export function writeObject(context: MarkdownContext, object: Element): void {
  if (isPixel(object)) return;
  const { data = "", type = "", "aria-label": alt = "", title = "" } = object.attribs;
  context.boundary();
  if (holdsContent(object)) context.children(object);
  else if (/^\s*image\//i.test(type)) writeImage(context, new Element("img", { src: data, alt, title }));
  // Nobody has a player for Flash any more.
  else if (!/flash/i.test(type) && !/\.swf(?:$|[?#])/i.test(data)) writeAsLink(context, object, data);
  context.boundary();
}

const shownInObjects: ReadonlySet<string> = new Set(["img", "iframe", "video", "audio"]);

function holdsContent(object: Element): boolean {
  return textContent(object, 1000).trim() !== "" || someElement(object, ({ name }) => shownInObjects.has(name));
}

function writeAsLink(context: MarkdownContext, element: Element, source: string | undefined): void {
  if (source === undefined || !/^https?:/i.test(source)) return;
  const { title, "aria-label": label } = element.attribs;
  const { run } = context;
  context.boundary();
  if (run.inLink) return;
  run.openLink(source, "");
  run.text(title?.trim() || label?.trim() || nameOf(source, element.name === "iframe"));
  run.closeLink();
  context.boundary();
}

/** A name by which a reader recognises a target: host and path of a file; only the host of a frame. */
function nameOf(source: string, isFrame: boolean): string {
  const url = URL.parse(source);
  if (url === null) return source;
  return isFrame || url.pathname === "/" ? url.host : url.host + url.pathname;
}

/** Without alternative text, a picture says nothing; one of this size is there for its looks. */
function isOrnament({ attribs: { alt, width = "", height = "" } }: Element): boolean {
  return alt === "" && isSmall(width) && isSmall(height);
}

/** Up to 32 pixels. */
const isSmall = (size: string): boolean => /^\s*(?:[12]?\d|3[0-2])(?:px)?\s*$/.test(size);
