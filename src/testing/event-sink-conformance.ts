/** The conformance suite of the {@link EventSink} contract. */
import assert from "node:assert/strict";
import type { EventSink, JobEvent } from "../ports/event-sink.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";

/** Options of {@link testEventSink}. */
export interface EventSinkSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  create(): Promise<EventSinkUnderTest> | EventSinkUnderTest;
}

/** The event sink that one test uses. */
export interface EventSinkUnderTest {
  readonly sink: EventSink;
  /**
   * Types and job ids of the events that have arrived, in order; an event that came twice may be listed once or twice.
   */
  arrived(): Promise<readonly Arrived[]> | readonly Arrived[];
  close?(): Promise<void>;
}

/** What the suite reads of an event that has arrived. */
export type Arrived = Pick<JobEvent, "type" | "jobId">;

function event(index: number, rest: Partial<JobEvent> = {}): JobEvent {
  const about = {
    type: "crawl.page",
    team: "team-a",
    jobId: "job-1",
    success: true,
    metadata: { tenant: "a" },
  } as const;
  const data = [{ markdown: `Page ${index}`, metadata: { sourceURL: `https://example.com/${index}` } }];
  return { ...about, id: `event-${index}`, at: new Date(1_780_000_000_000 + index).toISOString(), data, ...rest };
}

/**
 * Registers the tests of the {@link EventSink} contract with the given test runner.
 *
 * @example
 * import { test } from "node:test";
 * import type { JobEvent } from "crawlcore";
 * import { testEventSink } from "crawlcore/testing";
 *
 * testEventSink({
 *   test,
 *   create() {
 *     const events: JobEvent[] = [];
 *     return { sink: { emit: (event) => void events.push(event) }, arrived: () => events };
 *   },
 * });
 */
export function testEventSink({ test, create }: EventSinkSuiteOptions): void {
  const check = freshForEach(test, create);

  check("an event has arrived when emit resolves, and events keep their order", async ({ sink, arrived }) => {
    const types = ["crawl.started", "crawl.page", "crawl.completed"] as const;
    for (const [index, type] of types.entries()) {
      await sink.emit(event(index, { type }));
      const last = (await arrived()).at(-1);
      assert.deepEqual([last?.type, last?.jobId], [type, "job-1"]);
    }
    assert.deepEqual(
      (await arrived()).map(({ type }) => type),
      types,
    );
  });

  check("events of several jobs may come at once", async ({ sink, arrived }) => {
    const jobs = ["job-1", "job-2", "job-3"];
    await Promise.all(
      jobs.map(async (jobId, job) => {
        await sink.emit(event(10 * job, { jobId, type: "crawl.started" }));
        await sink.emit(event(10 * job + 1, { jobId, type: "crawl.completed" }));
      }),
    );
    for (const jobId of jobs) {
      const types = (await arrived()).filter((one) => one.jobId === jobId).map(({ type }) => type);
      assert.deepEqual(types, ["crawl.started", "crawl.completed"]);
    }
  });

  check("an event that comes twice is taken twice, or known by its id", async ({ sink, arrived }) => {
    await sink.emit(event(1));
    await sink.emit(event(1));
    assert.ok((await arrived()).length >= 1);
  });

  check("failures, large pages and events without data are taken like all others", async ({ sink, arrived }) => {
    await sink.emit(event(1, { success: false, error: "The page answered nothing" }));
    await sink.emit(event(2, { data: [{ markdown: "ä".repeat(1_000_000) }] }));
    await sink.emit(event(3, { type: "extract.started", data: [], metadata: {} }));
    assert.equal((await arrived()).length, 3);
  });

  check("an event is left as it was", async ({ sink }) => {
    const given = event(1);
    const before = structuredClone(given);
    await sink.emit(given);
    assert.deepEqual(given, before);
  });
}
