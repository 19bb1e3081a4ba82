/** Keeps a page from ending this process with a message that is longer than any string of the language may be. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";

/** Node tells here of every process that is being started. */
const starting = "child_process";
/** Where a browser that is spoken to through pipes answers. */
const answers = 4;
/** As much as Playwright takes from a browser that is spoken to over a WebSocket. */
const maxMessageBytes = 256 * 1024 * 1024;

/**
 * Starts a browser whose messages are bounded: one that sends a longer one is killed. Pages decide what is in a message:
 * what they log and throw, what they send through WebSockets. Playwright reads each whole, and what fails in that
 * is nobody's promise but an uncaught exception of the host's.
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
  const pipe = child.stdio[answers] as Readable | null | undefined;
  let length = 0;
  // Before Playwright's own listener, which puts a message together when its end has come.
  pipe?.prependListener("data", (chunk: Buffer) => {
    const end = chunk.lastIndexOf(0);
    length = end < 0 ? length + chunk.byteLength : chunk.byteLength - end - 1;
    if (length <= maxMessageBytes) return;
    pipe.destroy();
    child.kill("SIGKILL");
  });
}
