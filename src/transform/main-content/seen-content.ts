/** What a reader sees of a tree: text, pictures and players. */
import type { ChildNode, Document } from "domhandler";
import { following, isElement, isWrittenText } from "../html/walk.ts";
import { isPixel } from "../pixels.ts";
import { MEDIA, tagKind } from "./tags.ts";

/** Whether there is anything below the head. */
export function showsAnything(document: Document): boolean {
  let node: ChildNode | null = document.children[0] ?? null;
  while (node !== null && !isSeen(node)) node = following(node, document, !isElement(node) || node.name !== "head");
  return node !== null;
}

/** A picture that counts visitors, often the last thing of a page, is not seen. */
export const isSeen = (node: ChildNode): boolean =>
  isElement(node) ? (tagKind(node.name).flags & MEDIA) !== 0 && !isPixel(node) : isWrittenText(node);
