/** Small tests of single nodes of a page. */
import { type ChildNode, type Element, isTag, isText } from "domhandler";

/** True for a text without visible characters. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 32 && code !== 160 && code !== 0x200b && code !== 0xfeff && code !== 0xad) return false;
  }
  return true;
}

/** MathJax keeps formulas in scripts, which are part of the text around them. */
export function isFormula({ name, attribs }: Element): boolean {
  return name === "script" && attribs["type"]?.startsWith("math/") === true;
}

const textElements: ReadonlySet<string> = new Set("p li dd td h1 h2 h3 h4 h5 h6".split(" "));

/** True for a custom element that is a word of the sentence around it, as cross-references are in specifications. */
export function isWord({ children, next, parent, prev }: Element): boolean {
  if (parent === null || !isTag(parent) || !textElements.has(parent.name)) return false;
  const isBeside = (prev !== null && isWords(prev)) || (next !== null && isWords(next));
  return isBeside && children.length === 1 && isWords(inLink(children[0]!));
}

const inLink = (node: ChildNode): ChildNode =>
  isTag(node) && node.name === "a" && node.children.length === 1 ? node.children[0]! : node;

const isWords = (node: ChildNode): boolean => isText(node) && !isBlank(node.data);

const NOTICE_LENGTH = 200;
const LONG_NOTICE_LENGTH = 600;
/** A notice has fewer nodes than this; larger elements are not searched. */
const NOTICE_NODES = 1000;

/** A `noscript` without content: a picture in place of another, or a request to enable JavaScript. */
export function isNotice(noscript: Element): boolean {
  let text = "";
  let node: ChildNode | null = noscript.children[0] ?? null;
  for (let seen = 0; node !== null && text.length < LONG_NOTICE_LENGTH; seen++) {
    if (seen === NOTICE_NODES) return false;
    if (isText(node)) text += node.data.slice(0, LONG_NOTICE_LENGTH).trim();
    else if (isTag(node) && node.children.length > 0) {
      node = node.children[0]!;
      continue;
    }
    while (node !== null && node.next === null)
      node = node.parent === noscript ? null : (node.parent as Element | null);
    if (node !== null) node = node.next;
  }
  return text.length < NOTICE_LENGTH || (text.length < LONG_NOTICE_LENGTH && /javascript/i.test(text));
}

/** Hidden by its own markup, from sight or from screen readers; style sheets are not read. */
export function isHidden(element: Element): boolean {
  return element.attribs["aria-hidden"] === "true" || isUnseen(element);
}

/** Hidden from sight. */
export function isUnseen({ attribs: { hidden, style } }: Element): boolean {
  if (hidden !== undefined) return true;
  return style !== undefined && style.length < 2000 && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
