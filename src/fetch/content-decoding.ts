/** Decodes content-encoding: small bodies at once, large ones in chunks that leave the event loop free. */
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
import { firstMember } from "./gzip-member.ts";
import { beginsFrame, hasMoreThanOneFrame, zstdFrames } from "./zstd-frames.ts";

interface Decoder {
  atOnce(bytes: Uint8Array, options: object): Uint8Array;
  stream(options: object): Transform;
  /** Options that decode as much as possible of a body that was cut short, instead of failing. */
  readonly lenient: object;
  /** Whether bytes begin with the signature of this format; absent if it has none. */
  readonly isMarked?: (bytes: Uint8Array) => boolean;
  /** Splits a body into the parts that the stream decodes one at a time; absent if it decodes all of it. */
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
/** For bodies that are decoded at once; behind a large one, bytes that do not belong to it remain an error. */
const gzipMember: Decoder = { ...gzip, atOnce: firstMember };
const zlib: Decoder = {
  atOnce: inflateSync,
  stream: createInflate,
  lenient: zlibLenient,
  // The method with its usual window, and a check sum over both bytes (RFC 1950).
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

/**
 * Decoders to try for each name, in order: "deflate" means zlib's format, but some servers send the bare deflate
 * stream, and some let something follow on gzip.
 */
const decoders: Readonly<Record<string, readonly Decoder[]>> = {
  gzip: [gzip, gzipMember],
  "x-gzip": [gzip, gzipMember],
  deflate: [zlib, bareDeflate],
  br: [brotli],
  zstd: [zstd],
};

/** What the engine asks servers for. */
export const acceptEncoding = "gzip, deflate, br, zstd";

/** Up to this many compressed bytes are decoded in one step, if the result is no larger than this either. */
const smallBody = 128 * 1024;
const smallResult = 2 * 1024 * 1024;
/**
 * How much of a body is examined to tell whether it is in the announced coding. If it is not, decoding fails within a
 * few bytes; damage further on does not mean that the body was never encoded.
 */
const probeBytes = 64;
const maxCodings = 4;

/**
 * The codings to decode, in order. Names without a meaning (`identity`, `utf-8`, `none`) are skipped. Throws if the
 * server claims to have encoded the body more often than anybody does.
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

/** Undoes one coding of a body, chunk by chunk, in Node's thread pool. */
export async function* decodeChunks(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
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

/**
 * The decoder that can decode the beginning of the body, or whose signature it has; undefined if the body is not
 * encoded at all.
 */
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
