/** Finds the frames of a zstd body (RFC 8878): it may have several, and Node's decoder stops at the end of the first. */

import { asBuffer } from "../shared/as-buffer.ts";

const magicNumber = 0xfd2fb528;
/** The magic numbers of skippable frames differ in their last four bits. */
const isSkippable = (magic: number): boolean => magic >>> 4 === 0x184d2a5;
/** Each frame needs a decoder of its own: thousands of frames of a few bytes would cost seconds for nothing. */
const maxFrames = 1000;

/** The frame as a sequence of lengths: of parts that have to be read (`read`), and of parts that are just skipped. */
function* walkFrame(): Generator<{ readonly read: number } | { readonly pass: number }, void, Buffer> {
  const magic = (yield { read: 4 }).readUInt32LE();
  if (isSkippable(magic)) {
    yield { pass: (yield { read: 4 }).readUInt32LE() };
    return;
  }
  const descriptor = (yield { read: 1 })[0]!;
  const isSingleSegment = (descriptor >> 5) & 1;
  const sizeBytes = [isSingleSegment, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  yield { pass: 1 - isSingleSegment + dictionaryBytes + sizeBytes };
  for (let isLast = false; !isLast; ) {
    const head = (yield { read: 3 }).readUIntLE(0, 3);
    isLast = (head & 1) === 1;
    const isRepeatedByte = ((head >> 1) & 3) === 1;
    yield { pass: isRepeatedByte ? 1 : head >> 3 };
  }
  const hasChecksum = ((descriptor >> 2) & 1) === 1;
  if (hasChecksum) yield { pass: 4 };
}

/** Follows one frame through the chunks of a body. */
class FrameReader {
  readonly #steps = walkFrame();
  #step = this.#steps.next();
  #seen = Buffer.alloc(0);
  #passed = 0;

  get isComplete(): boolean {
    return this.#step.done === true;
  }

  /** How many bytes of the chunk belong to the frame. */
  take(chunk: Uint8Array): number {
    let at = 0;
    while (!this.#step.done) {
      const step = this.#step.value;
      if ("pass" in step) {
        const part = Math.min(step.pass - this.#passed, chunk.byteLength - at);
        this.#passed += part;
        at += part;
        if (this.#passed < step.pass) break;
        this.#passed = 0;
      } else {
        const part = chunk.subarray(at, at + step.read - this.#seen.byteLength);
        this.#seen = Buffer.concat([this.#seen, part]);
        at += part.byteLength;
        if (this.#seen.byteLength < step.read) break;
      }
      const seen = this.#seen;
      this.#seen = Buffer.alloc(0);
      this.#step = this.#steps.next(seen);
    }
    return at;
  }
}

/** Whether a whole body contains more than one frame. */
export function hasMoreThanOneFrame(body: Uint8Array): boolean {
  return new FrameReader().take(body) < body.byteLength;
}

/**
 * The frames one after the other, each as its chunks; each must be read to its end. Bytes that are no frame end the
 * body.
 *
 * @throws RangeError when there are more than a thousand
 */
export async function* zstdFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const chunks = body[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** False at the end of the body. */
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (!next.done) rest = rest.byteLength === 0 ? next.value : Buffer.concat([rest, next.value]);
    return !next.done;
  };
  async function* frame(): AsyncGenerator<Uint8Array> {
    const reader = new FrameReader();
    do {
      const length = reader.take(rest);
      const part = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (length > 0) yield part;
    } while (!reader.isComplete && (await more()));
  }
  for (let frames = 0; ; frames++) {
    while (rest.byteLength < 4) if (!(await more())) break;
    if (!beginsFrame(rest)) return;
    if (frames === maxFrames) throw new RangeError(`More than ${maxFrames} frames`);
    yield frame();
  }
}

export function beginsFrame(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 4) return false;
  const magic = asBuffer(bytes).readUInt32LE();
  return magic === magicNumber || isSkippable(magic);
}
