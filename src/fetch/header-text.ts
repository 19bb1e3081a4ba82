/**
 * Decodes header text that was read as Latin-1, one character per byte: if the bytes are valid UTF-8, they were meant
 * as that.
 */
export function latin1OrUtf8(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
