/**
 * Puts the events of all jobs into a queue of the program, from which workers take them at their own pace. `node
 * examples/event-queue.ts`
 */
import { createEngine, type EventSink, type JobEvent } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

/** Stands for SQS, Kafka, pg-boss …: `push` resolves once the message is safe. */
class Queue {
  readonly #messages: JobEvent[] = [];
  readonly #ids = new Set<string>();
  #wake = () => {};
  async push(event: JobEvent): Promise<void> {
    // An event may come twice, after a crash; its id is the same.
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    this.#messages.push(event);
    this.#wake();
  }
  async take(): Promise<JobEvent> {
    while (this.#messages.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#messages.shift() as JobEvent;
  }
}

const queue = new Queue();
/** The engine continues with the next event of a job when `emit` resolves, and tries again if it rejects. */
const sink: EventSink = { emit: (event) => queue.push(event) };

const site = await startSite(undefined);
const engine = createEngine({ events: sink, network: site.network });
await engine.crawl({ url: site.url, limit: 5 });
for (let event = await queue.take(); ; event = await queue.take()) {
  console.log(
    event.type,
    (event.data[0] as { metadata?: { sourceURL?: string } } | undefined)?.metadata?.sourceURL ?? "",
  );
  if (event.type === "crawl.completed") break;
}
await engine.close();
await site.close();
