/**
 * Decodes `&eacute;` and `&#233;` in HTML and XML. The library throws on numbers of hundreds of digits, which become infinite,
 * so that one page could break off the parsing; they are shortened first.
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict, decodeXML } from "entities/lib/decode.js";

/** A number of more digits than the highest character has. */
const longNumber = /&#(x?)((?<=x)[\da-f]{9,}|\d{9,});?/gi;

/** Removes leading zeros; numbers beyond all characters become what HTML makes of them. */
function withoutLongNumbers(html: string): string {
  return html.replace(longNumber, (_, sign: string, digits: string) => {
    const number = digits.replace(/^0+(?=.)/, "");
    return number.length < 9 ? `&#${sign}${number};` : "\u{fffd}";
  });
}

/** The text between tags. */
export const decodeText = (html: string): string => decodeHTML(withoutLongNumbers(html));

/** The value of an attribute, in which a name needs its semicolon before letters and `=`. */
export const decodeAttribute = (html: string): string => decodeHTMLAttribute(withoutLongNumbers(html));

/** The text between tags, decoding only names with a semicolon. */
export const decodeStrictly = (html: string): string => decodeHTMLStrict(withoutLongNumbers(html));

/** In XML, where few names are known. */
export const decodeXml = (xml: string): string => decodeXML(withoutLongNumbers(xml));
