/** The suite that every {@link JobQueue} must pass. */

import assert from "node:assert/strict";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";

export interface QueueSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  /** Makes an empty queue for one test; the suite closes it. */
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
    name: "work on one task does not keep the next one waiting",
    async run(queue) {
      const stop = new AbortController();
      const started: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let bothStarted = () => {};
      const both = new Promise<void>((resolve) => {
        bothStarted = resolve;
      });
      const consuming = queue.consume(async (task) => {
        started.push(task.jobId);
        if (started.length === 2) bothStarted();
        await held;
      }, stop.signal);
      await queue.push(newTask(1));
      await queue.push(newTask(2));
      await both;
      assert.deepEqual(started.toSorted(), ["job-1", "job-2"]);
      release();
      stop.abort();
      await consuming;
    },
  },
  {
    name: "a task whose work rejects or throws is delivered again",
    async run(queue) {
      const stop = new AbortController();
      let deliveries = 0;
      await queue.push(newTask(1));
      await queue.consume((task) => {
        assert.deepEqual(task, newTask(1));
        deliveries += 1;
        if (deliveries === 1) throw new Error("The work failed at once.");
        if (deliveries === 2) return Promise.reject(new Error("The work failed."));
        stop.abort();
        return Promise.resolve();
      }, stop.signal);
      assert.equal(deliveries, 3);
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
      const seen = consumers.flatMap((consumer) => consumer.seen.map((task) => task.jobId));
      assert.deepEqual(seen.toSorted(), tasks.map((task) => task.jobId).toSorted());
    },
  },
  {
    name: "a signal that has fired already consumes nothing",
    async run(queue) {
      await queue.push(newTask(1));
      await queue.consume(async () => assert.fail("Nothing must be delivered."), AbortSignal.abort());
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
        await new Promise((resolve) => setTimeout(resolve, 20));
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
 * Registers the tests of the {@link JobQueue} contract with the test runner that is handed in.
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
  return { jobId: `job-${index}`, team: "team-a" };
}

/** A consumer that notes what it gets. */
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
