/** Measures what threads do for a host: how long its event loop is held up by transforms, and the pages per second. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { createTransformPool } from "../../src/transform/pool.ts";
import { type TransformInput, transform } from "../../src/transform/transform.ts";
import { type CorpusPage, inputOf } from "./corpus.ts";

/** One large page made of many, for measuring the time per megabyte. */
function largePage(pages: readonly CorpusPage[], bytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const { body } = pages[index % pages.length]!;
    parts.push(body);
    size += body.byteLength;
  }
  return Buffer.concat(parts);
}

export async function reportThreads(pages: readonly CorpusPage[]): Promise<void> {
  console.log("\nOne large page, CPU:");
  for (const megabytes of [1, 2, 4, 8, 16]) {
    const body = largePage(pages, megabytes * 1e6);
    const before = process.cpuUsage();
    await transform(inputOf(body, "https://example.test/"));
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    console.log(
      `${(body.byteLength / 1e6).toFixed(1).padStart(6)} MB ${ms.toFixed(0).padStart(6)} ms ${(ms / (body.byteLength / 1e6)).toFixed(1).padStart(6)} ms a MB`,
    );
  }
  console.log("\nThreads  pages/s  event loop held, ms: p99     max   same output");
  const inputs = pages.map(({ body, url }) => inputOf(body, url));
  const expected = await Promise.all(inputs.map((input) => transform(input)));
  for (const threads of [0, 1, 2]) {
    const pool = threads === 0 ? null : createTransformPool({ threads });
    const read = (input: TransformInput) => (pool === null ? transform(input) : pool.transform(input));
    await Promise.all(inputs.slice(0, 10).map(read));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    const results = await inSteps(inputs, 8, read);
    const seconds = (performance.now() - start) / 1000;
    delay.disable();
    await pool?.close();
    const held = [delay.percentile(99), delay.max].map((nanoseconds) => (nanoseconds / 1e6).toFixed(1).padStart(8));
    console.log(
      `${String(threads).padStart(7)} ${(pages.length / seconds).toFixed(0).padStart(8)} ${" ".repeat(20)} ${held.join("")}   ${isDeepStrictEqual(results, expected)}`,
    );
  }
}

/** Runs `work` on all items, up to a number of them at once. */
async function inSteps<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runners = Array.from({ length: atOnce }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  await Promise.all(runners);
  return results;
}
