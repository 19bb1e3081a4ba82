/** Waits until a page has been read to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import { goOnWithout } from "./dead-connections.ts";
import { runApart } from "./isolated-world.ts";
import { textLength } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

/** Characters of text from which a page shows something. */
const enoughText = 20;
const pollMs = 50;
/** For a page to say what it shows: one at work does not answer. */
const answerMs = 200;
/** How much of the limit passes before connections are listened to, and how long one has to be silent to be broken off. */
const calmPart = 0.5;
const silentPart = 1 / 8;
/** Less may be a pause. */
const minSilentMs = 300;

/** Whether a page has come to its end, and if so, whether it had to be helped on without something it waited for. */
export type Ending = "whole" | "helped" | "open";

/**
 * A page that waits for a script that does not come is helped on without it. Resolves with `open` when a page has not
 * come to its end within the limit and shows something all the same: it goes on for ever. A page that shows nothing is
 * helped on later, since its server may be slow, and waited for without a limit. Rejects when the page is gone.
 */
export async function waitForEnd(tab: Tab, limitMs: number, signal: AbortSignal): Promise<Ending> {
  const stop = new AbortController();
  // The event also when the page crashes or is closed.
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

/** Nothing tells the end of a page whose script has led to what takes no page's place: a file to be saved. */
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

/** Whether a page of scripts shows more than a word or two. */
export async function showsText(tab: Tab): Promise<boolean> {
  return (await runApart<number>(tab, textLength).catch(() => 0)) >= enoughText;
}
