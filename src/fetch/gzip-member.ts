/**
 * Decodes the first member of a gzip body (RFC 1952) and passes over what follows it: some programs append text to
 * everything that they send. Node's decoder takes anything there for another member.
 */
import { crc32, inflateRawSync, type ZlibOptions } from "node:zlib";
import { asBuffer } from "../shared/as-buffer.ts";

/** Bits of the flags in the header. */
const [headerChecksum, extraField, name, comment] = [2, 4, 8, 16] as const;

/** Throws if the member is damaged. */
export function firstMember(bytes: Uint8Array, options: ZlibOptions): Uint8Array {
  const body = asBuffer(bytes).subarray(headerLength(bytes));
  const { buffer, engine } = inflateRawSync(body, { ...options, info: true }) as unknown as Informed;
  const end = engine.bytesWritten;
  if (end + 4 > body.byteLength || body.readUInt32LE(end) !== crc32(buffer)) throw new Error("The check sum is wrong");
  return buffer;
}

/** What Node's decoders return with `info`. */
interface Informed {
  readonly buffer: Uint8Array;
  /** Its bytes written are those of the input that it has used. */
  readonly engine: { readonly bytesWritten: number };
}

function headerLength(bytes: Uint8Array): number {
  const [, , , flags = 0] = bytes;
  let at = 10;
  if (flags & extraField) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const text of [name, comment]) if (flags & text) at = bytes.indexOf(0, at) + 1;
  return flags & headerChecksum ? at + 2 : at;
}
