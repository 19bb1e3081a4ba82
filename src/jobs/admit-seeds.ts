import { pause } from "../shared/pause.ts";

/**
 * How long to wait before the seeds of a job are admitted once more; longer each time, because their site is asked for
 * them again, too.
 */
const againMs = { first: 1000, most: 10_000 };
/** How often it is tried: a storage that is away has a minute and a half to come back. */
const mostTries = 13;

interface Seeds {
  /** Admits them all. */
  readonly admit: () => Promise<void>;
  /** Has the job go on with the pages that it has. */
  readonly goWithout: () => Promise<void>;
  /** There may be pages now. */
  readonly onTried: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Repeats until the seeds of a job are admitted, or `signal` fires: a storage that fails now may soon work again. After
 * the last try, the job goes on without those that are missing. Never rejects.
 */
export async function admitSeeds({ admit, goWithout, onTried, onFailure }: Seeds, signal: AbortSignal): Promise<void> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      await (tries < mostTries ? admit() : goWithout());
      return;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
    } finally {
      onTried();
    }
    await pause(Math.min(againMs.first * 2 ** tries, againMs.most), signal);
  }
}
