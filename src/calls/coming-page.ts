/** A page that a call waits for only as long as it has nothing else to do, and without which it goes on in the end. */
import { CrawlcoreError } from "../errors.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { orAborted } from "../shared/or-aborted.ts";

export class ComingPage<Page> {
  readonly #signal: AbortSignal;
  readonly #left = new AbortController();
  readonly #page: Promise<Page | null>;
  #failure: CrawlcoreError | undefined;
  #isLate = false;

  /**
   * @param signal ends the call
   * @param timeoutMs how long the page has
   */
  constructor(signal: AbortSignal, timeoutMs: number, fetch: (signal: AbortSignal) => Promise<Page>) {
    this.#signal = signal;
    this.#page = this.#come(timeoutMs, fetch);
    // It may fail while nobody waits for it.
    this.#page.catch(() => {});
  }

  /** Why there is no page, if it could not be had. */
  get failure(): CrawlcoreError | undefined {
    return this.#failure;
  }

  /** Whether there is no page because its time is up. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** The page, null if it cannot be had, or undefined if it has not come in so many milliseconds. */
  async within(milliseconds: number): Promise<Page | null | undefined> {
    const patience = withDeadline(this.#signal, milliseconds);
    try {
      return await orAborted(this.#page, patience.signal);
    } catch (error) {
      if (this.#signal.aborted || !patience.signal.aborted) throw error;
      return undefined;
    } finally {
      patience.dispose();
    }
  }

  /** The page, or null if it cannot be had. */
  come(): Promise<Page | null> {
    return this.#page;
  }

  /** Nobody wants it any more. */
  leave(): void {
    this.#left.abort();
  }

  async #come(timeoutMs: number, fetch: (signal: AbortSignal) => Promise<Page>): Promise<Page | null> {
    const deadline = withDeadline(AbortSignal.any([this.#signal, this.#left.signal]), timeoutMs);
    try {
      return await fetch(deadline.signal);
    } catch (error) {
      if (this.#signal.aborted || !CrawlcoreError.isInstance(error)) throw error;
      this.#failure = error;
      this.#isLate = deadline.signal.aborted;
      return null;
    } finally {
      deadline.dispose();
    }
  }
}
