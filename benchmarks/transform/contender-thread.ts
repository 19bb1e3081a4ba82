/**
 * The thread of one contender: transforms a page, and reports how long it took. Each thread has its own heap, so that
 * no contender pays for collecting the garbage of another.
 */
import { parentPort, workerData } from "node:worker_threads";
import { contenders } from "./contenders.ts";
import type { CorpusPage } from "./corpus.ts";

export interface Measured {
  readonly wall: number;
  readonly cpu: number;
  readonly characters: number;
  readonly failed: boolean;
}

const contender = contenders.find(({ name }) => name === workerData);
if (contender === undefined || parentPort === null) throw new Error("This file is the thread of a contender.");
const port = parentPort;
// Peers report broken style sheets and the like.
console.error = console.warn = () => {};

port.on("message", async (page: CorpusPage) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const fields = await (async () => contender.run(page))().catch(() => undefined);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const characters = fields === undefined ? 0 : fields.markdown.length + fields.links.length;
  port.postMessage({ wall, cpu: (user + system) / 1000, characters, failed: fields === undefined } satisfies Measured);
});
