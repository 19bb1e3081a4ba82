/** URLs that are appended to a batch at the very moment it ends are scraped like all others. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type JobStore, memoryStorage, type Storage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** A storage whose every call on jobs takes a moment before and after, as one behind a network does. */
function distant(storage: Storage, wait: () => Promise<unknown>): Storage {
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof JobStore) {
      const method = target[name] as (...values: unknown[]) => unknown;
      if (name === "listKeys") return method.bind(target);
      return async (...values: unknown[]) => {
        await wait();
        const result = await method.apply(target, values);
        await wait();
        return result;
      };
    },
  });
  return { ...storage, jobs };
}

test("a batch goes on with what is appended as it ends", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const engine = engineFor({ storage: distant(memoryStorage(), () => delay(random() * 5)) });
  for (let round = 0; round < 6; round++) {
    const batches = Array.from({ length: 15 }, async (_, index) => {
      const { id } = await engine.batchScrape({ urls: [`${url}/${index}`] });
      await delay(random() * 40);
      const job = await engine.batchScrape({ urls: [`${url}/${index}/more`], appendToId: id });
      return job.wait({ signal: AbortSignal.timeout(8000) });
    });
    for (const status of await Promise.all(batches)) {
      expect(status).toMatchObject({ status: "completed", total: 2, completed: 2 });
    }
  }
}, 30_000);

test("an append that is stored has succeeded, though the queue fails: the URLs are scraped once it works again", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const work: ((task: { jobId: string; team: string }) => Promise<void>)[] = [];
  let isDown = false;
  const engine = engineFor({
    storage,
    queue: {
      async push(task) {
        if (isDown) throw new Error("queue down");
        void work[0]?.(task);
      },
      consume: (handle, signal) =>
        new Promise((resolve) => {
          work.push(handle);
          signal.addEventListener("abort", () => resolve());
        }),
      close: async () => {},
    },
  });
  const { id } = await engine.batchScrape({ urls: [`${url}/a`] });
  await expect.poll(async () => (await engine.getBatchScrapeStatus(id)).status).toBe("completed");
  isDown = true;
  const job = await engine.batchScrape({ urls: [`${url}/b`], appendToId: id });
  expect((await engine.getBatchScrapeStatus(id)).total).toBe(2);
  isDown = false;
  expect(await job.wait({ signal: AbortSignal.timeout(8000) })).toMatchObject({ status: "completed", completed: 2 });
}, 15_000);
