/** The encoding that a byte-order mark at the beginning of a file stands for; UTF-8 needs none. */
export function markedEncoding([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
