/** Decodes bodies, and enforces their size limit. */
import { ScrapeError } from "../errors.ts";
import { ByteList } from "./byte-list.ts";
import { Collected, type IsUnwanted } from "./collected.ts";
import { contentCodings, decodeAtOnce, decodeChunks } from "./content-decoding.ts";
import type { Answer, AnswerBody } from "./exchange.ts";

/** Compressed bytes that are gathered before decoding begins; most pages are complete by then. */
const decodeAfter = 128 * 1024;

/**
 * The whole decoded body, in a buffer of its own, or just the start of it, if that `isUnwanted`. Rejects with
 * `SCRAPE_UNSUPPORTED_FILE_ERROR` above the limit.
 */
export async function collectBody(answer: Answer, limit: number, isUnwanted?: IsUnwanted): Promise<Uint8Array> {
  try {
    const codings = codingsOf(answer, limit);
    if (codings.length === 0) return await collectPlain(answer.body, limit, isUnwanted);
    const start = new ByteList();
    let complete = false;
    while (!complete && start.byteLength <= decodeAfter) {
      const bytes = await answer.body.read();
      if (bytes) start.add(bytes);
      else complete = true;
    }
    const bytes = start.take();
    const decoded = complete ? decodeAtOnce(bytes, codings) : undefined;
    if (decoded) return await collect([decoded], limit);
    return await collect(decode(withStart(bytes, answer.body), codings, limit), limit, isUnwanted);
  } finally {
    answer.body.cancel();
  }
}

/**
 * The decoded body, as a stream; ending the iteration early closes the connection. Throws what `collectBody` rejects
 * with.
 */
export function streamBody(answer: Answer, limit: number): AsyncIterable<Uint8Array> {
  const chunks = decodedChunks(answer, limit);
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => chunks.next(),
      // Needed for a caller who never begins to iterate: a generator that was not started does not clean up.
      return: () => {
        answer.body.cancel();
        return chunks.return();
      },
    }),
  };
}

async function* decodedChunks(answer: Answer, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* limited(decode(answer.body, codingsOf(answer, limit), limit), limit);
  } finally {
    answer.body.cancel();
  }
}

/** Refuses a body at once if its announced length is too large. */
function codingsOf({ headers, announcedBytes }: Answer, limit: number): readonly string[] {
  const encoding = headers["content-encoding"];
  const codings = contentCodings(Array.isArray(encoding) ? encoding.join(",") : encoding);
  if (codings.length === 0 && announcedBytes > limit) throw tooLarge(limit);
  return codings;
}

async function collectPlain(body: AnswerBody, limit: number, isUnwanted?: IsUnwanted): Promise<Uint8Array> {
  const collected = new Collected(isUnwanted);
  for (let bytes = await body.read(); bytes && !collected.add(bytes); bytes = await body.read()) {
    if (collected.byteLength > limit) throw tooLarge(limit);
  }
  return collected.toBuffer();
}

async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  isUnwanted?: IsUnwanted,
): Promise<Uint8Array<ArrayBuffer>> {
  const collected = new Collected(isUnwanted);
  for await (const chunk of limited(chunks, limit)) if (collected.add(chunk)) break;
  return collected.toBuffer();
}

/**
 * Limits what comes out of each coding, not only of the last: in between there may be thousands of gigabytes, made from a
 * few kilobytes and decoded to nothing, and no signal ends the decoding of an answer that has arrived completely.
 */
function decode(body: AsyncIterable<Uint8Array>, codings: readonly string[], limit: number): AsyncIterable<Uint8Array> {
  return codings.reduce((chunks, coding) => limited(decodeChunks(chunks, coding), limit), body);
}

async function* limited(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw tooLarge(limit);
    yield chunk;
  }
}

async function* withStart(
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield start;
  yield* rest;
}

export function tooLarge(limit: number): ScrapeError {
  return new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The body is too large: more than ${limit} bytes`);
}
