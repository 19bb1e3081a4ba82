/**
 * `:nth-child()` and its kind, by places that are counted once for each parent. The library counts the siblings before
 * each element again, which takes seconds on a table of 20,000 rows.
 */
import type { Element, ParentNode } from "domhandler";
import nthCheck from "nth-check";
import { isElement } from "./html/walk.ts";

/** How many elements are before and after one among its siblings: of any name, and of its own. */
class Place {
  readonly before: number;
  readonly beforeOfName: number;
  after = 0;
  afterOfName = 0;

  constructor(before: number, beforeOfName: number) {
    this.before = before;
    this.beforeOfName = beforeOfName;
  }
}

const plain: Readonly<Record<string, (place: Place) => boolean>> = {
  "first-child": ({ before }) => before === 0,
  "last-child": ({ after }) => after === 0,
  "only-child": ({ before, after }) => before + after === 0,
  "first-of-type": ({ beforeOfName }) => beforeOfName === 0,
  "last-of-type": ({ afterOfName }) => afterOfName === 0,
  "only-of-type": ({ beforeOfName, afterOfName }) => beforeOfName + afterOfName === 0,
};

const numbered: Readonly<Record<string, (place: Place) => number>> = {
  "nth-child": ({ before }) => before,
  "nth-last-child": ({ after }) => after,
  "nth-of-type": ({ beforeOfName }) => beforeOfName,
  "nth-last-of-type": ({ afterOfName }) => afterOfName,
};

type Pseudo = ((element: Element) => boolean) | ((element: Element, formula?: string | null) => boolean);

/**
 * The pseudo-classes in the form that the library wants, for a tree that does not change meanwhile.
 *
 * @param nameOf by which name an element is found
 * @param count called with the number of nodes that were looked at
 */
export function siblingPseudos(
  nameOf: (element: Element) => string,
  count: (nodes: number) => void,
): Record<string, Pseudo> {
  const places = new Map<Element, Place>();
  const formulas = new Map<string, (place: number) => boolean>();

  function placeOf(element: Element): Place | undefined {
    if (!places.has(element) && element.parent !== null) countPlaces(element.parent);
    return places.get(element);
  }

  function countPlaces({ children }: ParentNode): void {
    count(children.length);
    const totals = new Map<string, number>();
    const elements = children.filter(isElement);
    for (const [before, element] of elements.entries()) {
      const name = nameOf(element);
      const beforeOfName = totals.get(name) ?? 0;
      totals.set(name, beforeOfName + 1);
      places.set(element, new Place(before, beforeOfName));
    }
    for (const element of elements) {
      const place = places.get(element)!;
      place.after = elements.length - 1 - place.before;
      place.afterOfName = totals.get(nameOf(element))! - 1 - place.beforeOfName;
    }
  }

  function fits(formula: string, place: number): boolean {
    const test = formulas.get(formula) ?? nthCheck(formula);
    formulas.set(formula, test);
    return test(place);
  }

  const pseudos: Record<string, Pseudo> = {};
  for (const [name, test] of Object.entries(plain)) {
    pseudos[name] = (element: Element) => {
      const place = placeOf(element);
      return place !== undefined && test(place);
    };
  }
  for (const [name, number] of Object.entries(numbered)) {
    pseudos[name] = (element: Element, formula?: string | null) => {
      const place = placeOf(element);
      return place !== undefined && fits(formula ?? "", number(place));
    };
  }
  return pseudos;
}
