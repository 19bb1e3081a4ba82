// Joins finished blocks, with quote marks, list markers, indentation and blank lines.

import type { Repetition } from "./repetition.ts";

interface Container {
  readonly prefix: string;
  readonly first: string | undefined;
  readonly writes: number;
  /** Undefined for what goes on with an item: what begins in it decides. */
  readonly tight: boolean | undefined;
}

/** Deeper quotes and lists stay at this depth, so that a page cannot make each line as long as it is deep. */
const maxContainers = 24;

export class MarkdownOutput {
  readonly #repetition: Repetition;
  #parts: string[] = [];
  #containers: Container[] = [];
  /** The prefix of every line. */
  #prefix = "";
  /** The prefix of the next line instead, while list markers wait for their first block. */
  #first: string | undefined;
  /** The prefix of a blank line: the containers that are open on both sides of it. */
  #blank = "";
  #writes = 0;
  #blankLines = 0;
  /** How many containers are written around a block. */
  #mostContainers = maxContainers;

  constructor(repetition: Repetition) {
    this.#repetition = repetition;
  }

  /** Number of blocks so far. */
  get writes(): number {
    return this.#writes;
  }

  /** Number of blank lines between blocks so far. */
  get blankLines(): number {
    return this.#blankLines;
  }

  /** The innermost open container; a different object for each one that is opened. */
  get container(): object {
    return this.#containers.at(-1) ?? this;
  }

  /** True if a list marker is waiting for its first block. */
  get atMarker(): boolean {
    return this.#first !== undefined;
  }

  /**
   * Opens a quote or a list item: `marker` is the prefix of its first line, `continuation` that of the others. A
   * `tight` one begins right below the block before it, without a blank line. A blank marker goes on with an item.
   */
  open(marker: string, continuation: string, tight = false): void {
    const goesOn = marker.trimStart() === "";
    this.#containers.push({
      prefix: this.#prefix,
      first: this.#first,
      writes: this.#writes,
      tight: goesOn ? undefined : tight,
    });
    if (this.#containers.length > this.#mostContainers) return;
    this.#first = (this.#first ?? this.#prefix) + marker;
    this.#prefix += continuation;
  }

  close(): void {
    const container = this.#containers.pop();
    if (container === undefined) return;
    this.#prefix = container.prefix;
    // A container without content leaves no trace.
    this.#first = container.writes === this.#writes ? container.first : undefined;
    if (this.#blank.length > this.#prefix.length) this.#blank = this.#prefix;
  }

  /** Adds a block of one or more lines. */
  write(block: string): void {
    const tight = this.#opensTight();
    if (this.#prefix !== "" && !this.#repetition.take(this.#prefixLength(block))) this.#leaveContainers();
    if (this.#writes++ > 0) {
      if (tight) this.#parts.push("\n");
      else {
        this.#parts.push("\n", this.#blank.trimEnd(), "\n");
        this.#blankLines++;
      }
    }
    const first = this.#first ?? this.#prefix;
    if (!block.includes("\n")) this.#parts.push(first, block);
    else this.#writeLines(block, first);
    this.#first = undefined;
    this.#blank = this.#prefix;
  }

  /** Characters before the lines of the block, and in the blank line above it. */
  #prefixLength(block: string): number {
    let lines = 2;
    for (let end = block.indexOf("\n"); end !== -1; end = block.indexOf("\n", end + 1)) lines++;
    return lines * this.#prefix.length;
  }

  /** Writes everything from here on without the containers that it is in. */
  #leaveContainers(): void {
    this.#mostContainers = 0;
    this.#prefix = "";
    this.#blank = "";
    this.#first = undefined;
    this.#containers = this.#containers.map((container) => ({ ...container, prefix: "", first: undefined }));
  }

  /** True if the outermost of the containers that begin with the next block is tight. */
  #opensTight(): boolean {
    let opensTight = false;
    for (let index = this.#containers.length - 1; index >= 0; index--) {
      const { writes, tight } = this.#containers[index]!;
      if (writes !== this.#writes) break;
      opensTight = tight ?? opensTight;
    }
    return opensTight;
  }

  #writeLines(block: string, first: string): void {
    if (this.#prefix === "") {
      this.#parts.push(first, block);
      return;
    }
    const bare = this.#prefix.trimEnd();
    block.split("\n").forEach((line, index) => {
      if (index > 0) this.#parts.push("\n", line === "" ? bare : this.#prefix, line);
      else this.#parts.push(first, line);
    });
  }

  toString(): string {
    return this.#parts.join("");
  }
}
