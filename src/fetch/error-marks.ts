/** What the parts that fetch know about an error beyond its code, and tell each other without showing it to callers. */
class Mark {
  readonly #marked = new WeakSet<object>();

  put<Marked extends Error>(error: Marked): Marked {
    this.#marked.add(error);
    return error;
  }

  isOn(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#marked.has(error);
  }
}

/** The answer was HTTP except for a broken rule, so that it might still be read. */
export const malformedAnswer = new Mark();

/** It is a proxy's fault and not the site's: another proxy may do better. */
export const proxyFault = new Mark();

/**
 * A proxy could not connect to the address, or closed the connection without an answer: another address of the site may
 * work.
 */
export const addressUnreached = new Mark();

/** A browser broke down, and not the page failed: another browser may open it. */
export const browserCrash = new Mark();
