/** Waits until a page has been read to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import { runApart } from "./isolated-world.ts";
import { textLength } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";

/** Characters of text from which a page shows something. */
const enoughText = 20;
const pollMs = 50;

/**
 * True when the page has come to its end. False when it has not within the limit and shows something all the same: it
 * waits for a script that does not come, or goes on for ever. A page that shows nothing is waited for without a limit.
 * Rejects when the page is gone.
 */
export async function waitForEnd(tab: Tab, limitMs: number, signal: AbortSignal): Promise<boolean> {
  let told: Promise<void> | undefined;
  const load = tab.page.waitForLoadState("domcontentloaded", { timeout: 0 });
  // Also when the page crashes or is closed.
  const note = () => {
    told = load;
  };
  load.then(note, note);
  const limit = performance.now() + limitMs;
  // Nothing tells the end of a page whose script has led to what takes no page's place: a file to be saved.
  while (!told && !(await isRead(tab))) {
    if (performance.now() > limit && (await showsText(tab))) return false;
    await sleep(pollMs, undefined, { signal });
  }
  await told;
  return true;
}

function isRead(tab: Tab): Promise<boolean> {
  return runApart<boolean>(tab, `document.readyState !== "loading"`).catch(() => false);
}

/** Whether a page of scripts shows more than a word or two. */
export async function showsText(tab: Tab): Promise<boolean> {
  return (await runApart<number>(tab, textLength).catch(() => 0)) >= enoughText;
}
