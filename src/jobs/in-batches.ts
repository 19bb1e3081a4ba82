/** Groups items that come one by one, without keeping those that have come waiting for those that have not. */

/**
 * The items in batches of `size`; a smaller one, even an empty one, when `waitMs` have passed since the last, and at
 * the end. Rejects as `items` does, after a batch with the items that had come until then. Whoever stops iterating has
 * to make `items` end.
 */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  { size, waitMs }: { readonly size: number; readonly waitMs: number },
): AsyncGenerator<Item[]> {
  const iterator = items[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<Item>> | undefined;
  for (;;) {
    const batch: Item[] = [];
    let timer: NodeJS.Timeout | undefined;
    const due = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, waitMs, null).unref();
    });
    try {
      while (batch.length < size) {
        coming ??= iterator.next();
        const item = await Promise.race([coming, due]);
        if (item === null) break;
        coming = undefined;
        if (item.done) {
          if (batch.length > 0) yield batch;
          return;
        }
        batch.push(item.value);
      }
    } catch (error) {
      if (batch.length > 0) yield batch;
      throw error;
    } finally {
      clearTimeout(timer);
    }
    yield batch;
  }
}
