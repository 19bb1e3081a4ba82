/** Collects a body of which only the start may be wanted. */
import { ByteList } from "./byte-list.ts";

/** Whether a body that begins with these decoded bytes is of no use. */
export type IsUnwanted = (start: Uint8Array) => boolean;

/** How much of a body is there when it is asked whether the rest is wanted; most pages are complete by then. */
export const startBytes = 128 * 1024;

export class Collected extends ByteList {
  #isUnwanted: IsUnwanted | undefined;

  constructor(isUnwanted: IsUnwanted | undefined) {
    super();
    this.#isUnwanted = isUnwanted;
  }

  /** Returns whether the rest is not wanted. */
  override add(chunk: Uint8Array): boolean {
    super.add(chunk);
    if (this.#isUnwanted === undefined || this.byteLength < startBytes) return false;
    const isUnwanted = this.#isUnwanted(this.toBuffer());
    this.#isUnwanted = undefined;
    return isUnwanted;
  }
}
