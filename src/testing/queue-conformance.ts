/** The conformance suite of the {@link JobQueue} contract. */

import assert from "node:assert/strict";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";

/** Options of {@link testQueue}. */
export interface QueueSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  /** Creates an empty queue for one test; the suite closes it. */
  create(): Promise<JobQueue> | JobQueue;
}

interface QueueCase {
  readonly name: string;
  run(queue: JobQueue): Promise<void>;
}

const cases: readonly QueueCase[] = [
  {
    name: "a task that waits is delivered, and one that is pushed later too",
    async run(queue) {
      const first = newTask(1);
      await queue.push(first);
      const seen = collect(queue);
      assert.deepEqual(await seen.next(), first);
      await queue.push(newTask(2));
      assert.deepEqual(await seen.next(), newTask(2));
      await seen.stop();
    },
  },
  {
    name: "work on tasks does not keep the next one waiting, however many are at work",
    async run(queue) {
      const stop = new AbortController();
      const tasks = Array.from({ length: 50 }, (_, index) => newTask(index));
      const started: Task[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let allStarted = () => {};
      const all = new Promise<void>((resolve) => {
        allStarted = resolve;
      });
      const consuming = queue.consume(async (task) => {
        started.push(task);
        if (started.length === tasks.length) allStarted();
        await held;
      }, stop.signal);
      await Promise.all(tasks.map((task) => queue.push(task)));
      await all;
      assert.deepEqual(sorted(started), sorted(tasks));
      release();
      stop.abort();
      await consuming;
    },
  },
  {
    name: "a task whose work rejects or throws is delivered again, time after time",
    async run(queue) {
      const stop = new AbortController();
      let deliveries = 0;
      await queue.push(newTask(1));
      await queue.consume((task) => {
        assert.deepEqual(task, newTask(1));
        deliveries += 1;
        if (deliveries === 1) throw new Error("The work failed at once.");
        if (deliveries < 4) return Promise.reject(new Error("The work failed."));
        stop.abort();
        return Promise.resolve();
      }, stop.signal);
      assert.equal(deliveries, 4);
    },
  },
  {
    name: "a job may have a task again, after its work and during it",
    async run(queue) {
      const stop = new AbortController();
      let deliveries = 0;
      await queue.push(newTask(1));
      await queue.consume(async (task) => {
        assert.deepEqual(task, newTask(1));
        deliveries += 1;
        const delivery = deliveries;
        if (delivery === 1) await queue.push(newTask(1));
        if (delivery === 2) setTimeout(() => void queue.push(newTask(1)), 20);
        if (delivery === 3) stop.abort();
      }, stop.signal);
      assert.equal(deliveries, 3);
    },
  },
  {
    name: "work that the signal breaks off is left to the next consumer",
    async run(queue) {
      const stop = new AbortController();
      await queue.push(newTask(1));
      await queue.consume(() => {
        stop.abort();
        return Promise.reject(new Error("The consumer stops."));
      }, stop.signal);
      const next = collect(queue);
      assert.deepEqual(await next.next(), newTask(1));
      await next.stop();
    },
  },
  {
    name: "each task goes to one of several consumers",
    async run(queue) {
      const consumers = [collect(queue), collect(queue)];
      const tasks = Array.from({ length: 20 }, (_, index) => newTask(index));
      for (const task of tasks) await queue.push(task);
      while (consumers.reduce((sum, { seen }) => sum + seen.length, 0) < tasks.length) {
        await Promise.race(consumers.map((consumer) => consumer.changed()));
      }
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      assert.deepEqual(sorted(consumers.flatMap(({ seen }) => seen)), sorted(tasks));
    },
  },
  {
    name: "a signal that has fired already consumes nothing",
    async run(queue) {
      await queue.push(newTask(1));
      let deliveries = 0;
      await queue.consume(async () => void deliveries++, AbortSignal.abort());
      assert.equal(deliveries, 0);
      const seen = collect(queue);
      assert.deepEqual(await seen.next(), newTask(1));
      await seen.stop();
    },
  },
  {
    name: "after the signal nothing more is delivered; what comes then waits for the next consumer",
    async run(queue) {
      const first = collect(queue);
      await queue.push(newTask(1));
      await first.next();
      await first.stop();
      await queue.push(newTask(2));
      const second = collect(queue);
      assert.deepEqual(await second.next(), newTask(2));
      await second.stop();
      assert.equal(first.seen.length, 1);
    },
  },
  {
    name: "consume resolves when the work that has begun has settled",
    async run(queue) {
      const stop = new AbortController();
      let settled = false;
      await queue.push(newTask(1));
      await queue.consume(async () => {
        stop.abort();
        // Longer than a queue takes to shut down.
        await new Promise((resolve) => setTimeout(resolve, 400));
        settled = true;
      }, stop.signal);
      assert.equal(settled, true);
    },
  },
  {
    name: "closing ends consumption, is idempotent, and pushing rejects afterwards",
    async run(queue) {
      const consuming = queue.consume(async () => {}, new AbortController().signal);
      await Promise.all([queue.close(), queue.close()]);
      await consuming;
      await queue.close();
      await assert.rejects(queue.push(newTask(1)));
    },
  },
];

/**
 * Registers the tests of the {@link JobQueue} contract with the given test runner.
 *
 * @example
 * import { test } from "node:test";
 * import { memoryQueue } from "crawlcore";
 * import { testQueue } from "crawlcore/testing";
 *
 * testQueue({ test, create: () => memoryQueue({ redeliverAfterMs: 5 }) });
 */
export function testQueue({ test, create }: QueueSuiteOptions): void {
  const check = freshForEach(test, create);
  for (const { name, run } of cases) check(name, run);
}

function newTask(index: number): Task {
  return { jobId: `job-${index}`, team: `team-${index % 3}` };
}

function sorted(tasks: readonly Task[]): Task[] {
  return tasks.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
}

/** A consumer that records the tasks it gets. */
function collect(queue: JobQueue) {
  const stop = new AbortController();
  const seen: Task[] = [];
  let read = 0;
  let notify = () => {};
  let change = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const consuming = queue.consume(async (task) => {
    seen.push(task);
    notify();
    change = new Promise((resolve) => {
      notify = resolve;
    });
  }, stop.signal);
  return {
    seen,
    changed: () => change,
    async next(): Promise<Task> {
      while (seen.length <= read) await change;
      read += 1;
      return seen[read - 1] as Task;
    },
    async stop(): Promise<void> {
      stop.abort();
      await consuming;
    },
  };
}
