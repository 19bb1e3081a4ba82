// Writes a tree as HTML text, without recursion.

import type { ChildNode, Comment, Element, ParentNode, ProcessingInstruction, Text } from "domhandler";
import { rawTextElements, voidElements } from "./elements.ts";
import { isElement } from "./walk.ts";

/** Text as the content of an element. */
export const escapeText = (text: string): string =>
  /[&<>\u00a0]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    : text;

/** An attribute value, for use within double quotes. */
export const escapeAttribute = (value: string): string =>
  /[&"\u00a0]/.test(value)
    ? value.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll('"', "&quot;")
    : value;

/** The HTML of everything below `root`. */
export function writeHtml(root: ParentNode): string {
  return root.children.map(writeNode).join("");
}

/** The HTML of a node and everything below it. */
export function writeNode(start: ChildNode): string {
  // Joined at the end: a string built by concatenation keeps every piece alive, and through them the whole page.
  const html: string[] = [];
  let node = start;
  for (;;) {
    const inner: ChildNode | undefined = isElement(node) ? node.children[0] : undefined;
    html.push(isElement(node) ? startTag(node) : leaf(node));
    if (inner !== undefined) {
      node = inner;
      continue;
    }
    if (isElement(node)) html.push(endTag(node));
    while (node !== start && node.next === null) {
      node = node.parent as ChildNode;
      if (isElement(node)) html.push(endTag(node));
    }
    if (node === start) return html.join("");
    node = node.next as ChildNode;
  }
}

function leaf(node: ChildNode): string {
  if (node.type === "text") {
    const { data, parent } = node as Text;
    return parent !== null && "name" in parent && rawTextElements.has(parent.name) ? data : escapeText(data);
  }
  if (node.type === "comment") return `<!--${(node as Comment).data}-->`;
  if (node.type === "directive") return `<${(node as ProcessingInstruction).data}>`;
  return "";
}

function startTag({ name, attribs }: Element): string {
  let tag = `<${name}`;
  for (const key of Object.keys(attribs)) {
    const value = attribs[key]!;
    // After an attribute without a value, such a name would be its value.
    if (key.startsWith("=")) continue;
    tag += value === "" ? ` ${key}` : ` ${key}="${escapeAttribute(value)}"`;
  }
  return `${tag}>`;
}

const endTag = ({ name }: Element): string => (voidElements.has(name) ? "" : `</${name}>`);
