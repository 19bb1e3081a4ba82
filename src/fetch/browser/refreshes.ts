/** Waits while a page that says hardly anything sends its readers on, as it is followed over HTTP. */
import { setTimeout as sleep } from "node:timers/promises";
import { refreshTarget } from "../meta-refresh.ts";
import { runApart } from "./isolated-world.ts";
import { htmlWithRefresh } from "./page-scripts.ts";
import type { Network } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { waitForEnd } from "./wait-for-end.ts";

const pollMs = 50;

/** Resolves when the tab shows a page that leads no further and has come to rest, at the latest after `limitMs`. */
export async function passRefreshes(
  tab: Tab,
  network: Network,
  { limitMs, quietMs, signal }: { readonly limitMs: number; readonly quietMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + limitMs;
  const { traffic } = tab;
  while (performance.now() < end && (await leadsOn(tab))) {
    const { document } = traffic;
    while (performance.now() < end && traffic.document === document) await sleep(pollMs, undefined, { signal });
    if (traffic.document === document) return;
    await waitForEnd(tab, limitMs, signal);
    await network.quiet(quietMs, limitMs, signal);
  }
}

async function leadsOn({ traffic: { document }, ...tab }: Tab): Promise<boolean> {
  if (!document || document.body) return false;
  const html = await runApart<string>(tab, htmlWithRefresh("refresh" in document.headers)).catch(() => "");
  const target = html === "" ? undefined : refreshTarget({ ...document, body: Buffer.from(html) });
  return target !== undefined && /^https?:/.test(target);
}
