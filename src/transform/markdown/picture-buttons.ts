// Buttons around a picture that enlarge it: readers of markdown see the picture, and cannot click.

import type { Element } from "domhandler";
import { isElement, someElement, textContent, walkNodes } from "../html/walk.ts";
import type { MarkdownRule } from "./context.ts";

const toEnlarge = String.raw`(?:press enter or )?(?:click|tap|press)(?: here| on (?:the )?image)? to (?:view|enlarge|zoom|expand|open|see)\b.{0,40}`;
const enlarge =
  "(?:enlarge|zoom(?: in)?|expand|open|view (?:larger|full[ -]?size))(?: (?:this |the )?(?:image|photo|picture|version))?";
const invitation = new RegExp(`^\\s*(?:${toEnlarge}|${enlarge})\\s*$`, "i");
/** Most characters of such a text. */
const longest = 80;

const isPicture = ({ name }: Element): boolean => name === "img";

/** Whether all that a button says is that it enlarges the picture in it. */
export const enlargesPicture = (button: Element): boolean =>
  invitation.test(textContent(button, longest + 1)) && someElement(button, isPicture);

/** Only the pictures. */
export const writePictures: MarkdownRule = (context, element) => {
  walkNodes(element, (node) => {
    if (!isElement(node) || !isPicture(node)) return true;
    context.children({ children: [node] });
    return false;
  });
};
