/**
 * Converts the bytes of a sitemap to text: unzipped if necessary, decoded, limited, and in pieces that do not hold up
 * the event loop.
 */

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TextDecoder } from "node:util";
import { constants, createGunzip } from "node:zlib";

import { markedEncoding } from "./encoding-mark.ts";

/** The sitemap protocol's own limit on an unzipped file. The rest is not read. */
const maxDecodedBytes = 50 * 1024 * 1024;
const pieceBytes = 64 * 1024;
/** Bytes that show whether a file is packed … */
const signatureBytes = 2;
/** … and those that show its encoding. */
const declarationBytes = 200;

/** A broken or truncated gzip stream ends the text where it breaks. */
export async function* sitemapText(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let room = maxDecodedBytes;
  for await (const chunk of withFirstBytes(unpacked(chunks), declarationBytes)) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      signal?.throwIfAborted();
      const piece = chunk.subarray(start, start + pieceBytes);
      room -= piece.length;
      decoder ??= new TextDecoder(encodingOf(piece));
      yield decoder.decode(piece, { stream: true });
      if (room <= 0) return;
      if (start + pieceBytes < chunk.length) await nextTurn();
    }
  }
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = withFirstBytes(chunks, signatureBytes);
  const first = await source.next();
  if (first.done) return;
  const rest = (async function* () {
    try {
      yield first.value;
      yield* source;
    } finally {
      await source.return(undefined);
    }
  })();
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* rest;
    return;
  }
  const packed = Readable.from(rest, { objectMode: false });
  // What came before the break is passed on.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  let sourceError: unknown;
  packed.once("error", (error) => {
    sourceError = error;
    gunzip.destroy(error);
  });
  packed.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (sourceError !== undefined) throw error;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

/** Joins chunks until the first one is long enough to show what the file is; if they break off before, it is shorter. */
async function* withFirstBytes(chunks: AsyncIterable<Uint8Array>, enough: number): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  let broken: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      if (first === undefined) {
        yield chunk;
        continue;
      }
      first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      if (first.length < enough) continue;
      yield first;
      first = undefined;
    }
  } catch (error) {
    broken = { error };
  }
  if (first !== undefined && first.length > 0) yield first;
  if (broken !== undefined) throw broken.error;
}

/** By byte-order mark, the zero byte beside the first `<` in UTF-16, or XML declaration; sitemaps should be UTF-8. */
function encodingOf(start: Uint8Array): string {
  const marked = markedEncoding(start);
  if (marked !== undefined) return marked;
  const [first, second] = start;
  if (first === 0x3c && second === 0) return "utf-16le";
  if (first === 0 && second === 0x3c) return "utf-16be";
  const declaration = String.fromCharCode(...start.subarray(0, declarationBytes));
  const label = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(declaration)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).encoding.replace(/^utf-16(le|be)$/, "utf-8");
  } catch {
    return "utf-8";
  }
}
