/** Asks the host's function that chooses between HTTP and the browser. */
import { CrawlcoreError, RequestError } from "../errors.ts";
import type { BrowserChoice } from "../options.ts";
import { insteadOf } from "../shared/instead-of.ts";

type Page = Parameters<BrowserChoice>[0];

/** @throws RequestError `UNSUPPORTED` if the function fails, or gives what is no choice */
export function chosenFor(page: Page, choose: BrowserChoice | undefined): Page["suggestion"] {
  const chosen = ask(page, choose) ?? page.suggestion;
  if (chosen === "http" || chosen === "browser") return chosen;
  const given = insteadOf(chosen);
  throw new RequestError("UNSUPPORTED", `browser.choose must give "http", "browser" or undefined, not ${given}`);
}

function ask(page: Page, choose: BrowserChoice | undefined): unknown {
  try {
    return choose?.(page);
  } catch (cause) {
    if (CrawlcoreError.isInstance(cause)) throw cause;
    throw new RequestError("UNSUPPORTED", "The engine's function browser.choose failed", { cause });
  }
}
