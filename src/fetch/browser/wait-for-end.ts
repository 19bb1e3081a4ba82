/** Waits until a page has finished loading. */
import { setTimeout as sleep } from "node:timers/promises";
import { goOnWithout } from "./dead-connections.ts";
import { runApart } from "./isolated-world.ts";
import { textLength } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

/** With this many characters of text, a page shows something. */
const enoughText = 20;
const pollMs = 50;
/** Milliseconds for a page to report what it shows; a busy page does not answer. */
const answerMs = 200;
/**
 * The share of the limit after which connections are observed, and the share for which one has to be silent to be
 * broken off.
 */
const calmPart = 0.5;
const silentPart = 1 / 8;
/** Less silence may be just a pause. */
const minSilentMs = 300;

/**
 * Whether a page has finished loading and, if so, whether it had to be helped to continue without something it waited
 * for.
 */
export type Ending = "whole" | "helped" | "open";

/**
 * A page that waits for a script that does not come is helped to continue without it. Resolves with `open` if a page
 * has not finished loading within the limit but shows something: it may stream for ever. A page that shows nothing is
 * helped later, because its server may be slow, and is waited for without limit. Rejects when the page has gone.
 */
export async function waitForEnd(tab: Tab, limitMs: number, signal: AbortSignal): Promise<Ending> {
  const stop = new AbortController();
  // Also settles when the page crashes or is closed.
  const end = Promise.race([
    tab.page.waitForLoadState("domcontentloaded", { timeout: 0 }),
    becomesRead(tab, AbortSignal.any([stop.signal, signal])),
  ]);
  end.catch(() => {});
  const silentMs = Math.max(limitMs * silentPart, minSilentMs);
  try {
    if (await within(end, limitMs * calmPart, signal)) return "whole";
    if (!(await shows(tab)) && (await within(end, limitMs * (1 - calmPart), signal))) return "whole";
    for (;;) {
      if (await goOnWithout(tab, end, { silentMs, signal })) return "helped";
      if (await shows(tab)) return "open";
    }
  } finally {
    stop.abort();
  }
}

/** There is no event for the end of a page whose script has led to a download, which replaces no page. */
async function becomesRead(tab: Tab, signal: AbortSignal): Promise<void> {
  const isRead = () => runApart<boolean>(tab, `document.readyState !== "loading"`).catch(() => false);
  while (!(await isRead())) await sleep(pollMs, undefined, { signal });
}

async function shows(tab: Tab): Promise<boolean> {
  let answer = false;
  const asked = showsText(tab).then((text) => {
    answer = text;
  });
  await within(asked, answerMs);
  return answer;
}

/** Whether a page with scripts shows more than a word or two. */
export async function showsText(tab: Tab): Promise<boolean> {
  return (await runApart<number>(tab, textLength).catch(() => 0)) >= enoughText;
}
