/** Writes Shift_JIS, which the platform can only read: the decoder's table, turned round. */

function encoderTable(): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder("shift_jis");
  const table = new Map<string, readonly number[]>();
  const learn = (...bytes: readonly number[]): void => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (!character.includes("\u{fffd}") && !table.has(character)) table.set(character, bytes);
  };
  for (let byte = 0; byte < 0x80; byte++) learn(byte);
  for (let lead = 0x81; lead <= 0x9f; lead++) for (let trail = 0x40; trail <= 0xfc; trail++) learn(lead, trail);
  for (let lead = 0xe0; lead <= 0xef; lead++) for (let trail = 0x40; trail <= 0xfc; trail++) learn(lead, trail);
  return table;
}

/** HTML as Shift_JIS; what has no place in it becomes a character reference. */
export function encodeShiftJis(html: string): Uint8Array {
  const table = encoderTable();
  const bytes: number[] = [];
  for (const character of html) {
    bytes.push(...(table.get(character) ?? Buffer.from(`&#${character.codePointAt(0)};`)));
  }
  return Uint8Array.from(bytes);
}
