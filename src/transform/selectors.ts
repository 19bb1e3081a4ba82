// Runs a caller's CSS selectors. Both the selector and the page may be hostile, so the work is counted.

import { compile } from "css-select";
import type { AnyNode, ChildNode, Document, Element, Text } from "domhandler";
import * as domutils from "domutils";
import { RequestError, ScrapeError } from "../errors.ts";
import type { Steps } from "../shared/turn.ts";
import { checkSelectors } from "./check-selectors.ts";
import { following, isElement, walkNodes } from "./html/walk.ts";
import { siblingPseudos } from "./sibling-places.ts";
import { TakesLong } from "./takes-long.ts";

/** Most nodes that one set of selectors may visit; some seconds of work. */
const maxSteps = 50_000_000;
/** What the library does with all siblings of an element, without looking at each, takes much less time than a visit. */
const passedSibling = 1 / 16;
/** Going through siblings one by one does, too. */
const visitedSibling = 1 / 4;
/** A value is read from its beginning to its end. */
const readCharacter = 1 / 64;
/** Testing an element against the selector in `:has()` takes longer. */
const innerTest = 3;

/** How many selectors an element is tested against without an interruption. */
const testsAtOnce = 16;

type Predicate = (element: Element) => boolean;

/**
 * The elements that any of the selectors matches, in document order; nothing inside a match is examined. May be
 * interrupted between two nodes, and between two selectors.
 *
 * @param mostSteps most nodes that may be examined
 * @throws RequestError `BAD_REQUEST` for a selector that is not valid
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` if the page is too large for the selectors
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
    let isMatch = false;
    for (let at = 0; !isMatch && at < tests.length && isElement(node); at++) {
      // Some selectors read long attributes, and there may be hundreds of them.
      if (at % testsAtOnce === testsAtOnce - 1) yield;
      isMatch = tests[at]!(node);
    }
    if (isMatch) matches.push(node as Element);
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
    if (steps > maxSteps) throw tooLarge();
  };
  const adapter = {
    ...domutils,
    getAttributeValue: (element: Element, name: string) => {
      const value = Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined;
      if (value !== undefined) count(value.length * readCharacter);
      return value;
    },
    getChildren: (node: AnyNode) => {
      const children = domutils.getChildren(node);
      count(children.length);
      return children;
    },
    getSiblings: (node: AnyNode) => {
      const siblings = domutils.getSiblings(node);
      count(siblings.length * passedSibling);
      return siblings;
    },
    // Called for each sibling that is looked at, and before each step to a parent.
    isTag: (node: AnyNode) => {
      count(visitedSibling);
      return isElement(node);
    },
    prevElementSibling: (node: AnyNode) => {
      let { prev } = node;
      for (; prev !== null && !isElement(prev); prev = prev.prev) count(visitedSibling);
      return prev;
    },
    getParent: (element: Element) => {
      count(1);
      return domutils.getParent(element);
    },
    // Called for every element around a text, so its nodes are counted too.
    getText: (root: AnyNode) => {
      if (!("children" in root)) return root.type === "text" ? (root as Text).data : "";
      let text = "";
      walkNodes(root as Element, (node) => {
        const said = isElement(node) && node.name === "br" ? "\n" : node.type === "text" ? (node as Text).data : "";
        count(1 + said.length);
        text += said;
      });
      return text;
    },
    existsOne: (test: Predicate, nodes: AnyNode[]) => {
      // The list may be one that was made of all siblings that follow.
      count(nodes.length);
      return domutils.existsOne((element) => {
        count(innerTest);
        return test(element);
      }, nodes);
    },
  };
  const optionsOf = (getName: (element: Element) => string) => ({
    adapter: { ...adapter, getName },
    pseudos: siblingPseudos(getName, count),
  });
  const [plain, ofFrames] = [optionsOf(domutils.getName), optionsOf(authorsName)];
  return selectors.map((selector) => {
    const test = compile<AnyNode, Element>(selector, namesFrames(selector) ? ofFrames : plain) as Predicate;
    return (element) => {
      count(visitedSibling);
      return test(element);
    };
  });
}

const tooLarge = (): ScrapeError =>
  new ScrapeError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    "The page is too large for the CSS selectors: they take too much work",
  );

/** Whether a selector names frames as in the original page, rather than as the browser wrote them here. */
const namesFrames = (selector: string): boolean => /\biframe\b/i.test(selector) && !selector.includes(frameMark);

/** The mark on a `div` with the content of a frame, as written by the browser. */
const frameMark = "data-original-tag";

const authorsName = (element: Element): string => element.attribs[frameMark] ?? element.name;
