/**
 * Helps a page on that waits for a server which says nothing. A script or a style sheet that does not come holds the
 * whole page up, in the browser of a reader for minutes.
 */
import { setImmediate as othersFirst } from "node:timers/promises";
import { runApart } from "./isolated-world.ts";
import { isReady } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

/** A browser asks again where a connection breaks off that it had used before, or in the middle of TLS's beginning. */
const rounds = 3;
/** For a page that needs no help. */
const readyMs = 300;

interface Patience {
  /** How long nothing has to come on a connection. */
  readonly silentMs: number;
  readonly signal: AbortSignal;
}

/**
 * Breaks off the tab's connections on which nothing comes. True when `awaited` is kept, to which the page may come
 * without them.
 */
export async function goOnWithout(
  { pass }: Pick<Tab, "pass">,
  awaited: Promise<unknown>,
  { silentMs, signal }: Patience,
): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const breakOff = pass.silence();
    if (await within(awaited, silentMs, signal)) return true;
    // Where this process has been busy, what came meanwhile is still to be read.
    await othersFirst();
    breakOff();
  }
  return within(awaited, silentMs, signal);
}

/**
 * For a page that does not rest: its scripts may wait for their turn behind one that does not come, and one that waits
 * for a style sheet is not drawn, so that nothing in it can be clicked. True when it had to be helped.
 */
export async function helpOn(tab: Tab, { isSeen, ...patience }: Patience & { isSeen: boolean }): Promise<boolean> {
  const ready = runApart(tab, isReady(isSeen)).catch(() => {});
  if (await within(ready, readyMs, patience.signal)) return false;
  return goOnWithout(tab, ready, patience);
}
