/**
 * Writes in one transaction what is given while the transaction before is in progress: each alone would take several
 * times as long, for all of them wait for one lock.
 */

/** Most bytes of one transaction, except for a single item that has more. */
const mostBytes = 4_000_000;
const mostItems = 200;

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @param write stores all items, or none if it rejects; resolves with a result for each, if there are any
 * @param track is given the work in progress, for the connection to wait for it when it is closed
 * @returns stores one item, in the order of the calls
 */
export function writeTogether<Item extends { readonly bytes: number }, Result = void>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  track: (work: Promise<void>) => Promise<void>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const count = countTogether(waiting);
      const calls = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await attempt(calls);
    }
    // In the same step as the last look at `waiting`.
    isWriting = false;
  }

  async function attempt(calls: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await write(calls.map(({ item }) => item));
      calls.forEach(({ resolve }, index) => void resolve(results[index] as Result));
    } catch (error) {
      // One of them took the others with it: each on its own.
      if (calls.length > 1 && isAboutData(error)) for (const call of calls) await attempt([call]);
      else for (const { reject } of calls) reject(error);
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      void track(writeAll());
    });
}

/** How many of the first calls are written together: one at least. */
function countTogether(calls: readonly { readonly item: { readonly bytes: number } }[]): number {
  let bytes = 0;
  const next = calls.findIndex(({ item }, index) => {
    bytes += item.bytes;
    return index > 0 && (bytes > mostBytes || index === mostItems);
  });
  return next === -1 ? calls.length : next;
}

/** What the database refuses because of what is written: invalid data, a broken constraint, more than it can hold. */
function isAboutData(error: unknown): boolean {
  return /^(?:22|23|54)/.test(String((error as { code?: unknown } | null)?.code ?? ""));
}
