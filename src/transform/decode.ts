// Bytes to text (stub).
export function decodeBody(
  bytes: Uint8Array,
  _contentType: string | undefined,
  _options: { rendered: boolean },
): string {
  return new TextDecoder().decode(bytes);
}
