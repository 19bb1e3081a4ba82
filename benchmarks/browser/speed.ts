/**
 * Measures pages per second, and processor time per page, for the markdown of script-rendered pages. The contenders
 * take turns, each with its own defaults.
 *
 *   node benchmarks/browser/speed.ts [pages] [rounds]
 */
import { contenders } from "./contenders.ts";
import { startSite } from "./site.ts";
import { treeCpu } from "./tree-cpu.ts";

const [pages = 100, rounds = 3] = process.argv.slice(2).map(Number);
const site = await startSite();
const results = new Map<string, { rate: number[]; cpu: number[] }>();

for (let round = 0; round < rounds; round += 1) {
  for (const [name, create] of Object.entries(contenders)) {
    const contender = await create();
    await contender.run([`${site.url}/page/0`]);
    const urls = Array.from({ length: pages }, (_, index) => `${site.url}/page/${round * pages + index + 1}`);
    const [begun, cpuBefore] = [performance.now(), treeCpu()];
    const found = await contender.run(urls);
    const seconds = (performance.now() - begun) / 1000;
    const cpu = (treeCpu() - cpuBefore) / pages;
    await contender.close();
    const result = results.get(name) ?? { rate: [], cpu: [] };
    results.set(name, result);
    result.rate.push(pages / seconds);
    result.cpu.push(cpu);
    const complete = found.filter((markdown) => markdown.length > 10_000).length;
    if (complete < pages) console.log(`${name}: only ${complete} of ${pages} pages were complete`);
  }
}
await site.close();

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
console.log(`${pages} pages, median of ${rounds} rounds`);
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
