/** Iterators that were begun and thrown away, without being closed: nothing of them stays. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);

test("a process that lives long keeps nothing of iterators that were thrown away", () => {
  const program = `
    import { setTimeout as delay } from "node:timers/promises";
    import { queryObjects } from "node:v8";
    import { createEngine } from ${source("index.ts")};
    import { startTestSite } from ${source("testing/index.ts")};

    const site = await startTestSite({ "/": "<p>One page.</p>" });
    const engine = createEngine({ browser: false, network: { allowHosts: ["127.0.0.1"] } });
    /** Memory shows no iterators, but the weak references to them. */
    async function references(iterators) {
      for (let count = 0; count < iterators; count++) {
        const job = await engine.batchScrape({ urls: [site.url] });
        await job[Symbol.asyncIterator]().next();
      }
      for (let turn = 0; turn < 10; turn++) {
        await delay(50);
        gc();
      }
      return queryObjects(WeakRef, { format: "count" });
    }
    const before = await references(5);
    const after = await references(60);
    console.log(after - before);
    await engine.close();
    await site.close();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module"];
  const kept = Number(execFileSync(process.execPath, [...flags, "-e", program], { encoding: "utf8" }));
  expect(kept).toBeLessThan(20);
});
