// The children of the open elements, one after the other in one list. Each element gets a list of its own when it ends,
// with exactly the right length: a list that grows reserves room for 17.

import type { ChildNode } from "domhandler";
import { emptyList } from "../empty-list.ts";

export class ChildLists {
  /** Entries from `#count` on have already been moved to lists of their own. */
  readonly #nodes: ChildNode[] = emptyList();
  #count = 0;
  /** Where the children of each open element begin. */
  readonly #starts: number[] = [];

  /** Begins the children of an element within the last one. */
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

  /** Ends the innermost element, and returns all its children. */
  end(): ChildNode[] {
    const start = this.#starts.pop() ?? 0;
    const children = this.#nodes.slice(start, this.#count);
    this.#count = start;
    return children;
  }
}
