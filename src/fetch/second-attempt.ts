/** A second attempt at a page, which leaves time to return what there is without it. */
import type { Fetcher, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { withDeadline } from "./deadline.ts";

/** The share of a request's time after which a second attempt ends. */
const partOfTime = 0.9;

interface Attempts {
  first(fetcher: Fetcher): Promise<FetchResponse>;
  /** Rejects with `SCRAPE_TIMEOUT` a little before the request's time is up. */
  second(fetcher: Fetcher): Promise<FetchResponse>;
}

/** Call it when the time of the request begins. */
export function attemptsAt(request: FetchRequest): Attempts {
  const begun = performance.now();
  const { timeout, untimed } = request;
  let untimedMs = 0;
  const measured = untimed && {
    async untimed<Value>(waiting: Promise<Value>): Promise<Value> {
      const since = performance.now();
      try {
        return await untimed(waiting);
      } finally {
        untimedMs += performance.now() - since;
      }
    },
  };
  return {
    first: (fetcher) => fetcher.fetch(measured ? { ...request, ...measured } : request),
    async second(fetcher) {
      const usedMs = performance.now() - begun - untimedMs;
      const limitMs = timeout === undefined ? undefined : Math.max(timeout * partOfTime - usedMs, 0);
      const deadline = withDeadline(request.signal, limitMs);
      const { signal } = deadline;
      try {
        return await fetcher.fetch({
          ...request,
          signal,
          ...(untimed && { untimed: (waiting) => untimed(deadline.untimed(waiting)) }),
        });
      } finally {
        deadline.dispose();
      }
    },
  };
}
