/** Keeps the messages that a page makes its browser send from filling the memory of this process, or ending it. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";
import { createMessageSieve } from "./message-sieve.ts";

/** The channel on which Node announces every process that is started. */
const starting = "child_process";
/** The file descriptor on which a browser that is controlled through pipes answers. */
const answers = 4;

/**
 * Starts a browser whose messages are bounded. Pages determine what messages contain: what they log and throw, and what
 * they request. Playwright reads each message as a whole and keeps hundreds of them per page; a failure in doing so
 * rejects no promise but is an uncaught exception in the host. So messages that nobody reads are not passed on, and a
 * browser that sends a larger message than can be read is killed.
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
  // Chromium writes there what workers log. Playwright keeps the last lines in case the browser does not start, and
  // joins them when it ends.
  child.stderr?.removeAllListeners("data").resume();
  sift(child);
}

/** Puts a filter between the browser and the reader of its messages. */
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
