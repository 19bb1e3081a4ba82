/**
 * The readers that iterate over jobs in this process: how far they have read, and the results that are handed to them
 * directly.
 */
import type { Document } from "../contract/document.ts";

/**
 * Back-pressure: a job starts no new page while a reader has more unread results than twice the job's concurrency. The
 * results are in the storage in any case; this saves work whose results nobody reads. While somebody waits for the
 * job's end, no reader holds it up.
 */
export interface Readers {
  /** @param options.isWaitedFor false for a reader that waits for the job's end before it reads */
  attach(jobId: string, options?: { readonly isWaitedFor: boolean }): Reader;
  /** The reader has taken one more result. */
  advance(jobId: string, reader: Reader): void;
  detach(jobId: string, reader: Reader): void;
  /** Whether there is a reader in this process for which the job waits. */
  isRead(jobId: string): boolean;
  /**
   * Runs `act` as soon as no reader in this process is in the middle of the job: now, or when the last one has left.
   */
  whenUnread(jobId: string, act: () => Promise<void>): Promise<void>;
  /** Hands a result to one of the readers that will soon need it; the others read it from the storage. */
  offer(jobId: string, position: number, document: Document): void;
  /** True if a reader has read fewer than `listed - allowance` results. */
  isBehind(jobId: string, listed: number, allowance: number): boolean;
}

/** Most results held for a reader: about as many as end together. A reader that is further behind asks the storage. */
const mostHeld = 16;

class Reader {
  read = 0;
  readonly isWaitedFor: boolean;
  /** Those of the next results that were handed over, each at its position modulo {@link mostHeld}. */
  readonly #documents: (Document | undefined)[] = [];
  readonly #positions: number[] = [];

  constructor(isWaitedFor: boolean) {
    this.isWaitedFor = isWaitedFor;
  }

  /** False if the position is not among the next ones. */
  hold(position: number, document: Document): boolean {
    if (position < this.read || position >= this.read + mostHeld) return false;
    const place = position % mostHeld;
    this.#documents[place] = document;
    this.#positions[place] = position;
    return true;
  }

  /** Removes and returns the next result, if it was handed over. */
  take(): Document | undefined {
    const place = this.read % mostHeld;
    if (this.#positions[place] !== this.read) return undefined;
    const document = this.#documents[place];
    this.#documents[place] = undefined;
    return document;
  }
}

/** The readers of one job. */
interface Audience {
  // Weak, so that an iterator that was dropped without being closed does not hold up its job for ever.
  readonly references: Set<WeakRef<Reader>>;
  afterwards?: () => Promise<void>;
}

const nobody: readonly Reader[] = [];

/** @param wake called when a job that was held back may continue */
export function createReaders(wake: (jobId: string) => void): Readers {
  const audiences = new Map<string, Audience>();
  const references = new WeakMap<Reader, WeakRef<Reader>>();
  const thrownAway = new FinalizationRegistry<{ jobId: string; reference: WeakRef<Reader> }>(remove);

  function remove({ jobId, reference }: { jobId: string; reference: WeakRef<Reader> }): void {
    const audience = audiences.get(jobId);
    if (!audience?.references.delete(reference)) return;
    if (audience.references.size === 0) {
      audiences.delete(jobId);
      // If it fails, it is done when the job expires.
      audience.afterwards?.().catch(() => {});
    }
    wake(jobId);
  }

  /** The readers for which the job waits: all, or none. */
  function waitedFor(jobId: string): readonly Reader[] {
    const audience = audiences.get(jobId);
    if (audience === undefined) return nobody;
    const readers: Reader[] = [];
    for (const reference of audience.references) {
      const reader = reference.deref();
      if (reader?.isWaitedFor === false) return nobody;
      if (reader !== undefined) readers.push(reader);
    }
    return readers;
  }

  return {
    attach(jobId, { isWaitedFor } = { isWaitedFor: true }) {
      const reader = new Reader(isWaitedFor);
      const reference = new WeakRef<Reader>(reader);
      references.set(reader, reference);
      thrownAway.register(reader, { jobId, reference }, reference);
      const audience = audiences.get(jobId);
      if (audience === undefined) audiences.set(jobId, { references: new Set([reference]) });
      else audience.references.add(reference);
      if (!isWaitedFor) wake(jobId);
      return reader;
    },
    advance(jobId, reader) {
      reader.read++;
      wake(jobId);
    },
    detach(jobId, reader) {
      const reference = references.get(reader);
      if (reference === undefined) return;
      thrownAway.unregister(reference);
      remove({ jobId, reference });
    },
    isRead: (jobId) => waitedFor(jobId).length > 0,
    async whenUnread(jobId, act) {
      const audience = audiences.get(jobId);
      if (audience === undefined) await act();
      else audience.afterwards = act;
    },
    offer(jobId, position, document) {
      for (const reader of waitedFor(jobId)) if (reader.hold(position, document)) return;
    },
    isBehind(jobId, listed, allowance) {
      for (const reader of waitedFor(jobId)) if (listed - reader.read > allowance) return true;
      return false;
    },
  };
}
