// Writes a tree as HTML text, without recursion.

import type { ChildNode, Comment, Element, ParentNode, ProcessingInstruction, Text } from "domhandler";
import { rawTextElements, voidElements } from "./html-elements.ts";
import { isElement } from "./walk.ts";

const escapeText = (text: string): string =>
  /[&<>\u00a0]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    : text;

const escapeAttribute = (value: string): string =>
  /[&"\u00a0]/.test(value)
    ? value.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll('"', "&quot;")
    : value;

/** The HTML of everything below `root`. */
export function writeHtml(root: ParentNode): string {
  let html = "";
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null) {
    let next: ChildNode | null = null;
    if (isElement(node)) {
      html += startTag(node);
      next = node.children[0] ?? null;
      if (next === null) html += endTag(node);
    } else html += leaf(node);
    while (next === null) {
      next = node.next;
      if (next !== null) break;
      const parent: ParentNode | null = node.parent;
      if (parent === null || parent === root) return html;
      node = parent as ChildNode;
      if (isElement(node)) html += endTag(node);
    }
    node = next;
  }
  return html;
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
    tag += value === "" ? ` ${key}` : ` ${key}="${escapeAttribute(value)}"`;
  }
  return `${tag}>`;
}

const endTag = ({ name }: Element): string => (voidElements.has(name) ? "" : `</${name}>`);
