/**
 * Converts the bytes of a sitemap to text: unzipped if necessary, decoded, limited, and in pieces that do not hold up
 * the event loop.
 */

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TextDecoder } from "node:util";
import { createGunzip } from "node:zlib";

/** The sitemap protocol's own limit on an unzipped file. The rest is not read. */
const maxDecodedBytes = 50 * 1024 * 1024;
const pieceBytes = 64 * 1024;

/** A broken or truncated gzip stream ends the text where it breaks. */
export async function* sitemapText(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let room = maxDecodedBytes;
  for await (const chunk of unpacked(chunks)) {
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
  const source = withFirstBytes(chunks);
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
  const gunzip = createGunzip();
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

/** Joins chunks until the first one is long enough to show what the file is. */
async function* withFirstBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (first === undefined) {
      yield chunk;
      continue;
    }
    first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
    if (first.length < 2) continue;
    yield first;
    first = undefined;
  }
  if (first !== undefined && first.length > 0) yield first;
}

/** By byte-order mark or XML declaration; sitemaps should be UTF-8. */
function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const declaration = String.fromCharCode(...start.subarray(0, 200));
  const label = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(declaration)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).encoding.replace(/^utf-16(le|be)$/, "utf-8");
  } catch {
    return "utf-8";
  }
}
