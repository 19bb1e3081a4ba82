/** Keeps who wrote a letter, and when, right below its subject: in the archive of a mailing list, by an address. */
import type { PageTable } from "./page-table.ts";

/** In words; a longer text says more than a name and a time. */
const LONGEST = 25;
const address = /^mailto:/i;

/** Adds to `keep`, in place, the block after the title if it links an address. `sizes` are the blocks' sizes in words. */
export function keepWriter(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const title = table.headingRanks.findIndex((rank, block) => rank === 1 && keep[block] === 1);
  const block = title + 1;
  if (title < 0 || block >= keep.length || keep[block] === 1 || sizes[block]! > LONGEST) return;
  if (linksAddress(table, block)) keep[block] = 1;
}

function linksAddress({ elements, firstText, textParent }: PageTable, block: number): boolean {
  const parents = textParent.slice(firstText[block]!, firstText[block + 1]!);
  return parents.some((parent) => address.test(elements[parent]!.attribs["href"] ?? ""));
}
