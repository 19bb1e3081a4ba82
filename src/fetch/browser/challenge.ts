/**
 * Waits while a guard of the site examines the browser; it then leads on to the page by itself, often at the same
 * address.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isChallenge } from "../block-signals.ts";
import { runApart } from "./isolated-world.ts";
import { htmlOfShortPage } from "./page-scripts.ts";
import type { Network } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** The common guards make visitors wait for up to five seconds. */
const passLimitMs = 7_000;
const pollMs = 100;

/** Resolves when the tab shows no challenge and the page behind it has come to rest, at the latest after `limitMs`. */
export async function passChallenge(
  tab: Tab,
  network: Network,
  { limitMs, quietMs, signal }: { readonly limitMs: number; readonly quietMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + Math.min(passLimitMs, limitMs);
  if (!(await showsChallenge(tab))) return;
  // A page that cannot be read now is on its way from the challenge to the real page.
  while (performance.now() < end && (await showsChallenge(tab)) !== false) {
    await sleep(pollMs, undefined, { signal });
    await waitForEnd(tab, end - performance.now(), signal);
    await network.quiet(quietMs, end - performance.now(), signal);
  }
}

/** Undefined for a page that cannot be read, because it is just leading on or has gone. */
async function showsChallenge(tab: Tab): Promise<boolean | undefined> {
  const { document } = tab.traffic;
  if (!document || document.body) return false;
  const html = await runApart<string>(tab, htmlOfShortPage).catch(() => undefined);
  if (html === undefined) return tab.page.isClosed() ? false : undefined;
  return isChallenge({ ...document, body: Buffer.from(html), proxyUsed: "basic", rendered: true });
}
