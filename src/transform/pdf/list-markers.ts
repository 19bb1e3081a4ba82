/** Recognises the mark at the start of a list item. */

export interface Marker {
  readonly isBullet: boolean;
  /** The number that the mark stands for; 0 for a bullet. */
  readonly value: number;
  /** Marks of one list are of one style: `1.`, `1)`, `(1)`, `a.`, `i.` … */
  readonly style: string;
  /** The text after the mark. */
  readonly rest: string;
  /** The file shows none, but its tags say that this is an item. */
  readonly isAssumed?: boolean;
}

/** Signs that nothing but a list item starts with, and letters of symbol fonts without a meaning of their own. */
const bullet = /^([•‣▪▫●○◦■□◆◇►▸➢➤✓✔❖·∙⁃\u25aa\uf000-\uf0ff])\s*(.*)$/s;
/** Signs that start other things too, and need a space after them. */
const dash = /^([-–—*+o»])\s+(.*)$/s;
const number = /^(\(?)(\d{1,3}|[a-z]|[ivx]{1,5})([.)])\s+(.*)$/is;

export function markerOf(text: string): Marker | undefined {
  const bulleted = text.match(bullet) ?? text.match(dash);
  if (bulleted !== null) return { isBullet: true, value: 0, style: bulleted[1]!, rest: bulleted[2]! };
  const numbered = text.match(number);
  if (numbered === null) return undefined;
  const [, open, value, close, rest] = numbered as unknown as [string, string, string, string, string];
  const kind = /\d/.test(value) ? "1" : value === value.toLowerCase() ? "a" : "A";
  return { isBullet: false, value: numberOf(value), style: open + kind + close, rest };
}

/** `i` counts as roman one: lists of letters that reach their ninth are rare. */
function numberOf(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  const roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"].indexOf(value.toLowerCase());
  return roman >= 0 ? roman + 1 : value.toLowerCase().charCodeAt(0) - 96;
}
