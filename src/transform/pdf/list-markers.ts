/** Recognises the mark at the start of a list item. */

export interface Marker {
  readonly isBullet: boolean;
  /** The number that the mark stands for; 0 for a bullet. */
  readonly value: number;
  /** Marks of one list are of one style: `1.`, `1)`, `(1)`, `a.`, `i.` … */
  readonly style: string;
  /** The text after the mark. */
  readonly rest: string;
  /** The file shows no mark, but its tags say that this is an item. */
  readonly isAssumed?: boolean;
}

/**
 * Characters with which only list items start, and what signs of symbol fonts become: private-use characters, or the
 * control characters at their places.
 */
const bullet = /^([•‣▪▫●○◦■□◆◇►▸➢➤✓✔❖·∙⁃\u25aa\uf000-\uf0ff\u0080-\u009f])\s*(.*)$/s;
/** Characters that also start other things, and must be followed by a space. */
const dash = /^([-–—*∗+o»])\s+(.*)$/s;
const number = /^(\(?)(\d{1,3}|[a-z]|[ivx]{1,5})([.)])\s+(.*)$/is;

/** The number of a clause or a section, `2.1`, and the mark of a reference, `[12]` or `[Doe19]`. */
const clauseNumber = /^\d{1,2}(?:\.\d{1,2}){1,4}\.?$/;
const referenceMark = /^\[[\p{L}\p{N}+*]{1,8}\]$/u;

/** True for a mark that is set apart from its text, so that it is not taken for a cell. */
export function isMarkOf(mark: string, text: string): boolean {
  const bare = mark.trim();
  if (markerOf(`${bare} x`)?.rest === "x" || referenceMark.test(bare)) return true;
  // Numbers in a table are next to other numbers and units.
  return clauseNumber.test(bare) && /^["“„«(]?\p{L}.*\s\p{L}/u.test(text.trim());
}

export function markerOf(text: string): Marker | undefined {
  const bulleted = text.match(bullet) ?? text.match(dash);
  if (bulleted !== null) return { isBullet: true, value: 0, style: bulleted[1]!, rest: bulleted[2]! };
  const numbered = text.match(number);
  if (numbered === null) return undefined;
  const [, open, value, close, rest] = numbered as unknown as [string, string, string, string, string];
  const kind = /\d/.test(value) ? "1" : value === value.toLowerCase() ? "a" : "A";
  return { isBullet: false, value: numberOf(value), style: open + kind + close, rest };
}

/** True for numbers in a style that markdown has. */
export function isPlainNumber({ style }: Marker): boolean {
  return /^1[.)]$/.test(style);
}

/** `i` counts as roman one: lists of letters that reach their ninth are rare. */
function numberOf(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  const roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"].indexOf(value.toLowerCase());
  return roman >= 0 ? roman + 1 : value.toLowerCase().charCodeAt(0) - 96;
}
