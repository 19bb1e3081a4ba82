/** A page outside of jobs, whose version is kept with its answer; in a job, completing the page keeps it. */

import { longestKeepMs } from "../page/cached-fetch.ts";
import type { ScrapePage } from "../page/scrape-page.ts";
import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";
import { errorName } from "../shared/error-text.ts";
import { inTime } from "../shared/in-time.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { Sweeper } from "./sweep.ts";

interface SinglePageParts {
  readonly scrapePage: ScrapePage;
  readonly versions: Storage["versions"];
  readonly sweeper: Pick<Sweeper, "expect">;
  readonly logger: Logger;
}

export function createSinglePage({ scrapePage, versions, sweeper, logger }: SinglePageParts): ScrapePage {
  return async (request) => {
    const page = await scrapePage(request);
    await orAborted(page.kept, request.signal);
    if (page.version === undefined || versions === undefined) return page;
    try {
      await inTime(versions.put(page.version), longestKeepMs);
      sweeper.expect(page.version.expiresAt);
      await page.keep?.();
    } catch (error) {
      // The next scrape will compare with the version before this one.
      logger.warn("the version of a page could not be kept", { error: errorName(error) });
    }
    return page;
  };
}
