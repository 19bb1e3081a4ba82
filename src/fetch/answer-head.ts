/**
 * Heads of answers that break the rules of HTTP, written anew so that a strict parser reads in them what browsers do:
 * bare line feeds, folded lines, white space around names, lines that are no header, a length said twice.
 */
import type { Socket } from "node:net";
import { Duplex, Transform, type TransformCallback } from "node:stream";

/** Bytes of a head, and of the trailers behind a body. Four times Node's default: long policies and many cookies are common. */
export const maxHeaderBytes = 64 * 1024;

/** Whatever follows the status is its reason: an end that may not fit would be looked for from each space. */
const statusLine = /^HTTP\/1\.([01])\s+([1-9]\d\d)(?:\s+([\s\S]*))?$/i;
const headerName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
/** Signs that no value may hold. */
const unsaid = /[^\t\x20-\x7e\x80-\xff]+/g;

/** One head without the empty line at its end, as it should have been. What is none stays as it is. */
function mendHead(head: string): string {
  const [first = "", ...rest] = head.split(/\r?\n/);
  const [, version, statusCode, reason = ""] = statusLine.exec(first.trim()) ?? [];
  if (version === undefined) return head;
  const headers: [name: string, value: string][] = [];
  for (const line of rest) {
    const last = headers.at(-1);
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    if (/^[ \t]/.test(line) && last) last[1] += ` ${line.trim()}`;
    else if (colon > 0 && headerName.test(name)) headers.push([name, line.slice(colon + 1).trim()]);
  }
  const lines = withOneLength(headers).map(([name, value]) => `${name}: ${value.replace(unsaid, " ")}`);
  return [`HTTP/1.${version} ${statusCode} ${reason.replace(unsaid, " ")}`, ...lines].join("\r\n");
}

type Header = readonly [name: string, value: string];

/** A length that says something: no `-1` of a program that does not know it. */
const knownLength = /^\d{1,15}$/;

/** Chunks count more than a length, and a length repeated is one (RFC 9112, 6.3). Lengths that differ are still refused. */
function withOneLength(headers: readonly Header[]): readonly Header[] {
  const named = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted);
  const isChunked = named("transfer-encoding").some(([, value]) => /chunked/i.test(value));
  const said = named("content-length").flatMap(([, value]) => value.split(/[\s,]+/));
  const lengths = new Set(said.filter((length) => knownLength.test(length)));
  if (lengths.size > 1 && !isChunked) return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-length");
  return isChunked ? others : [...others, ...[...lengths].map((length): Header => ["content-length", length])];
}

/** A connection for one request, with the heads mended that come over it. */
export function withMendedHeads(socket: Socket): Duplex {
  const heads = new MendedHeads();
  socket.on("error", (error) => heads.destroy(error));
  // What has come to its end may still be read.
  socket.on("close", () => heads.writableEnded || heads.destroy());
  // Who asks hears of errors as long as there is an answer to wait for; nobody has to after that.
  heads.on("error", () => {});
  return Duplex.from({ readable: socket.pipe(heads), writable: socket }).on("error", () => {});
}

/** The bytes of one answer, its head mended, and those of interim answers before it. */
class MendedHeads extends Transform {
  /** What has come of a head; undefined behind the last one. */
  #head: string | undefined = "";

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#head === undefined) return done(null, bytes);
    let head = this.#head + bytes.toString("latin1");
    for (let end = /\r?\n\r?\n/.exec(head); end; end = /\r?\n\r?\n/.exec(head)) {
      const mended = mendHead(head.slice(0, end.index));
      head = head.slice(end.index + end[0].length);
      this.push(`${mended}\r\n\r\n`, "latin1");
      if (!/^HTTP\/1\.. 1(?!01)/.test(mended)) return this.#leaveAsIs(head, done);
    }
    // Of longer heads the parser says what is wrong.
    if (head.length > maxHeaderBytes) return this.#leaveAsIs(head, done);
    this.#head = head;
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#leaveAsIs(this.#head ?? "", done);
  }

  #leaveAsIs(bytes: string, done: TransformCallback): void {
    this.#head = undefined;
    done(null, Buffer.from(bytes, "latin1"));
  }
}
