/** Reads which character encoding a body declares: in its content-type header, in a `<meta>`, in an XML declaration. */

import { asBuffer } from "../../shared/as-buffer.ts";

/** How far into a body a declaration is searched for. The standard says 1,024 bytes; many pages have it later. */
const declarationWindow = 16_384;

/** The charset parameter of a content-type header, as written. */
export function charsetOfHeader(contentType: string | undefined): string | undefined {
  return contentType?.slice(0, 1_000).match(/charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';,]+)/i)?.[1];
}

/** The charset named in the first bytes of the markup, as written. Comments are ignored. */
export function charsetOfMarkup(bytes: Uint8Array): string | undefined {
  const head = asBuffer(bytes, declarationWindow).toString("latin1");
  return charsetOfXmlDeclaration(head) ?? charsetOfMeta(head);
}

function charsetOfXmlDeclaration(head: string): string | undefined {
  if (!head.startsWith("<?xml")) return undefined;
  const declaration = head.slice(0, head.indexOf("?>") + 1);
  return declaration.match(/\sencoding\s{0,9}=\s{0,9}["']([^"']{1,40})["']/)?.[1];
}

const metaStart = /<meta[\s/]/iy;

function charsetOfMeta(head: string): string | undefined {
  for (let at = head.indexOf("<"); at >= 0; at = head.indexOf("<", at + 1)) {
    if (head.startsWith("<!--", at)) {
      // `<!-->` is a complete comment: its end may share the dashes of its start.
      const end = head.indexOf("-->", at + 2);
      if (end < 0) return undefined;
      at = end;
      continue;
    }
    metaStart.lastIndex = at;
    if (!metaStart.test(head)) continue;
    const { attributes, end } = attributesAt(head, metaStart.lastIndex);
    const charset = charsetOfAttributes(attributes);
    if (charset !== undefined) return charset;
    at = end - 1;
  }
  return undefined;
}

function charsetOfAttributes(attributes: Map<string, string>): string | undefined {
  const charset = attributes.get("charset");
  if (charset !== undefined) return charset.trim();
  if (attributes.get("http-equiv")?.toLowerCase() !== "content-type") return undefined;
  return charsetOfHeader(attributes.get("content"));
}

// The length of values is limited, so that markup full of open quotes stays cheap.
const attribute =
  /[\s/]{0,99}([^\s=>/]{1,99})(?:\s{0,9}=\s{0,9}(?:"([^"]{0,999})"|'([^']{0,999})'|([^\s>"'][^\s>]{0,999})))?/y;

function attributesAt(head: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let end = start;
  attribute.lastIndex = start;
  for (let found = attribute.exec(head); found !== null; found = attribute.exec(head)) {
    const name = found[1]!.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, found[2] ?? found[3] ?? found[4] ?? "");
    end = attribute.lastIndex;
  }
  return { attributes, end };
}
