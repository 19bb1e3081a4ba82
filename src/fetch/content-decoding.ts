/** Undoes content-encoding: small bodies at once, large ones in chunks that leave the event loop free. */
import { pipeline, Readable, type Transform } from "node:stream";
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import { ScrapeError } from "../errors.ts";
import { ByteList } from "./byte-list.ts";
import { beginsFrame, hasMoreThanOneFrame, zstdFrames } from "./zstd-frames.ts";

interface Decoder {
  atOnce(bytes: Uint8Array, options: object): Uint8Array;
  stream(options: object): Transform;
  /** Asks for what can be had from a body that was cut short, instead of an error. */
  readonly lenient: object;
  /** Whether bytes begin with the mark of this format; absent: it has none. */
  readonly isMarked?: (bytes: Uint8Array) => boolean;
  /** Parts a body into what the stream takes at once; absent: it takes all. */
  readonly parts?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<AsyncIterable<Uint8Array>>;
}

/** Of what is not decoded in one step. */
const tooLargeCode = "ERR_BUFFER_TOO_LARGE";

const zlibLenient = { finishFlush: constants.Z_SYNC_FLUSH };
const gzip: Decoder = {
  atOnce: gunzipSync,
  stream: createGunzip,
  lenient: zlibLenient,
  isMarked: (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b,
};
const zlib: Decoder = {
  atOnce: inflateSync,
  stream: createInflate,
  lenient: zlibLenient,
  // The method with its usual window (RFC 1950), and a sum over both bytes.
  isMarked: ([first = 0, second = 0]) => first === 0x78 && (first * 256 + second) % 31 === 0,
};
const bareDeflate: Decoder = { atOnce: inflateRawSync, stream: createInflateRaw, lenient: zlibLenient };
const brotli: Decoder = {
  atOnce: brotliDecompressSync,
  stream: createBrotliDecompress,
  lenient: { finishFlush: constants.BROTLI_OPERATION_FLUSH },
};
const zstd: Decoder = {
  atOnce(bytes, options) {
    if (hasMoreThanOneFrame(bytes)) throw Object.assign(new RangeError("More than one frame"), { code: tooLargeCode });
    return zstdDecompressSync(bytes, options);
  },
  stream: createZstdDecompress,
  lenient: { finishFlush: constants.ZSTD_e_flush },
  isMarked: beginsFrame,
  parts: zstdFrames,
};

/** Decoders to try for each name, in order: "deflate" means zlib's format, but some servers send the bare stream in it. */
const decoders: Readonly<Record<string, readonly Decoder[]>> = {
  gzip: [gzip],
  "x-gzip": [gzip],
  deflate: [zlib, bareDeflate],
  br: [brotli],
  zstd: [zstd],
};

/** What the engine asks servers for. */
export const acceptEncoding = "gzip, deflate, br, zstd";

/** Compressed bytes up to this many are decoded in one step, if no more than this comes out of them. */
const smallBody = 128 * 1024;
const smallResult = 2 * 1024 * 1024;
/**
 * How much of a body tells whether it is in the announced coding. What is not fails within a few bytes, and damage
 * further on does not make a body one that was never encoded.
 */
const probeBytes = 64;
const maxCodings = 4;

/**
 * The codings to undo, in that order. Names that mean nothing (`identity`, `utf-8`, `none`) are passed over.
 * Throws when the server claims to have encoded more often than anyone does.
 */
export function contentCodings(header: string | undefined): readonly string[] {
  if (!header) return [];
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  const known = codings.filter((name) => Object.hasOwn(decoders, name)).reverse();
  if (known.length > maxCodings) {
    throw new ScrapeError("SCRAPE_SITE_ERROR", `The body is encoded ${known.length} times, one inside the other`);
  }
  return known;
}

/**
 * Decodes a whole body; undefined when it is too large for one step.
 * Bytes that are not in the announced coding are returned as they are: some servers announce what they do not do.
 */
export function decodeAtOnce(bytes: Uint8Array, codings: readonly string[]): Uint8Array | undefined {
  let result = bytes;
  try {
    for (const coding of codings) {
      if (result.byteLength > smallBody) return undefined;
      result = decodeOnce(result, coding);
    }
    return result;
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

function decodeOnce(bytes: Uint8Array, coding: string): Uint8Array {
  if (bytes.byteLength === 0) return bytes;
  let failure: unknown;
  for (const decoder of decoders[coding] ?? []) {
    try {
      return run(decoder, bytes, smallResult);
    } catch (error) {
      if (isTooLarge(error)) throw error;
      failure ??= error;
    }
  }
  if (findDecoder(coding, bytes)) throw undecodable(coding, failure);
  return bytes;
}

/** Decodes a body chunk by chunk, in Node's thread pool. */
export function decodeChunks(body: AsyncIterable<Uint8Array>, codings: readonly string[]): AsyncIterable<Uint8Array> {
  return codings.reduce(decodeOne, body);
}

async function* decodeOne(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let stream: Transform | undefined;
  let bodyFailure: { readonly reason: unknown } | undefined;
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } catch (reason) {
      bodyFailure = { reason };
      throw reason;
    }
  }
  try {
    const start = new ByteList();
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      start.add(next.value);
      if (start.byteLength >= probeBytes) break;
    }
    const beginning = start.take();
    const all = async function* (): AsyncGenerator<Uint8Array> {
      yield beginning;
      yield* rest();
    };
    const decoder = findDecoder(coding, beginning);
    if (!decoder) {
      yield* all();
      return;
    }
    for await (const part of decoder.parts?.(all()) ?? [all()]) {
      stream = decoder.stream({ ...decoder.lenient, chunkSize: 128 * 1024 });
      pipeline(Readable.from(part), stream, () => {}); // Its failure destroys the stream, and is thrown by the next line.
      yield* stream;
    }
  } catch (error) {
    if (bodyFailure) throw bodyFailure.reason;
    throw stream ? undecodable(coding, error) : error;
  } finally {
    stream?.destroy();
    // Not awaited: a read that waits for the network ends only when the whole body is cancelled, after this.
    chunks.return?.().catch(() => {});
  }
}

/** The decoder under which the beginning of the body makes sense, or whose mark it bears; undefined when it is not encoded at all. */
function findDecoder(coding: string, body: Uint8Array): Decoder | undefined {
  if (body.byteLength === 0) return undefined;
  const possible = decoders[coding] ?? [];
  return possible.find((decoder) => canDecode(decoder, body)) ?? possible.find((decoder) => decoder.isMarked?.(body));
}

function canDecode(decoder: Decoder, body: Uint8Array): boolean {
  try {
    run(decoder, body.subarray(0, probeBytes), probeBytes);
    return true;
  } catch (error) {
    return isTooLarge(error);
  }
}

function run(decoder: Decoder, bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  // Output buffers near the size of the result save time; markup shrinks to a quarter or so.
  const chunkSize = Math.min(Math.max(bytes.byteLength * 4, 16 * 1024), 64 * 1024);
  return decoder.atOnce(bytes, { ...decoder.lenient, maxOutputLength, chunkSize });
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === tooLargeCode;
}

function undecodable(coding: string, cause: unknown): ScrapeError {
  return new ScrapeError("SCRAPE_SITE_ERROR", `The body could not be decoded from ${coding}`, {
    cause,
    retryable: true,
  });
}
