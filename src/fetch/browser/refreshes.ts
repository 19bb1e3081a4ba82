/** Waits while a page that says hardly anything sends its readers on, as it is followed over HTTP. */
import { setTimeout as sleep } from "node:timers/promises";
import { refreshTarget } from "../meta-refresh.ts";
import { runApart } from "./isolated-world.ts";
import { htmlWithRefresh } from "./page-scripts.ts";
import type { MainDocument } from "./page-traffic.ts";
import type { Network } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { waitForEnd } from "./wait-for-end.ts";

const pollMs = 50;

/**
 * Resolves when the tab shows a page that leads no further and has come to rest, at the latest after `limitMs`. A page
 * that was waited for in vain is not waited for again.
 */
export type PassRefreshes = (limits: { readonly limitMs: number; readonly quietMs: number }) => Promise<void>;

/** For one request, whose pages are waited for `totalMs` at most: some lead from one to the other for ever. */
export function createPassRefreshes(
  tab: Tab,
  network: Network,
  { totalMs, signal }: { readonly totalMs: number; readonly signal: AbortSignal },
): PassRefreshes {
  const { traffic } = tab;
  const waitedFor = new WeakSet<MainDocument>();
  let restMs = totalMs;
  return async ({ limitMs, quietMs }) => {
    const end = performance.now() + Math.min(limitMs, restMs);
    const left = () => end - performance.now();
    while (left() > 0) {
      const { document } = traffic;
      if (!document || waitedFor.has(document) || !(await leadsOn(tab, document))) return;
      waitedFor.add(document);
      const begun = performance.now();
      try {
        // It may also lead to a file, or nowhere.
        while (traffic.document === document && !traffic.download && !traffic.failure && left() > 0) {
          await sleep(pollMs, undefined, { signal });
        }
        if (traffic.document === document) return;
        // Until the browser shows the next page, it says that the last one has ended.
        await sleep(pollMs, undefined, { signal });
        await waitForEnd(tab, left(), signal);
        await network.quiet(quietMs, left(), signal);
      } finally {
        restMs -= performance.now() - begun;
      }
    }
  };
}

async function leadsOn(tab: Tab, document: MainDocument): Promise<boolean> {
  if (document.body) return false;
  const html = await runApart<string>(tab, htmlWithRefresh("refresh" in document.headers)).catch(() => "");
  const target = html === "" ? undefined : refreshTarget({ ...document, body: Buffer.from(html) });
  return target !== undefined && /^https?:/.test(target) && withoutFragment(target) !== withoutFragment(document.url);
}

/** A page that leads to itself, or to a place in it, has nothing else to come. */
function withoutFragment(url: string): string {
  return url.split("#", 1)[0]!;
}
