/** The same bytes, or the first of them, as a buffer: nothing is copied, and a buffer is searched ten times as fast. */
export function asBuffer(bytes: Uint8Array, most = bytes.byteLength): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most));
}
