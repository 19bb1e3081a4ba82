// Pictures, and what is played or embedded.

import type { Element } from "domhandler";
import type { MarkdownContext } from "./markdown-context.ts";
import { escapeText } from "./markdown-escape.ts";
import { isFormulaImage, writeTex } from "./markdown-math.ts";
import { destination, linkTitle } from "./markdown-target.ts";
import { isElement, walkNodes } from "./walk.ts";

/** Alternative text stands in brackets; what is a sign there is not looked at closely. */
const insideLink = { before: "", after: "", inLink: true, linkFollows: true, paired: () => true };

export function writeImage(context: MarkdownContext, image: Element): void {
  const { src, alt = "", title = "" } = image.attribs;
  if (!src || isPixel(image)) return;
  if (isFormulaImage(image)) {
    writeTex(context, alt, /(?:^|\s)display/.test(image.attribs["class"] ?? ""));
    return;
  }
  const text = escapeText(alt.replace(/\s+/g, " ").trim(), insideLink);
  const isData = /^\s*data:/i.test(src);
  const target =
    isData && context.options.removeBase64Images
      ? "<Base64-Image-Removed>"
      : `${destination(src.trim())}${linkTitle(title === alt ? "" : title)}`;
  const markdown = `![${text}](${target})`;
  if (isInText(image)) context.run.raw(markdown);
  else context.run.picture(markdown);
}

/** An initial, or a face in the place of a sign. */
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

/** `iframe`, `embed`: a link to what is shown in the frame. */
export function writeEmbed(context: MarkdownContext, frame: Element): void {
  if (!isPixel(frame)) writeAsLink(context, frame, frame.attribs["src"] ?? frame.attribs["data-src"]);
}

function writeAsLink(context: MarkdownContext, element: Element, source: string | undefined): void {
  if (source === undefined || !/^https?:/i.test(source)) return;
  const { title, "aria-label": label } = element.attribs;
  const { run } = context;
  context.boundary();
  if (run.inLink) return;
  run.openLink(source, "");
  run.text(title?.trim() || label?.trim() || nameOf(source));
  run.closeLink();
  context.boundary();
}

/** Host and path: what a reader can tell a target by. */
function nameOf(source: string): string {
  const url = URL.parse(source);
  return url === null ? source : `${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}

function isPixel({ attribs }: Element): boolean {
  const tiny = (value: string | undefined) => value === "0" || value === "1" || value === "0px" || value === "1px";
  return tiny(attribs["width"]) || tiny(attribs["height"]);
}
