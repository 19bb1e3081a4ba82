// The elements whose end tags have not come yet, and the bounded way to look back through them.

import type { Element } from "domhandler";
import type { ElementKind } from "./element-kinds.ts";

/** How far a search goes back: further than any page that was meant, and short enough for one that was not. */
const maxLookBack = 600;

/** What a search says to one open element: this is it, go no further, or go on. */
export type Look = "found" | "stop" | "on";

export class OpenElements {
  #elements: Element[] = [];
  #kinds: ElementKind[] = [];

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

  /** Not to be asked when none is open. */
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

  /** Looks from the innermost outwards. Gives the index of the one that was found, or -1. */
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
