/** Gives a truncated file a new end, which names the root object. */

import { asBuffer } from "../../shared/as-buffer.ts";

const catalog = /(\d{1,10}) (\d{1,5}) obj\s{0,9}<<(?:[^>]|>(?!>)){0,2000}?\/Type\s{0,9}\/Catalog/;

/** The bytes with a new end; `undefined` if the catalogue of the file is lost, too, or compressed. */
export function withNewEnd(bytes: Uint8Array): Uint8Array | undefined {
  const text = asBuffer(bytes);
  const at = text.indexOf("/Catalog");
  if (at < 0) return undefined;
  const found = text
    .subarray(Math.max(0, at - 2_100), at + 8)
    .toString("latin1")
    .match(catalog);
  if (found === null) return undefined;
  const end = Buffer.from(`\ntrailer\n<</Root ${found[1]} ${found[2]} R>>\nstartxref\n0\n%%EOF\n`);
  return Buffer.concat([text, end]);
}
