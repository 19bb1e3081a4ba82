/**
 * Keeps promises of pdf.js that nobody waits for from ending the thread, or the host's process.
 *
 * pdf.js fetches the pages of a file ahead. Of a file in which several are not where its table says, one fails while
 * those behind it are on their way, and nobody takes note of what becomes of these.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const event = "unhandledRejection";
const inside = new AsyncLocalStorage<true>();
/** Files that are being read. */
let reading = 0;

/** Runs work with pdf.js. What it rejects in passing counts for nothing until `end` is called. */
export function withStraysIgnored<Result>(run: (end: () => void) => Result): Result {
  reading += 1;
  if (reading === 1) process.on(event, ignoreOurs);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    reading -= 1;
    if (reading === 0) process.off(event, ignoreOurs);
  };
  return inside.run(true, () => run(end));
}

function ignoreOurs(reason: unknown): void {
  // Older versions of Node do not say where a promise comes from; this error is one that only pdf.js has.
  if (inside.getStore() || nameOf(reason) === "XRefEntryException") return;
  // As if nobody were listening.
  if (process.listenerCount(event) === 1) throw reason;
}

function nameOf(reason: unknown): unknown {
  try {
    return (reason as { name?: unknown } | null | undefined)?.name;
  } catch {
    return undefined;
  }
}
