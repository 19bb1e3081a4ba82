/** Collects chunks of any size without keeping an object for each, because an answer may come byte by byte. */

const smallChunk = 2 * 1024;
const blockBytes = 16 * 1024;

export class ByteList {
  #blocks: Uint8Array[] = [];
  /** A buffer in which small chunks are gathered, and how much of it is used. */
  #room: Uint8Array = new Uint8Array(0);
  #used = 0;
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  add(chunk: Uint8Array): void {
    this.#byteLength += chunk.byteLength;
    if (chunk.byteLength >= smallChunk) {
      this.#seal();
      this.#blocks.push(chunk);
      return;
    }
    if (this.#used + chunk.byteLength > this.#room.byteLength) {
      this.#seal();
      this.#room = Buffer.allocUnsafeSlow(blockBytes);
    }
    this.#room.set(chunk, this.#used);
    this.#used += chunk.byteLength;
  }

  /** Removes and returns all bytes as one chunk. */
  take(): Uint8Array {
    this.#seal();
    const bytes = this.#blocks.length === 1 ? this.#blocks[0]! : this.toBuffer();
    this.clear();
    return bytes;
  }

  /** All bytes in a buffer that holds nothing else, so that it can be transferred to a thread. */
  toBuffer(): Uint8Array<ArrayBuffer> {
    this.#seal();
    const [only, second] = this.#blocks;
    if (only && !second && only.byteLength === only.buffer.byteLength && only.buffer instanceof ArrayBuffer) {
      return new Uint8Array(only.buffer);
    }
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(this.#byteLength).buffer);
    let offset = 0;
    for (const block of this.#blocks) {
      bytes.set(block, offset);
      offset += block.byteLength;
    }
    return bytes;
  }

  clear(): void {
    this.#blocks = [];
    this.#used = 0;
    this.#room = new Uint8Array(0);
    this.#byteLength = 0;
  }

  #seal(): void {
    if (this.#used === 0) return;
    this.#blocks.push(this.#room.subarray(0, this.#used));
    this.#room = this.#room.subarray(this.#used);
    this.#used = 0;
  }
}
