/** Notices when a loaded page has led on to an address that could not be opened. */
import type { Page, Request } from "playwright";
import type { CrawlcoreError } from "../../errors.ts";
import { navigationError } from "./navigation-errors.ts";
import type { Tab } from "./tabs.ts";

export interface DeadEnds {
  /** Why the address that the page has led to could not be opened; undefined if it is open. */
  failure(): CrawlcoreError | undefined;
  stop(): void;
}

/** The address of the page that browsers show in place of one that cannot be opened. */
const errorPage = /^chrome-error:/;

export function watchDeadEnds(tab: Tab): DeadEnds {
  const { page, traffic } = tab;
  let text = "";
  const failed = (request: Request): void => {
    if (request.isNavigationRequest() && isOfPage(request, page)) text = request.failure()?.errorText ?? "";
  };
  page.on("requestfailed", failed);
  return {
    failure() {
      // An error status without a body is an answer, although the browser shows a page of its own for it.
      const { document, lastUrl = "" } = traffic;
      if (!errorPage.test(page.url()) || document?.url === lastUrl) return undefined;
      return navigationError(new Error(text), lastUrl, tab);
    },
    stop: () => void page.off("requestfailed", failed),
  };
}

function isOfPage(request: Request, page: Page): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return false; // Its frame has gone.
  }
}
