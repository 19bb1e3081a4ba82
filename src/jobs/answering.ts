import { inTime } from "../shared/in-time.ts";

/**
 * A part of a storage whose calls end: one that is not answered in two minutes has failed. The work on jobs tries again
 * what failed, but without an end it would wait for ever, and with it all deliveries. A driver that notices itself that
 * its database has gone does so earlier.
 *
 * @param unlimited methods that may take longer, or give no promise
 */
export function answering<Part extends object>(part: Part, unlimited: readonly (keyof Part)[] = []): Part {
  const methods = new Map<PropertyKey, unknown>();

  function methodOf(name: PropertyKey): unknown {
    // Looked up with each call: a host may replace it.
    const call = (...parameters: unknown[]): unknown =>
      Reflect.apply(Reflect.get(part, name) as (...parameters: unknown[]) => unknown, part, parameters);
    if ((unlimited as readonly PropertyKey[]).includes(name)) return call;
    const error = () => new Error(`The storage has not answered to ${String(name)} in ${longestAnswerMs} ms`);
    // A closed engine has stopped waiting.
    const limit = { error, keepsAlive: false };
    return (...parameters: unknown[]) => inTime((async () => call(...parameters))(), longestAnswerMs, limit);
  }

  return new Proxy(part, {
    get(target, name) {
      if (typeof Reflect.get(target, name) !== "function") return Reflect.get(target, name);
      if (!methods.has(name)) methods.set(name, methodOf(name));
      return methods.get(name);
    },
  });
}

/** Longer than any driver of this package takes to give up. */
const longestAnswerMs = 120_000;
