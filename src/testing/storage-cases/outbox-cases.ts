/** Cases about the outbox: order within lanes, one worker a lane, retries, giving up. */

import assert from "node:assert/strict";
import type { Storage } from "../../ports/storage.ts";
import {
  begin,
  claim,
  claimOne,
  ids,
  minute,
  never,
  newItem,
  newJob,
  newPage,
  newPages,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

/** The lane of the items that `newItem` creates. */
const usualLane = "job-1 webhook";

export const outboxCases: readonly StorageCase[] = [
  {
    name: "large documents come in order, however few at a time",
    async run(storage) {
      await begin(
        storage,
        ["a", "b", "c"].map((key) => newPage(key)),
      );
      for (const { lease, key } of await claim(storage, 3)) {
        const document = JSON.stringify(key.repeat(5_000_000));
        const outbox = [newItem(key, { withDocument: true })];
        await storage.jobs.completePage(lease, succeeded({ document, outbox }));
      }
      const seen: string[] = [];
      for (;;) {
        const [taken] = await take(storage);
        if (taken === undefined) break;
        assert.ok(taken.items.length > 0);
        for (const { id, document } of taken.items) seen.push(`${id} ${document?.slice(0, 2)} ${document?.length}`);
        const delivered = taken.items.map(({ id }) => id);
        await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered });
      }
      assert.deepEqual(seen, ['a "a 5000002', 'b "b 5000002', 'c "c 5000002']);
    },
  },
  {
    name: "an item of an erased job is not kept when it is given up, one of another job is",
    async run(storage) {
      const { jobs, outbox } = storage;
      for (const id of ["erased", "kept"]) {
        const job = newJob({ id, zeroDataRetention: id === "erased" });
        await jobs.createJob(job, [], [newItem(id, { jobId: id, lane: id })]);
        await jobs.closeJob(id, { state: "completed", finishedAt: start, expiresAt: start + minute, outbox: [] });
        await jobs.eraseResults(id);
      }
      await take(storage);
      for (const id of ["erased", "kept"]) await giveUp(storage, id, { lane: id });
      assert.deepEqual(await failedIds(storage), ["kept"]);
      assert.equal(await outbox.nextDue(), null);
    },
  },
  {
    name: "an item of a job that is gone is not kept when it is given up",
    async run(storage) {
      await begin(storage, [], { expiresAt: start + minute });
      await begin(storage, [], { id: "job-2" });
      await storage.outbox.add([newItem("gone", { lane: "1" }), newItem("kept", { lane: "2", jobId: "job-2" })]);
      await take(storage);
      await storage.sweep(start + minute);
      await giveUp(storage, "gone", { lane: "1" });
      await giveUp(storage, "kept", { lane: "2" });
      assert.deepEqual(await failedIds(storage), ["kept"]);
      assert.equal(await storage.outbox.redeliver("gone", "team-a"), false);
      assert.equal(await storage.outbox.nextDue(), null);
    },
  },
  {
    name: "lanes of a dead worker can be freed before their lease ends",
    async run(storage) {
      const { outbox } = storage;
      await outbox.add([newItem("a", { lane: "one" }), newItem("b", { lane: "two" })]);
      await take(storage, { worker: "dead", lanes: 1 });
      await take(storage, { worker: "alive", lanes: 1 });
      assert.deepEqual((await outbox.listHolders()).sort(), ["alive", "dead"]);
      await outbox.releaseLanes("dead");
      assert.deepEqual(await outbox.listHolders(), ["alive"]);
      const failed = { id: "a", at: start, retryAt: null, error: "It was not dead." };
      await outbox.settle({ lane: "one", worker: "dead" }, { delivered: [], failed });
      const [next] = await take(storage, { worker: "next" });
      assert.deepEqual([next?.items[0]?.id, next?.items[0]?.attempts], ["a", 0]);
    },
  },
  {
    name: "an item comes back whole",
    async run(storage) {
      const item = newItem("one", { jobId: null, target: "billing", lane: "billing" });
      await storage.outbox.add([item]);
      const [taken] = await take(storage);
      const { withDocument: _, ...rest } = taken?.items[0] ?? ({} as never);
      assert.equal(taken?.lane, "billing");
      assert.deepEqual(rest, { ...item, document: null, attempts: 0 });
    },
  },
  {
    name: "an item whose id is there already is ignored, waiting or given up",
    async run(storage) {
      await begin(storage, []);
      await storage.outbox.add([newItem("one"), newItem("one", { payload: "2" })]);
      await storage.outbox.add([newItem("one", { payload: "3" })]);
      const [first] = await take(storage);
      assert.deepEqual(
        first?.items.map((item) => item.payload),
        ['{"item":"one"}'],
      );
      await giveUp(storage, "one");
      await storage.outbox.add([newItem("one")]);
      assert.deepEqual(await take(storage), []);
    },
  },
  {
    name: "items of a lane come in the order they were written",
    async run(storage) {
      await begin(storage, newPages(2));
      await storage.outbox.add([newItem("a"), newItem("b")]);
      await storage.jobs.completePage(await claimOne(storage), succeeded({ outbox: [newItem("c"), newItem("d")] }));
      await storage.outbox.add([newItem("e")]);
      assert.deepEqual(ids(await take(storage, { batch: 3 })), [["a", "b", "c"]]);
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: ["a", "b"] });
      assert.deepEqual(ids(await take(storage)), [["c", "d", "e"]]);
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: ["c", "d", "e"] });
      assert.deepEqual(await take(storage), []);
      assert.equal(await storage.outbox.nextDue(), null);
    },
  },
  {
    name: "a lane is held by one worker at a time",
    async run(storage) {
      await storage.outbox.add([newItem("a"), newItem("b", { lane: "other" })]);
      const taken = await Promise.all([
        take(storage, { lanes: 1 }),
        take(storage, { lanes: 1, worker: "worker-2" }),
        take(storage, { lanes: 1, worker: "worker-3" }),
      ]);
      assert.deepEqual(ids(taken.flat()).flat().sort(), ["a", "b"]);
      await storage.outbox.add([newItem("c")]);
      assert.deepEqual(await take(storage), []);
    },
  },
  {
    name: "a lane whose worker died can be taken once the lease has ended; the late report frees nothing",
    async run(storage) {
      await storage.outbox.add([newItem("a"), newItem("b"), newItem("c")]);
      await take(storage, { leaseUntil: start + minute });
      assert.equal(await storage.outbox.nextDue(), start + minute);
      assert.deepEqual(await take(storage, { worker: "worker-2", now: start + minute - 1 }), []);
      const again = await take(storage, { worker: "worker-2", now: start + minute });
      assert.deepEqual(ids(again), [["a", "b", "c"]]);
      const failure = { id: "b", at: start, retryAt: null, error: "No." };
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: ["a"], failed: failure });
      assert.deepEqual(await storage.outbox.listFailed({ team: "team-a" }), []);
      assert.deepEqual(await take(storage, { worker: "worker-3", now: start + minute }), []);
      // What the late report names as delivered counts all the same: the receiver must not get it twice.
      await storage.outbox.settle({ lane: usualLane, worker: "worker-2" }, { delivered: ["b"] });
      assert.deepEqual(ids(await take(storage, { now: start + minute })), [["c"]]);
    },
  },
  {
    name: "no more lanes and items are taken than asked for, those due longest first",
    async run(storage) {
      await storage.outbox.add([
        newItem("late", { lane: "late", createdAt: start - 1 }),
        newItem("early-1", { lane: "early", createdAt: start - 3 }),
        newItem("early-2", { lane: "early", createdAt: start - 3 }),
        newItem("middle", { lane: "middle", createdAt: start - 2 }),
      ]);
      assert.deepEqual(ids(await take(storage, { lanes: 2, batch: 1 })), [["early-1"], ["middle"]]);
      assert.deepEqual(ids(await take(storage, { lanes: 2, batch: 1 })), [["late"]]);
    },
  },
  {
    name: "a lane that had its turn comes after those that were due by then",
    async run(storage) {
      await storage.outbox.add([
        ...["a", "b", "c"].map((id) => newItem(id, { lane: "many" })),
        newItem("x", { lane: "few", createdAt: start + 1000 }),
      ]);
      const turn = (now: number) => take(storage, { now, leaseUntil: now + minute, lanes: 1, batch: 1 });
      const settle = (lane: string, report: { readonly at?: number; readonly delivered: readonly string[] }) =>
        storage.outbox.settle({ lane, worker: "worker-1" }, report);
      assert.deepEqual(ids(await turn(start + 1000)), [["a"]]);
      await settle("many", { at: start + 2000, delivered: ["a"] });
      assert.equal(await storage.outbox.nextDue(), start + 1000);
      assert.deepEqual(ids(await turn(start + 2000)), [["x"]]);
      await settle("few", { at: start + 3000, delivered: ["x"] });
      assert.deepEqual(ids(await turn(start + 3000)), [["b"]]);
      await settle("many", { delivered: ["b"] });
      assert.deepEqual(ids(await turn(start)), [["c"]]);
    },
  },
  {
    name: "an item to be retried blocks its lane until then, and counts its attempts",
    async run(storage) {
      await storage.outbox.add([newItem("a"), newItem("b"), newItem("c"), newItem("x", { lane: "other" })]);
      await take(storage);
      const failure = { id: "b", at: start, retryAt: start + minute, error: "503" };
      const report = { at: start + 1, delivered: ["a"], failed: failure };
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, report);
      await storage.outbox.settle({ lane: "other", worker: "worker-1" }, { delivered: ["x"] });
      assert.equal(await storage.outbox.nextDue(), start + minute);
      assert.deepEqual(await take(storage, { now: start + minute - 1 }), []);
      const [taken] = await take(storage, { now: start + minute });
      assert.deepEqual(
        taken?.items.map((item) => [item.id, item.attempts]),
        [
          ["b", 1],
          ["c", 0],
        ],
      );
    },
  },
  {
    name: "who has no such receiver has made no attempt on an item",
    async run(storage) {
      await storage.outbox.add([newItem("a")]);
      await take(storage);
      const failure = { id: "a", at: start, retryAt: start + minute, error: "No receiver.", isAttempt: false };
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: [], failed: failure });
      assert.deepEqual(await take(storage, { now: start + minute - 1 }), []);
      const [taken] = await take(storage, { now: start + minute });
      assert.deepEqual(
        taken?.items.map((item) => item.attempts),
        [0],
      );
    },
  },
  {
    name: "a given-up item is out of its lane's way, and listed by team and job, oldest first",
    async run(storage) {
      await begin(storage, []);
      await begin(storage, [], { id: "job-2" });
      await storage.outbox.add([newItem("a"), newItem("b"), newItem("c", { jobId: "job-2" }), newItem("d")]);
      await take(storage);
      await giveUp(storage, "a", { at: start + 2 });
      assert.deepEqual(ids(await take(storage)), [["b", "c", "d"]]);
      await storage.outbox.settle(
        { lane: usualLane, worker: "worker-1" },
        { delivered: ["b"], failed: { id: "c", at: start + 1, retryAt: null, error: "410" } },
      );
      const listed = await storage.outbox.listFailed({ team: "team-a" });
      assert.deepEqual(listed, [
        {
          id: "c",
          jobId: "job-2",
          target: "webhook",
          payload: '{"item":"c"}',
          attempts: 1,
          error: "410",
          failedAt: start + 1,
        },
        { ...listed[1], id: "a", attempts: 1, failedAt: start + 2 },
      ]);
      assert.equal((await storage.outbox.listFailed({ team: "team-a", jobId: "job-1" })).length, 1);
      assert.deepEqual(await storage.outbox.listFailed({ team: "team-b" }), []);
      assert.deepEqual(ids(await take(storage)), [["d"]]);
      await giveUp(storage, "d", { at: start + 3 });
      assert.deepEqual(await failedIds(storage), ["c", "a", "d"]);
      const part = async (range: { skip?: number; limit?: number; jobId?: string }) =>
        (await storage.outbox.listFailed({ team: "team-a", ...range })).map(({ id }) => id);
      assert.deepEqual(await part({ limit: 2 }), ["c", "a"]);
      assert.deepEqual(await part({ skip: 1 }), ["a", "d"]);
      assert.deepEqual(await part({ skip: 1, limit: 1 }), ["a"]);
      assert.deepEqual(await part({ skip: 1, limit: 5, jobId: "job-1" }), ["d"]);
      assert.deepEqual(await part({ skip: 3 }), []);
    },
  },
  {
    name: "a redelivered item goes to the end of its lane, as if never tried; for its own team only",
    async run(storage) {
      await begin(storage, []);
      await storage.outbox.add([newItem("a"), newItem("b")]);
      await take(storage);
      await giveUp(storage, "a");
      assert.equal(await storage.outbox.redeliver("a", "team-b"), false);
      assert.equal(await storage.outbox.redeliver("b", "team-a"), false);
      assert.equal(await storage.outbox.redeliver("none", "team-a"), false);
      assert.equal(await storage.outbox.redeliver("a", "team-a"), true);
      assert.equal(await storage.outbox.redeliver("a", "team-a"), false);
      assert.deepEqual(await storage.outbox.listFailed({ team: "team-a" }), []);
      const [taken] = await take(storage);
      assert.deepEqual(
        taken?.items.map((item) => [item.id, item.attempts]),
        [
          ["b", 0],
          ["a", 0],
        ],
      );
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: ["b", "a"] });
      assert.equal(await storage.outbox.nextDue(), null);
    },
  },
  {
    name: "an item given up as the last of its lane can be redelivered",
    async run(storage) {
      await begin(storage, []);
      await storage.outbox.add([newItem("a")]);
      await take(storage);
      const failure = { id: "a", at: start, retryAt: start + minute, error: "503" };
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: [], failed: failure });
      await take(storage, { now: start + minute });
      await giveUp(storage, "a");
      assert.equal(await storage.outbox.nextDue(), null);
      await storage.outbox.redeliver("a", "team-a");
      assert.equal(await storage.outbox.nextDue(), start);
      assert.deepEqual(ids(await take(storage)), [["a"]]);
    },
  },
  {
    name: "an item of no job that is given up is listed, and can be redelivered",
    async run(storage) {
      await begin(storage, []);
      await storage.outbox.add([newItem("of none", { jobId: null, lane: "1" }), newItem("of a job", { lane: "2" })]);
      await take(storage);
      await giveUp(storage, "of none", { lane: "1" });
      await giveUp(storage, "of a job", { lane: "2" });
      assert.deepEqual((await failedIds(storage)).sort(), ["of a job", "of none"]);
      const ofJob = await storage.outbox.listFailed({ team: "team-a", jobId: "job-1" });
      assert.deepEqual(
        ofJob.map(({ id }) => id),
        ["of a job"],
      );
      await storage.jobs.eraseResults("none");
      await storage.sweep(never);
      assert.deepEqual(await failedIds(storage), ["of none"]);
      assert.equal(await storage.outbox.redeliver("of none", "team-a"), true);
      assert.deepEqual(ids(await take(storage)), [["of none"]]);
    },
  },
  {
    name: "the next due time is that of the earliest lane",
    async run(storage) {
      assert.equal(await storage.outbox.nextDue(), null);
      await storage.outbox.add([newItem("a", { lane: "a", createdAt: start + 2 })]);
      await storage.outbox.add([newItem("b", { lane: "b", createdAt: start + 1 })]);
      await storage.outbox.add([newItem("b2", { lane: "b", createdAt: start })]);
      assert.equal(await storage.outbox.nextDue(), start + 1);
      assert.deepEqual(await take(storage, { now: start }), []);
      assert.deepEqual(ids(await take(storage, { now: start + 1, leaseUntil: start + 9 })), [["b", "b2"]]);
      assert.equal(await storage.outbox.nextDue(), start + 2);
    },
  },
  {
    name: "the page's document is joined to the items that want it, of failed pages too",
    async run(storage) {
      await begin(storage, newPages(2));
      await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({
          document: '{"markdown":"# One"}',
          outbox: [newItem("with", { withDocument: true }), newItem("without")],
        }),
      );
      await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({ outcome: "failed", document: '"failed"', outbox: [newItem("failed", { withDocument: true })] }),
      );
      await storage.outbox.add([newItem("alone", { withDocument: true })]);
      const [taken] = await take(storage);
      assert.deepEqual(
        taken?.items.map((item) => [item.id, item.document]),
        [
          ["with", '{"markdown":"# One"}'],
          ["without", null],
          ["failed", '"failed"'],
          ["alone", null],
        ],
      );
      await giveUp(storage, "with");
      await storage.outbox.redeliver("with", "team-a");
      const [again] = await take(storage);
      assert.equal(again?.items.at(-1)?.document, '{"markdown":"# One"}');
    },
  },
  {
    name: "an item that is not due is not handed out along with those before it",
    async run(storage) {
      await storage.outbox.add([newItem("one"), newItem("two", { createdAt: start + minute }), newItem("three")]);
      assert.deepEqual(ids(await take(storage)), [["one"]]);
      await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: ["one"] });
      assert.deepEqual(ids(await take(storage)), []);
      assert.deepEqual(ids(await take(storage, { now: start + minute })), [["two", "three"]]);
    },
  },
  {
    name: "settling a lane leaves the items of other lanes alone",
    async run(storage) {
      await storage.outbox.add([newItem("one", { lane: "1" }), newItem("two", { lane: "2" }), newItem("three")]);
      await take(storage);
      const failure = { id: "three", at: start, retryAt: null, error: "410" };
      await storage.outbox.settle({ lane: "1", worker: "worker-1" }, { delivered: ["two"], failed: failure });
      await storage.outbox.releaseLanes("worker-1");
      assert.deepEqual(
        ids(await take(storage))
          .flat()
          .sort(),
        ["one", "three", "two"],
      );
    },
  },
  {
    name: "a long lane is delivered in order, batch by batch",
    async run(storage) {
      const names = Array.from({ length: 500 }, (_, index) => `item-${index}`);
      await storage.outbox.add(names.map((name) => newItem(name)));
      const delivered: string[] = [];
      for (;;) {
        const [batch] = ids(await take(storage, { batch: 30 }));
        if (batch === undefined) break;
        delivered.push(...batch);
        await storage.outbox.settle({ lane: usualLane, worker: "worker-1" }, { delivered: batch });
      }
      assert.deepEqual(delivered, names);
    },
  },
];

/** Reports the item, at the head of a lane that `worker-1` has taken, as given up. */
async function giveUp(
  storage: Storage,
  id: string,
  { at = start, lane = usualLane }: { readonly at?: number; readonly lane?: string } = {},
): Promise<void> {
  const failure = { id, at, retryAt: null, error: "410" };
  await storage.outbox.settle({ lane, worker: "worker-1" }, { delivered: [], failed: failure });
}

async function failedIds(storage: Storage): Promise<string[]> {
  return (await storage.outbox.listFailed({ team: "team-a" })).map(({ id }) => id);
}
