/** A forgiving, streaming reader of XML tags and the text between them; it keeps no tree and no stack. */

interface XmlEvents {
  /** `name` as written; `attributes` is the raw text after it. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Text with entities resolved; one text may come in several calls. */
  text(text: string): void;
  end(): void;
}

/** A tag, comment or CDATA section longer than this is skipped in parts, so that no input fills the memory. */
const maxTokenLength = 64 * 1024;

type Mode = "text" | "tag" | "comment" | "cdata" | "declaration";
const endOfMode = { comment: "-->", cdata: "]]>", declaration: ">" } as const;
const starts: readonly (readonly [string, Mode])[] = [
  ["<!--", "comment"],
  ["<![CDATA[", "cdata"],
  ["<!", "declaration"],
  ["<?", "declaration"],
  ["<", "tag"],
];
const longestStart = "<![CDATA[".length;

export class XmlReader {
  readonly #events: XmlEvents;
  #buffer = "";
  #mode: Mode = "text";
  /** Characters of a tag that has not ended, in which its end was looked for: a server may send them one by one. */
  #passed = 0;

  constructor(events: XmlEvents) {
    this.#events = events;
  }

  write(piece: string): void {
    this.#buffer += piece;
    this.#read(false);
  }

  end(): void {
    this.#read(true);
    this.#events.end();
  }

  #read(atEnd: boolean): void {
    const buffer = this.#buffer;
    let position = 0;
    for (;;) {
      const next = this.#mode === "text" ? this.#readText(buffer, position, atEnd) : this.#readMarkup(buffer, position);
      if (next < 0) break;
      position = next;
    }
    this.#buffer = buffer.slice(position);
    if (this.#mode !== "text" && this.#buffer.length > maxTokenLength) this.#shorten();
  }

  /** Returns where to continue, or -1 to wait for more. */
  #readText(buffer: string, position: number, atEnd: boolean): number {
    if (position >= buffer.length) return -1;
    const tag = buffer.indexOf("<", position);
    if (tag < 0) {
      // An entity may be cut at the end of a piece; a lone "&" far from the end is text.
      const ampersand = atEnd ? -1 : buffer.indexOf("&", Math.max(position, buffer.length - 12));
      const end = ampersand < 0 ? buffer.length : ampersand;
      if (end === position) return -1;
      this.#events.text(decodeEntities(buffer.slice(position, end)));
      return end;
    }
    if (tag > position) this.#events.text(decodeEntities(buffer.slice(position, tag)));
    if (!atEnd && buffer.length - tag < longestStart && buffer.indexOf(">", tag) < 0) {
      return tag > position ? tag : -1;
    }
    const [start, mode] = starts.find(([text]) => buffer.startsWith(text, tag))!;
    this.#mode = mode;
    return tag + start.length;
  }

  #readMarkup(buffer: string, position: number): number {
    const mode = this.#mode as Exclude<Mode, "text">;
    if (mode === "tag") return this.#readTag(buffer, position);
    const end = buffer.indexOf(endOfMode[mode], position);
    if (end < 0) return -1;
    this.#mode = "text";
    if (mode === "cdata") this.#events.text(buffer.slice(position, end));
    return end + endOfMode[mode].length;
  }

  /** A tag that was never closed ends where the next begins. */
  #readTag(buffer: string, position: number): number {
    let end = position + this.#passed;
    while (end < buffer.length && buffer[end] !== ">" && buffer[end] !== "<") end++;
    const isOpen = end === buffer.length;
    this.#passed = isOpen ? end - position : 0;
    if (isOpen) return -1;
    this.#mode = "text";
    this.#tag(buffer.slice(position, end));
    return buffer[end] === ">" ? end + 1 : end;
  }

  #tag(content: string): void {
    const name = /^\/?\s*([^\s/>]*)/.exec(content)![1]!;
    if (content.startsWith("/")) this.#events.close(name);
    else this.#events.open(name, content.slice(name.length));
  }

  /** Drops an over-long token, except for what may be the beginning of its end. */
  #shorten(): void {
    if (this.#mode === "tag") this.#mode = "declaration";
    this.#passed = 0;
    this.#buffer = this.#buffer.slice(-2);
  }
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes the five entities of XML and numeric references; others stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()]!;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
