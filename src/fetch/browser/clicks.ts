/** Clicks on elements, as a reader would who knows what to click. */
import { errorText } from "../../shared/error-text.ts";
import { runApart } from "./isolated-world.ts";
import { clicksSeen, countClicks } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

/** How long an action waits for its element. */
export const elementLimitMs = 5_000;
/**
 * How long clicking is tried with the mouse, before an element out of its reach is clicked by script; each of many
 * matches gets less time.
 */
const tries = [2_000, elementLimitMs - 2_000];
const triesOfMany = [1_000];

/** An element, or a locator of it. */
interface Target {
  click(options: { timeout: number; noWaitAfter: true }): Promise<void>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  dispatchEvent(type: "click"): Promise<unknown>;
}

/** Why the mouse may not reach an element: it moves, is covered, or is outside the window. */
const outOfReach = /element is not stable|intercepts pointer events|outside of the viewport/;

/** In the log of a failure: the mouse was on its way. */
const isClicking = /performing click action/;

/** Clicks the first visible match: many pages have their buttons twice, for phones and for desktops. */
export async function clickFirst(tab: Tab, selector: string): Promise<void> {
  const matches = tab.page.locator(selector);
  const first = matches.filter({ visible: true }).first();
  try {
    await clickOn(tab, first as Target, tries);
  } catch (error) {
    if ((await matches.count()) === 0) throw error;
    const what = (await first.isVisible()) ? "acted on" : "seen";
    throw new Error(`the element cannot be ${what}`, { cause: error });
  }
}

/** Each match takes memory and time in this process too; tens of thousands would take gigabytes. */
const mostMatches = 1_000;

/** Clicks every visible match. */
export async function clickAll(tab: Tab, selector: string): Promise<void> {
  const all = tab.page.locator(selector);
  // If there are few matches, those that only become visible by earlier clicks are included.
  const matches = (await all.count()) > mostMatches ? all.filter({ visible: true }) : all;
  const count = await matches.count();
  if (count > mostMatches) throw new Error(`${count} elements match; no more than ${mostMatches} are clicked`);
  // Handles of the elements themselves: after a click, other elements may match, or the same in another order.
  for (const match of await matches.elementHandles()) {
    try {
      // An element that is hidden, or was removed by an earlier click, cannot be clicked and need not be.
      if (await match.isVisible()) await clickOn(tab, match as Target, triesOfMany);
    } catch {
      // One that cannot be clicked is no reason to leave out the others.
    }
  }
}

async function clickOn(tab: Tab, target: Target, limits: readonly number[]): Promise<void> {
  // A page that is being led on may not answer; the next one may have the element.
  await within(runApart(tab, countClicks), elementLimitMs).catch(() => false);
  let failure: unknown;
  for (const [index, timeout] of limits.entries()) {
    try {
      // A page that the click leads to is waited for afterwards: while waiting here, the time may run out, and the next
      // try would be a second click.
      await target.click({ timeout, noWaitAfter: true });
      return;
    } catch (error) {
      failure = error;
    }
    const text = errorText(failure);
    // On a busy page the time may run out while it has the click but has not said so.
    if (isClicking.test(text) && (await hasClicked(tab))) return;
    // In the last try also on a page that is too busy to move the mouse, but never a second time.
    const isLast = index === limits.length - 1 && !isClicking.test(text);
    if (!outOfReach.test(text) && !isLast) continue;
    if (!(await target.isVisible()) || !(await target.isEnabled())) continue;
    // Not its own method: drawings and formulas have none, and forms may have a field of that name.
    await target.dispatchEvent("click");
    return;
  }
  throw failure;
}

/** False only if the page says so: one that has led on, or does not answer, is taken to have had the click. */
async function hasClicked(tab: Tab): Promise<boolean> {
  let count = -1;
  const answer = runApart<number>(tab, clicksSeen).then((clicks) => {
    count = clicks;
  });
  await within(answer, elementLimitMs).catch(() => false);
  return count !== 0;
}
