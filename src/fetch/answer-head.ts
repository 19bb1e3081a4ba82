/**
 * Repairs heads of answers that break the rules of HTTP, so that a strict parser reads them as browsers do: bare line
 * feeds, folded lines, white space around names, lines that are no header, a repeated length.
 */
import type { Socket } from "node:net";
import { Duplex, Transform, type TransformCallback } from "node:stream";

/**
 * Most bytes of a head, and of the trailers after a body. Four times Node's default: long policies and many cookies are
 * common.
 */
export const maxHeaderBytes = 64 * 1024;

/**
 * Whatever follows the status is its reason. A pattern with an end that may not match would be tried from each space.
 */
const statusLine = /^HTTP\/1\.([01])\s+([1-9]\d\d)(?:\s+([\s\S]*))?$/i;
const headerName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
/** Characters that no value may contain. */
const unsaid = /[^\t\x20-\x7e\x80-\xff]+/g;

/** The repaired form of a head, without the empty line at its end. Anything that is no head stays as it is. */
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

/** A usable length: not the `-1` of a program that does not know it. */
const knownLength = /^\d{1,15}$/;

/**
 * Chunked coding overrides a length, and a repeated length counts once (RFC 9112, 6.3). Lengths that differ are still
 * refused. Any other coding of the transfer (`identity`) means nothing to browsers.
 */
function withOneLength(headers: readonly Header[]): readonly Header[] {
  const named = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted);
  const isChunked = named("transfer-encoding").some(([, value]) => /chunked/i.test(value));
  const said = named("content-length").flatMap(([, value]) => value.split(/[\s,]+/));
  const lengths = new Set(said.filter((length) => knownLength.test(length)));
  const without = (...unwanted: string[]) => headers.filter(([name]) => !unwanted.includes(name.toLowerCase()));
  if (isChunked) return without("content-length");
  const known = [...lengths].map((length): Header => ["content-length", length]);
  return [...without("content-length", "transfer-encoding"), ...known];
}

/** A connection for one request, on which the heads of answers are repaired. */
export function withMendedHeads(socket: Socket): Duplex {
  const heads = new MendedHeads();
  socket.on("error", (error) => heads.destroy(error));
  // What has arrived completely may still be read.
  socket.on("close", () => heads.writableEnded || heads.destroy());
  // Errors are reported as long as there is an answer to wait for; after that, nobody needs them.
  heads.on("error", () => {});
  return Duplex.from({ readable: socket.pipe(heads), writable: socket }).on("error", () => {});
}

/** Passes on the bytes of one answer, repairing its head and those of interim answers before it. */
class MendedHeads extends Transform {
  /** The part of a head that has arrived; undefined after the last head. */
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
    // The parser reports what is wrong with longer heads.
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
