/** Those who iterate over jobs in this process: how far they are, and results that they get from hand to hand. */
import type { Document } from "../contract/document.ts";

/**
 * Back-pressure: a job starts no new page while somebody who iterates over it has more unread results than twice its
 * concurrency. The results are in the storage all the while; what is saved is work that nobody takes up.
 */
export interface Readers {
  attach(jobId: string): Reader;
  /** The reader has taken one more result. */
  advance(jobId: string, reader: Reader): void;
  detach(jobId: string, reader: Reader): void;
  /** Lifts the pressure of all present readers: somebody waits for the job's end. */
  release(jobId: string): void;
  /** Whether somebody in this process iterates over the job. */
  isRead(jobId: string): boolean;
  /** Hands a result to one of those who will come to it; the others take it from the storage. */
  offer(jobId: string, position: number, document: Document): void;
  /** True when a reader has read fewer than `listed - allowance` results. */
  isBehind(jobId: string, listed: number, allowance: number): boolean;
}

/** Results that are held for a reader: as many as end together. One that is further behind asks the storage. */
const mostHeld = 16;

export class Reader {
  read = 0;
  /** Of the next results those that were handed over, each at its position modulo {@link mostHeld}. */
  readonly #documents: (Document | undefined)[] = [];
  readonly #positions: number[] = [];

  /** False when that is not among the next ones. */
  hold(position: number, document: Document): boolean {
    if (position < this.read || position >= this.read + mostHeld) return false;
    const place = position % mostHeld;
    this.#documents[place] = document;
    this.#positions[place] = position;
    return true;
  }

  /** The next result, if it was handed over; not again. */
  take(): Document | undefined {
    const place = this.read % mostHeld;
    if (this.#positions[place] !== this.read) return undefined;
    const document = this.#documents[place];
    this.#documents[place] = undefined;
    return document;
  }
}

/** `wake(jobId)` is called when a job that was held back may go on. */
export function createReaders(wake: (jobId: string) => void): Readers {
  // Weak, so that an iterator which was thrown away without being closed does not hold its job for ever.
  const readers = new Map<string, Set<WeakRef<Reader>>>();
  const references = new WeakMap<Reader, WeakRef<Reader>>();

  return {
    attach(jobId) {
      const reader = new Reader();
      const reference = new WeakRef<Reader>(reader);
      references.set(reader, reference);
      const attached = readers.get(jobId);
      if (attached === undefined) readers.set(jobId, new Set([reference]));
      else attached.add(reference);
      return reader;
    },
    advance(jobId, reader) {
      reader.read++;
      wake(jobId);
    },
    detach(jobId, reader) {
      const attached = readers.get(jobId);
      const reference = references.get(reader);
      if (attached === undefined || reference === undefined) return;
      attached.delete(reference);
      if (attached.size === 0) readers.delete(jobId);
      wake(jobId);
    },
    release(jobId) {
      if (readers.delete(jobId)) wake(jobId);
    },
    isRead: (jobId) => readers.has(jobId),
    offer(jobId, position, document) {
      for (const reference of readers.get(jobId) ?? []) if (reference.deref()?.hold(position, document)) return;
    },
    isBehind(jobId, listed, allowance) {
      const attached = readers.get(jobId);
      if (attached === undefined) return false;
      for (const reference of attached) {
        const reader = reference.deref();
        if (reader === undefined) attached.delete(reference);
        else if (listed - reader.read > allowance) return true;
      }
      // Nobody reads any more: results need not be held for anybody.
      if (attached.size === 0) readers.delete(jobId);
      return false;
    },
  };
}
