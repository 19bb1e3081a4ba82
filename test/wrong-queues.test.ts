/** The queue suite tells a driver that is wrong in one place from one that is right. */

import { expect, test } from "vitest";
import { memoryQueue } from "../src/index.ts";
import type { JobQueue } from "../src/ports/job-queue.ts";
import { testQueue } from "../src/testing/index.ts";
import { firstFailure } from "./first-failure.ts";

const failureOf = (create: () => JobQueue) => firstFailure((test) => testQueue({ test, create }), 1000);

const wrong: Readonly<Record<string, (queue: JobQueue) => Partial<JobQueue>>> = {
  "works on twenty tasks at once and no more": (queue) => {
    let atWork = 0;
    const waiting: (() => void)[] = [];
    return {
      consume: (work, signal) =>
        queue.consume(async (task) => {
          if (atWork === 20) await new Promise<void>((resolve) => waiting.push(resolve));
          atWork += 1;
          await work(task).finally(() => {
            atWork -= 1;
            waiting.shift()?.();
          });
        }, signal),
    };
  },
  "gives a task up after its second repetition": (queue) => {
    let failures = 0;
    return {
      consume: (work, signal) =>
        queue.consume(async (task) => {
          try {
            await work(task);
          } catch (error) {
            failures += 1;
            if (failures < 3) throw error;
          }
        }, signal),
    };
  },
  "knows one team": (queue) => ({ push: (task) => queue.push({ ...task, team: "team-1" }) }),
  "takes one task of a job": (queue) => {
    const known = new Set<string>();
    return {
      async push(task) {
        if (known.has(task.jobId)) return;
        known.add(task.jobId);
        await queue.push(task);
      },
    };
  },
  "takes no task of a job that is at work": (queue) => {
    const atWork = new Set<string>();
    return {
      push: async (task) => (atWork.has(task.jobId) ? undefined : queue.push(task)),
      consume: (work, signal) =>
        queue.consume(async (task) => {
          atWork.add(task.jobId);
          await work(task).finally(() => atWork.delete(task.jobId));
        }, signal),
    };
  },
  "does not mind that the signal has fired": (queue) => ({
    consume: (work, signal) => queue.consume(work, signal.aborted ? AbortSignal.timeout(20) : signal),
  }),
  "takes work that the signal broke off for done": (queue) => ({
    consume: (work, signal) =>
      queue.consume(async (task) => {
        try {
          await work(task);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }, signal),
  }),
};

const right = () => memoryQueue({ redeliverAfterMs: 5 });

test("the queue that the wrong ones are made of is right", async () => {
  expect(await failureOf(right)).toBe(undefined);
});

test.concurrent.each(Object.keys(wrong))("caught: a queue that %s", async (name) => {
  const create = () => {
    const queue = right();
    return { ...queue, ...wrong[name]!(queue) };
  };
  expect(await failureOf(create)).toBeDefined();
});
