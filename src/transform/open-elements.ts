// The elements whose end tags have not come yet, and the bounded way to look back through them.

import type { Element } from "domhandler";

/** How far a search goes back: further than any page that was meant, and short enough for one that was not. */
const maxLookBack = 600;

/** What a search says to one open element: this is it, go no further, or go on. */
export type Look = "found" | "stop" | "on";

export class OpenElements {
  #stack: Element[] = [];
  #counts = new Map<string, number>();

  get length(): number {
    return this.#stack.length;
  }

  /** The innermost. */
  get last(): Element | undefined {
    return this.#stack.at(-1);
  }

  at(index: number): Element | undefined {
    return this.#stack[index];
  }

  /** True when an element of this name is open anywhere. */
  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  push(element: Element): void {
    this.#stack.push(element);
    this.#counts.set(element.name, (this.#counts.get(element.name) ?? 0) + 1);
  }

  pop(): Element | undefined {
    const element = this.#stack.pop();
    if (element !== undefined) this.#counts.set(element.name, (this.#counts.get(element.name) ?? 1) - 1);
    return element;
  }

  /** The open elements from `index` inwards. */
  from(index: number): Element[] {
    return this.#stack.slice(index);
  }

  /** Looks from the innermost outwards. Gives the index of the one that was found, or -1. */
  findBack(look: (name: string) => Look): number {
    const lowest = Math.max(0, this.#stack.length - maxLookBack);
    for (let index = this.#stack.length - 1; index >= lowest; index--) {
      const answer = look(this.#stack[index]!.name);
      if (answer === "found") return index;
      if (answer === "stop") return -1;
    }
    return -1;
  }
}
