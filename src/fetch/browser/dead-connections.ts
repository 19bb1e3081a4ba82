/**
 * Lets a page continue that waits for a server which does not answer. A script or style sheet that does not come holds
 * up the whole page; in a reader's browser, for minutes.
 */
import { setImmediate as othersFirst } from "node:timers/promises";
import { runApart } from "./isolated-world.ts";
import { isReady } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

/**
 * A browser repeats a request if the connection breaks off that it had used before, or in the middle of the TLS
 * handshake.
 */
const rounds = 3;
/** How long to wait for a page that may need no help. */
const readyMs = 300;

interface Patience {
  /** How long a connection must be silent before it is broken off. */
  readonly silentMs: number;
  readonly signal: AbortSignal;
}

/** Breaks off the tab's silent connections. True if `awaited` then resolves, because the page can do without them. */
export async function goOnWithout(
  { pass }: Pick<Tab, "pass">,
  awaited: Promise<unknown>,
  { silentMs, signal }: Patience,
): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const breakOff = pass.silence();
    if (await within(awaited, silentMs, signal)) return true;
    // If this process has been busy, data that came meanwhile has yet to be read.
    await othersFirst();
    breakOff();
  }
  return within(awaited, silentMs, signal);
}

/**
 * For a page that does not come to rest: its scripts may be waiting behind one that does not come, and a page that
 * waits for a style sheet is not drawn, so that nothing in it can be clicked. True if connections had to be broken off.
 */
export async function helpOn(tab: Tab, { isSeen, ...patience }: Patience & { isSeen: boolean }): Promise<boolean> {
  const ready = runApart(tab, isReady(isSeen)).catch(() => {});
  if (await within(ready, readyMs, patience.signal)) return false;
  return goOnWithout(tab, ready, patience);
}
