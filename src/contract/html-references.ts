/**
 * `&eacute;` and `&#233;` in HTML as the characters they stand for. The library fails on numbers of hundreds of digits,
 * which are infinite to it, so one page would be enough to break off the reading; they are shortened before it sees them.
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from "entities/lib/decode.js";

/** A number of more digits than the highest character has. */
const longNumber = /&#(x?)((?<=x)[\da-f]{9,}|\d{9,});?/gi;

/** Numbers as short as they can be written; those beyond all characters as what HTML makes of them. */
function withoutLongNumbers(html: string): string {
  return html.replace(longNumber, (_, sign: string, digits: string) => {
    const number = digits.replace(/^0+(?=.)/, "");
    return number.length < 9 ? `&#${sign}${number};` : "\u{fffd}";
  });
}

/** The text between tags. */
export const decodeText = (html: string): string => decodeHTML(withoutLongNumbers(html));

/** The value of an attribute: there a name needs its semicolon before letters and `=`. */
export const decodeAttribute = (html: string): string => decodeHTMLAttribute(withoutLongNumbers(html));

/** The text between tags, of which only names with a semicolon are read. */
export const decodeStrictly = (html: string): string => decodeHTMLStrict(withoutLongNumbers(html));
