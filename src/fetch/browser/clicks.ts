/** Clicks on elements, as a reader does who knows what is to be clicked. */
import { errorText } from "../../contract/error-text.ts";
import type { Tab } from "./tabs.ts";

/** How long an element is waited for by what acts on it. */
export const elementLimitMs = 5_000;
/** How long it is tried with the mouse, until an element out of reach is clicked without; one of many matches has less. */
const tries = [2_000, elementLimitMs - 2_000];
const triesOfMany = [1_000];

/** An element, or the way to it. */
interface Target {
  click(options: { timeout: number }): Promise<void>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  evaluate(run: (element: { click(): void }) => void): Promise<unknown>;
}

/** What keeps a mouse from an element that is there to be clicked: it moves, lies below something, or beside the window. */
const outOfReach = /element is not stable|intercepts pointer events|outside of the viewport/;

/** The first match that can be seen: pages have their buttons twice, for phones and for desktops. */
export async function clickFirst({ page }: Tab, selector: string): Promise<void> {
  const matches = page.locator(selector);
  const first = matches.filter({ visible: true }).first();
  try {
    await clickOn(first as Target, tries);
  } catch (error) {
    if ((await matches.count()) === 0) throw error;
    const what = (await first.isVisible()) ? "acted on" : "seen";
    throw new Error(`the element cannot be ${what}`, { cause: error });
  }
}

/** Each is known to this process, too, where tens of thousands take gigabytes, and all of its time. */
const mostMatches = 1_000;

/** Every match that can be seen. */
export async function clickAll({ page }: Tab, selector: string): Promise<void> {
  const all = page.locator(selector);
  // Among few also those that only the clicks before bring to light.
  const matches = (await all.count()) > mostMatches ? all.filter({ visible: true }) : all;
  const count = await matches.count();
  if (count > mostMatches) throw new Error(`${count} elements match; no more than ${mostMatches} are clicked`);
  // The elements themselves: after a click others may match, or the same in other places.
  for (const match of await matches.elementHandles()) {
    try {
      // What is hidden, or was taken away by a former click, cannot be clicked, and need not be.
      if (await match.isVisible()) await clickOn(match as Target, triesOfMany);
    } catch (error) {
      if (page.isClosed()) throw error;
    }
  }
}

async function clickOn(target: Target, limits: readonly number[]): Promise<void> {
  let failure: unknown;
  for (const [index, timeout] of limits.entries()) {
    try {
      await target.click({ timeout });
      return;
    } catch (error) {
      failure = error;
    }
    const text = errorText(failure);
    // At last also on a page that is too busy for a mouse to be moved; but never twice.
    const isLast = index === limits.length - 1 && !/performing click action/.test(text);
    if (!outOfReach.test(text) && !isLast) continue;
    if (!(await target.isVisible()) || !(await target.isEnabled())) continue;
    await target.evaluate((element) => element.click());
    return;
  }
  throw failure;
}
