/** Those who iterate over jobs in this process: how far they are, and results that they get from hand to hand. */
import type { Document } from "../contract/document.ts";

/**
 * Back-pressure: a job starts no new page while somebody who iterates over it has more unread results than twice its
 * concurrency. The results are in the storage all the while; what is saved is work that nobody takes up.
 */
export interface Readers {
  /** @param options.isWaitedFor false: it reads once the job has ended, and holds nothing up before */
  attach(jobId: string, options?: { readonly isWaitedFor: boolean }): Reader;
  /** The reader has taken one more result. */
  advance(jobId: string, reader: Reader): void;
  detach(jobId: string, reader: Reader): void;
  /** Lifts the pressure of all present readers: somebody waits for the job's end. */
  release(jobId: string): void;
  /** Whether the job waits for somebody in this process who iterates over it. */
  isRead(jobId: string): boolean;
  /** Does it as soon as nobody in this process is in the middle of the job: now, or after the last has left. */
  whenUnread(jobId: string, act: () => Promise<void>): Promise<void>;
  /** Hands a result to one of those who will come to it; the others take it from the storage. */
  offer(jobId: string, position: number, document: Document): void;
  /** True when a reader has read fewer than `listed - allowance` results. */
  isBehind(jobId: string, listed: number, allowance: number): boolean;
}

/** Results that are held for a reader: as many as end together. One that is further behind asks the storage. */
const mostHeld = 16;

export class Reader {
  read = 0;
  /** The job goes no further than this reader can follow. */
  isWaitedFor: boolean;
  /** Of the next results those that were handed over, each at its position modulo {@link mostHeld}. */
  readonly #documents: (Document | undefined)[] = [];
  readonly #positions: number[] = [];

  constructor(isWaitedFor: boolean) {
    this.isWaitedFor = isWaitedFor;
  }

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

/** Those who read one job. */
interface Audience {
  // Weak, so that an iterator which was thrown away without being closed does not hold its job for ever.
  readonly references: Set<WeakRef<Reader>>;
  afterwards?: () => Promise<void>;
}

/** `wake(jobId)` is called when a job that was held back may go on. */
export function createReaders(wake: (jobId: string) => void): Readers {
  const audiences = new Map<string, Audience>();
  const references = new WeakMap<Reader, WeakRef<Reader>>();
  const thrownAway = new FinalizationRegistry<{ jobId: string; reference: WeakRef<Reader> }>(remove);

  function remove({ jobId, reference }: { jobId: string; reference: WeakRef<Reader> }): void {
    const audience = audiences.get(jobId);
    if (!audience?.references.delete(reference)) return;
    if (audience.references.size === 0) {
      audiences.delete(jobId);
      // What could not be done now is done when the job expires.
      audience.afterwards?.().catch(() => {});
    }
    wake(jobId);
  }

  function* waitedFor(jobId: string): Generator<Reader> {
    for (const reference of audiences.get(jobId)?.references ?? []) {
      const reader = reference.deref();
      if (reader?.isWaitedFor) yield reader;
    }
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
    release(jobId) {
      for (const reader of waitedFor(jobId)) reader.isWaitedFor = false;
      wake(jobId);
    },
    isRead: (jobId) => !waitedFor(jobId).next().done,
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
