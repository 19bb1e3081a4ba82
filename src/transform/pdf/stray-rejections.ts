/**
 * Keeps rejected promises of pdf.js that nobody handles from ending the thread, or the host's process.
 *
 * pdf.js fetches the pages of a file ahead. If several pages are not where the file's table says, one fails while later
 * ones are being fetched, and nobody handles the rejections of these.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const event = "unhandledRejection";
const inside = new AsyncLocalStorage<true>();
/** Number of files being read. */
let reading = 0;

/** Runs work with pdf.js. Its unhandled rejections are ignored until `end` is called. */
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
  // In older versions of Node the origin of a promise is not known; only pdf.js has this error.
  if (inside.getStore() || nameOf(reason) === "XRefEntryException") return;
  // Behaves as if there were no listener.
  if (process.listenerCount(event) === 1) throw reason;
}

function nameOf(reason: unknown): unknown {
  try {
    return (reason as { name?: unknown } | null | undefined)?.name;
  } catch {
    return undefined;
  }
}
