/** Tasks that the queue delivers more than once, or to an engine that is closing. */
import { expect, test, vi } from "vitest";
import { memoryQueue, memoryStorage, type Telemetry } from "../src/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

test("a task that comes twice at once is one job's work", async () => {
  const { url } = await site({ "/a": page("a"), "/b": page("b") });
  const queue = memoryQueue();
  const consume: typeof queue.consume = (work, signal) =>
    queue.consume(async (task) => void (await Promise.all([work(task), work(task)])), signal);
  const begun: string[] = [];
  const telemetry: Telemetry = {
    begin(name) {
      begun.push(name);
      return { set() {}, end() {} };
    },
    count() {},
  };
  const engine = engineFor({ queue: { ...queue, consume }, telemetry });
  const { data } = await (await engine.batchScrape({ urls: [`${url}/a`, `${url}/b`] })).wait();
  expect(paths(data)).toEqual(["/a", "/b"]);
  expect(begun.filter((name) => name === "crawlcore.job")).toHaveLength(1);
});

test("a task whose job is looked up while the engine closes is not taken up any more", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const { getJob } = storage.jobs;
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  vi.spyOn(storage.jobs, "getJob").mockImplementationOnce(async (id, now) => {
    asked.resolve();
    await answered.promise;
    return getJob(id, now);
  });
  const error = vi.fn();
  const engine = engineFor({ storage, logger: { debug() {}, info() {}, warn() {}, error } });
  await engine.batchScrape({ urls: [url] });
  await asked.promise;
  const closed = engine.close();
  answered.resolve();
  await closed;
  // Nothing that was begun for it had to be waited for.
  expect(error).not.toHaveBeenCalled();
  expect(await engineFor({ storage }).resume()).toEqual({ resumed: [expect.any(String)] });
});
