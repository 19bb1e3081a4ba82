// The children of the elements that are open, one after the other in one list. Each element gets its own when it ends, of
// just its length: one that grew with its element would have room for 17.

import type { ChildNode } from "domhandler";

export class ChildLists {
  /** Behind `#count` stands what has moved on to lists of their own. */
  readonly #nodes: ChildNode[] = [];
  #count = 0;
  /** Where the children of each open element begin. */
  readonly #starts: number[] = [];

  /** From now on, those of an element inside of the last one. */
  begin(): void {
    this.#starts.push(this.#count);
  }

  add(node: ChildNode): void {
    this.#nodes[this.#count++] = node;
  }

  /** The last child of the innermost element. */
  get last(): ChildNode | null {
    return this.#count > (this.#starts[this.#starts.length - 1] ?? 0) ? this.#nodes[this.#count - 1]! : null;
  }

  /** All children of the innermost element, which ends. */
  end(): ChildNode[] {
    const start = this.#starts.pop() ?? 0;
    const children = this.#nodes.slice(start, this.#count);
    this.#count = start;
    return children;
  }
}
