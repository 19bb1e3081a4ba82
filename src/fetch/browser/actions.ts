/** Carries out the actions of a request, one after the other, in one page. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Locator } from "playwright";
import type { ParsedAction } from "../../contract/actions.ts";
import { CrawlcoreError, ScrapeError } from "../../errors.ts";
import type { ActionResults, FetchRequest } from "../../ports/fetcher.ts";
import { errorText } from "../../shared/error-text.ts";
import { clickAll, clickFirst, elementLimitMs } from "./clicks.ts";
import { helpOn } from "./dead-connections.ts";
import { runApart } from "./isolated-world.ts";
import { drawn, nothingHasFocus, scrollWindow } from "./page-scripts.ts";
import type { PassRefreshes } from "./refreshes.ts";
import { runScript } from "./run-script.ts";
import type { TakePicture } from "./screenshots.ts";
import type { Network } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { takeHtml } from "./take-html.ts";
import { waitForEnd } from "./wait-for-end.ts";
import { within } from "./within.ts";

interface ActionParts {
  readonly tab: Tab;
  readonly network: Network;
  readonly passRefreshes: PassRefreshes;
  readonly takePicture: TakePicture;
  readonly signal: AbortSignal;
  readonly awaits?: FetchRequest["awaits"];
  /** False if the host does not permit scripts of callers. */
  readonly allowScripts: boolean;
  /** Most bytes of the page's HTML; of what the actions give, twice as many. */
  readonly maxBodyBytes: number;
}

/** What the steps of one request know of each other. */
interface StepParts extends ActionParts {
  /** False once the page was not drawn in time. */
  canBeDrawn: boolean;
}

/** Keys that paste. In a browser of the host's, the clipboard is that of the machine. */
const pastes = /(?:control|meta).*\+(?:key)?v$|shift.*\+insert$/i;

type Kind = ParsedAction["type"];
type ActionOf<K extends Kind> = Extract<ParsedAction, { type: K }>;
type Results = { [Name in keyof ActionResults]: ActionResults[Name][number][] };
type Run<K extends Kind> = (action: ActionOf<K>, parts: StepParts, results: Results, warn: Warn) => Promise<void>;
type Warn = (text: string) => void;

/** The results of actions, before any was done. */
export const noResults = (): Results => ({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] });

/** The members of an element that are used inside the page. */
interface Scrollable {
  readonly clientHeight: number;
  scrollBy(options: { top: number; behavior: "instant" }): void;
}

/** Longer texts are inserted at once instead of key by key. */
const maxTypedLength = 500;
/** After a step that may start something: how long the network must be quiet, and how long that is waited for. */
const quietMs = 150;
const quietLimitMs = 3_000;
/**
 * Most milliseconds after a step for the page to be drawn. Pictures that are hard to draw take seconds on a busy machine;
 * a page that a browser of the host's keeps in the background is never drawn, and is not waited for again.
 */
const drawnLimitMs = 10_000;
/** How long the first byte of a page that a step leads to is waited for; until then, the next step would see the old one. */
const answerLimitMs = 15_000;
/** How long a connection that the page waits for may be silent before the page continues without it. */
const silentMs = 1_000;
/** Most bytes of what all actions give together, as a multiple of those of a page: they become one document. */
const pagesInResults = 2;

const kinds: { readonly [K in Kind]: Run<K> } = {
  async wait(action, { tab, signal }) {
    if (action.milliseconds !== undefined) await sleep(action.milliseconds, undefined, { signal });
    // No limit but that of the request: when it is over, the tab is closed.
    else await find(tab, action.selector ?? "").waitFor({ state: "attached", timeout: 0 });
  },
  async click({ selector, all }, parts) {
    if (all) await clickAll(parts.tab, css(selector));
    else await clickFirst(parts.tab, css(selector));
    await rest(parts);
  },
  async screenshot({ fullPage, quality }, { takePicture }, results, warn) {
    const { bytes, warning } = await takePicture({ fullPage, quality });
    results.screenshots.push(bytes);
    if (warning !== undefined) warn(warning);
  },
  async write({ text }, parts, _, warn) {
    const { keyboard } = parts.tab.page;
    // No failure: a page may listen to the keyboard itself.
    if (await runApart<boolean>(parts.tab, nothingHasFocus)) warn("A text was typed while no field had the focus.");
    // Each of the two signs of a line's end would be typed as one.
    const lines = text.replace(/\r\n/g, "\n");
    if (lines.length <= maxTypedLength) await keyboard.type(lines);
    else await keyboard.insertText(lines);
    await rest(parts);
  },
  async press({ key }, parts) {
    if (pastes.test(key)) throw new Error("nothing is pasted, because all pages of a browser share its clipboard");
    const { keyboard } = parts.tab.page;
    // What is on no US keyboard, such as "é", has no key there, but can be typed.
    if ([...key].length === 1) await keyboard.type(key);
    else await keyboard.press(key);
    await rest(parts);
  },
  async scroll({ direction, selector }, parts) {
    const sign = direction === "up" ? -1 : 1;
    if (selector === undefined) {
      await runApart(parts.tab, scrollWindow(sign));
    } else {
      const scroll = (element: Scrollable, by: number): void =>
        element.scrollBy({ top: by * element.clientHeight, behavior: "instant" });
      const match = find(parts.tab, selector);
      await match.waitFor({ state: "attached", timeout: elementLimitMs });
      // As with a click: many pages have their lists twice, for phones and for desktops.
      const seen = findAll(parts.tab, selector).filter({ visible: true });
      const target = (await seen.count()) > 0 ? seen.first() : match;
      await target.evaluate(scroll as never, sign, { timeout: elementLimitMs });
    }
    await rest(parts);
  },
  async scrape(_, { tab, maxBodyBytes }, results) {
    results.scrapes.push({ url: tab.page.url(), html: await takeHtml(tab, maxBodyBytes) });
  },
  async executeJavascript({ script }, parts, results, warn) {
    if (!parts.allowScripts) throw new Error("this engine runs no scripts of callers");
    const { isOpaque, ...result } = await runScript(parts.tab, script);
    results.javascriptReturns.push(result);
    if (isOpaque) warn("A script ended with what is no plain data; its value is null.");
    await rest(parts);
  },
  async pdf({ format, landscape, scale }, { tab }, results) {
    results.pdfs.push(await tab.page.pdf({ format, landscape, scale, printBackground: true }));
  },
};

