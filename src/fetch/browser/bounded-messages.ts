/** Keeps what a page has its browser say from filling this process, or from ending it. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";
import { createMessageSieve } from "./message-sieve.ts";

/** Node tells here of every process that is being started. */
const starting = "child_process";
/** Where a browser that is spoken to through pipes answers. */
const answers = 4;

/**
 * Starts a browser whose messages are bounded. Pages decide what is in a message: what they log and throw, where they ask
 * for what. Playwright reads each whole and keeps hundreds of a page; what fails in that is nobody's promise but an
 * uncaught exception of the host's. So what nobody reads does not come to it, and a browser that answers with more than
 * can be read is killed.
 *
 * @param argument part of the browser's command line that no other browser has
 */
export async function withBoundedMessages<Started>(argument: string, start: () => Promise<Started>): Promise<Started> {
  const children = new Set<ChildProcess>();
  const note = (message: unknown) => void children.add((message as { process: ChildProcess }).process);
  subscribe(starting, note);
  try {
    return await start();
  } finally {
    unsubscribe(starting, note);
    for (const child of children) if (child.spawnargs?.some((text) => text.includes(argument))) bound(child);
  }
}

function bound(child: ChildProcess): void {
  // Chromium writes there what workers log. Playwright keeps the last lines, for the case that it does not start, and
  // puts them together when it ends.
  child.stderr?.removeAllListeners("data").resume();
  sift(child);
}

/** Puts a sieve between the browser and whoever reads its messages. */
function sift(child: ChildProcess): void {
  const pipe = child.stdio[answers] as Readable | null | undefined;
  if (!pipe) return;
  const readers = pipe.listeners("data") as ((bytes: Buffer) => void)[];
  for (const reader of readers) pipe.off("data", reader);
  const sieve = createMessageSieve({
    pass(bytes) {
      for (const reader of readers) reader.call(pipe, bytes);
    },
    tooLong() {
      pipe.destroy();
      child.kill("SIGKILL");
    },
  });
  pipe.on("data", sieve);
}
