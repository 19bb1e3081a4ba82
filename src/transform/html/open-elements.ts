// The elements whose end tags have not come yet, with a limited search back through them.

import type { Element } from "domhandler";
import { emptyList } from "../empty-list.ts";
import type { ElementKind } from "./element-kinds.ts";

/** How far back a search goes: further than any honest page needs, and short enough for a hostile one. */
const maxLookBack = 600;

/** The verdict of a search about one open element: found, stop here, or continue. */
type Look = "found" | "stop" | "on";

export class OpenElements {
  #elements: Element[] = emptyList();
  #kinds: ElementKind[] = emptyList();

  get length(): number {
    return this.#elements.length;
  }

  /** The innermost. */
  get last(): Element | undefined {
    return this.#elements[this.#elements.length - 1];
  }

  get lastKind(): ElementKind | undefined {
    return this.#kinds[this.#kinds.length - 1];
  }

  at(index: number): Element | undefined {
    return this.#elements[index];
  }

  push(element: Element, kind: ElementKind): void {
    this.#elements.push(element);
    this.#kinds.push(kind);
    kind.open++;
  }

  /** Must not be called if no element is open. */
  pop(): ElementKind {
    this.#elements.pop();
    const kind = this.#kinds.pop()!;
    kind.open--;
    return kind;
  }

  /** The open elements from `index` inwards. */
  from(index: number): Element[] {
    return this.#elements.slice(index);
  }

  /** Searches from the innermost element outwards. Returns the index of the element found, or -1. */
  findBack(look: (kind: ElementKind) => Look): number {
    const lowest = Math.max(0, this.#kinds.length - maxLookBack);
    for (let index = this.#kinds.length - 1; index >= lowest; index--) {
      const answer = look(this.#kinds[index]!);
      if (answer === "found") return index;
      if (answer === "stop") return -1;
    }
    return -1;
  }
}
