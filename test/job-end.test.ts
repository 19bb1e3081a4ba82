/** A job ends with its last pages, also when these end together. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStorage, type Storage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** Completes pages as a database does that writes several in one commit: nobody hears of one before all are written. */
function committingTogether(storage: Storage, pages: number): Storage {
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  let open = pages;
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof Storage["jobs"]) {
      const method = (target[name] as (...parameters: unknown[]) => unknown).bind(target);
      if (name !== "completePage") return method;
      return async (...parameters: unknown[]) => {
        const completed = await method(...parameters);
        if (--open === 0) commit();
        await committed;
        return completed;
      };
    },
  });
  return { ...storage, jobs };
}

test("pages that end in one commit do not wait for each other to end the job", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  // Several times: a timer that looks after jobs might come to help once.
  for (let round = 0; round < 5; round++) {
    const paths = ["/a", "/b", "/c"];
    const memory = memoryStorage();
    const engine = engineFor({ storage: committingTogether(memory, paths.length) });
    const job = await engine.batchScrape({ urls: paths.map((path) => url + path) });
    const read = () => memory.jobs.getJob(job.id, Date.now());
    while ((await read())?.listed !== paths.length) await nextTurn();
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(await read()).toMatchObject({ state: "completed" });
  }
});
