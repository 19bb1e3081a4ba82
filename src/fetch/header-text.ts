/** Text that arrived as Latin-1, one character a byte; what is valid UTF-8 was meant as such. */
export function latin1OrUtf8(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