/**
 * Runs all actions. Rejects with a `SCRAPE_ACTION_ERROR` that names the position, kind and selector of the one that
 * failed.
 */
export async function runActions(
  actions: readonly ParsedAction[],
  parts: ActionParts,
): Promise<{ results: ActionResults; warnings: string[] }> {
  const results = noResults();
  const warnings: string[] = [];
  const stepParts: StepParts = { ...parts, canBeDrawn: true };
  for (const [index, action] of actions.entries()) {
    parts.signal.throwIfAborted();
    parts.awaits?.(nameOf(action, index));
    try {
      await (kinds[action.type] as Run<Kind>)(action as never, stepParts, results, (text) => warnings.push(text));
      const most = pagesInResults * parts.maxBodyBytes;
      if (sizeOf(results) > most) throw new Error(`what the actions give is larger than ${most} bytes`);
    } catch (error) {
      parts.signal.throwIfAborted();
      throw actionError(error, index, action);
    } finally {
      parts.awaits?.(undefined);
    }
  }
  return { results, warnings };
}

/** Without the values of scripts, which have a limit of their own. */
function sizeOf({ screenshots, scrapes, pdfs }: Results): number {
  const files = [...screenshots, ...pdfs].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return scrapes.reduce((sum, { html }) => sum + html.length, files);
}

/** A step may have started a navigation or a request; the next step must see the outcome. */
async function rest(parts: StepParts): Promise<void> {
  const { tab, network, passRefreshes, signal } = parts;
  // Pages hear of a scroll, and of what has come into sight, when they are drawn: on a busy machine, well after the step.
  if (parts.canBeDrawn) {
    // A page that is led on meanwhile is not drawn, but the next one may be.
    parts.canBeDrawn = await within(runApart(tab, drawn), drawnLimitMs, signal).catch(() => true);
    signal.throwIfAborted();
  }
  let rests = await network.quiet(quietMs, quietLimitMs, signal);
  if (!rests) {
    await network.answered(answerLimitMs, signal);
    rests = await network.quiet(quietMs, quietLimitMs, signal);
  }
  await waitForEnd(tab, elementLimitMs, signal);
  if (rests) {
    await passRefreshes({ limitMs: quietLimitMs, quietMs });
    return;
  }
  await helpOn(tab, { isSeen: true, silentMs, signal });
  // The next step need not wait for the same requests in vain.
  network.forget();
}

function css(selector: string): string {
  return `css=${selector}`;
}

function findAll({ page }: Tab, selector: string): Locator {
  return page.locator(css(selector));
}

function find(tab: Tab, selector: string): Locator {
  return findAll(tab, selector).first();
}

function selectorOf(action: ParsedAction): string | undefined {
  return "selector" in action ? action.selector : undefined;
}

function nameOf(action: ParsedAction, index: number): string {
  const selector = selectorOf(action);
  return `actions[${index}] (${action.type}${selector === undefined ? "" : ` ${JSON.stringify(selector)}`})`;
}

function actionError(error: unknown, index: number, action: ParsedAction): ScrapeError {
  const selector = selectorOf(action);
  const message = `${nameOf(action, index)} failed: ${reasonOf(error, selector)}`;
  return new ScrapeError("SCRAPE_ACTION_ERROR", message, {
    cause: error,
    details: [{ path: ["actions", index, ...(selector === undefined ? [] : ["selector"])], message }],
  });
}

function reasonOf(error: unknown, selector: string | undefined): string {
  if (CrawlcoreError.isInstance(error)) return error.message;
  const text = errorText(error);
  if (selector !== undefined && /is not a valid selector|Unexpected token|while parsing (?:css )?selector/i.test(text))
    return "the selector is not valid CSS";
  if (selector !== undefined && /Timeout \d+ms exceeded/.test(text)) return "no element matches";
  // Playwright's log of its attempts is for its own users.
  return (text.split("\n", 1)[0] ?? "").replace(/^\w+\.\w+: /, "").slice(0, 500);
}
