// Runs a caller's CSS selectors. Both the selector and the page may be hostile, so the work is counted.

import { compile } from "css-select";
import type { AnyNode, ChildNode, Document, Element, Text } from "domhandler";
import * as domutils from "domutils";
import { RequestError } from "../errors.ts";
import type { Steps } from "../shared/turn.ts";
import { checkSelectors } from "./check-selectors.ts";
import { following, isElement, walkNodes } from "./html/walk.ts";
import { TakesLong } from "./takes-long.ts";

/** Most nodes that one set of selectors may visit; some seconds of work. */
const maxSteps = 50_000_000;

type Predicate = (element: Element) => boolean;

/**
 * The elements that any of the selectors matches, in document order; nothing inside a match is examined. May be
 * interrupted between two nodes.
 *
 * @param mostSteps most nodes that may be examined
 * @throws RequestError `BAD_REQUEST` for a selector that is not valid, or costs too much on this page
 * @throws TakesLong when it takes more than `mostSteps`
 */
export function* selectOutermost(
  document: Document,
  selectors: readonly string[],
  mostSteps: number,
): Steps<Element[]> {
  const details = checkSelectors(selectors);
  if (details.length > 0) throw new RequestError("BAD_REQUEST", `A selector ${details[0]!.message}`, { details });
  const tests = compileCounted(selectors, mostSteps);
  const matches: Element[] = [];
  let next: ChildNode | null = document.children[0] ?? null;
  while (next !== null) {
    const node: ChildNode = next;
    const isMatch = isElement(node) && tests.some((test) => test(node));
    if (isMatch) matches.push(node);
    next = following(node, document, !isMatch);
    yield;
  }
  return matches;
}

function compileCounted(selectors: readonly string[], mostSteps: number): Predicate[] {
  let steps = 0;
  const count = (more: number) => {
    steps += more;
    if (steps > mostSteps) throw new TakesLong();
    if (steps > maxSteps) throw new RequestError("BAD_REQUEST", "The CSS selectors take too much work on this page");
  };
  const adapter = {
    ...domutils,
    getAttributeValue: (element: Element, name: string) =>
      Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined,
    getChildren: (node: AnyNode) => {
      const children = domutils.getChildren(node);
      count(children.length);
      return children;
    },
    getSiblings: (node: AnyNode) => {
      const siblings = domutils.getSiblings(node);
      count(siblings.length);
      return siblings;
    },
    getParent: (element: Element) => {
      count(1);
      return domutils.getParent(element);
    },
    // Called for every element around a text, so its nodes are counted too.
    getText: (root: AnyNode) => {
      let text = "";
      walkNodes(root as Element, (node) => {
        const said = isElement(node) && node.name === "br" ? "\n" : node.type === "text" ? (node as Text).data : "";
        count(1 + said.length);
        text += said;
      });
      return text;
    },
    existsOne: (test: Predicate, nodes: AnyNode[]) =>
      domutils.existsOne((element) => {
        count(1);
        return test(element);
      }, nodes),
  };
  const adapterOfFrames = { ...adapter, getName: authorsName };
  return selectors.map(
    (selector) =>
      compile<AnyNode, Element>(selector, { adapter: namesFrames(selector) ? adapterOfFrames : adapter }) as Predicate,
  );
}

/** Whether a selector names frames as in the original page, rather than as the browser wrote them here. */
const namesFrames = (selector: string): boolean => /\biframe\b/i.test(selector) && !selector.includes(frameMark);

/** The mark on a `div` with the content of a frame, as written by the browser. */
const frameMark = "data-original-tag";

const authorsName = (element: Element): string => element.attribs[frameMark] ?? element.name;
