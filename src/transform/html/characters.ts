// What single characters mean within a tag.

/** Bits that tell for each character whether it ends a name or an unquoted value. */
export const ENDS_TAG_NAME = 1;
export const ENDS_ATTRIBUTE_NAME = 2;
export const ENDS_VALUE = 4;
export const IS_SPACE = 8;
const kinds = new Uint8Array(64);
for (const [characters, bits] of [
  ["\t\n\f\r ", ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE | IS_SPACE],
  ["/", ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME],
  [">", ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE],
  ["=", ENDS_ATTRIBUTE_NAME],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = bits;
}

export const isLetter = (code: number): boolean => (code | 32) >= 0x61 && (code | 32) <= 0x7a;
export const is = (code: number, kind: number): boolean => code < 64 && (kinds[code]! & kind) !== 0;
