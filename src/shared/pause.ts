import { orAborted } from "./or-aborted.ts";

/** Resolves after so many milliseconds, or as soon as the signal fires. Never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await orAborted(promise, signal).catch(() => {});
  clearTimeout(timer);
}
