/**
 * Pages a second and processor time a page for the markdown of script-rendered pages, the contenders in turns.
 *
 *   node benchmarks/browser/speed.ts [pages] [concurrency] [rounds]
 */
import { contenders } from "./contenders.ts";
import { startSite } from "./site.ts";
import { treeCpu } from "./tree-cpu.ts";

const [pages = 100, concurrency = 4, rounds = 3] = process.argv.slice(2).map(Number);
const site = await startSite();
const results = new Map<string, { rate: number[]; cpu: number[] }>();

for (let round = 0; round < rounds; round += 1) {
  for (const [name, create] of Object.entries(contenders)) {
    const contender = await create(concurrency);
    await contender.page(`${site.url}/page/0`);
    const [begun, cpuBefore] = [performance.now(), treeCpu()];
    let next = 1;
    let complete = 0;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (next <= pages) {
          const index = next++;
          const markdown = await contender.page(`${site.url}/page/${index}`);
          if (markdown.includes(`Page ${index}`) && markdown.length > 10_000) complete += 1;
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    const cpu = (treeCpu() - cpuBefore) / pages;
    await contender.close();
    const result = results.get(name) ?? { rate: [], cpu: [] };
    results.set(name, result);
    result.rate.push(pages / seconds);
    result.cpu.push(cpu);
    if (complete < pages) console.log(`${name}: only ${complete} of ${pages} pages were complete`);
  }
}
await site.close();

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
console.log(`${pages} pages, ${concurrency} at once, median of ${rounds} rounds`);
console.table(
  Object.fromEntries(
    [...results].map(([name, { rate, cpu }]) => [
      name,
      { "pages/s": Number(median(rate).toFixed(1)), "CPU ms/page": Math.round(median(cpu)) },
    ]),
  ),
);
// The peers leave timers and a listening socket behind.
process.exit();
