/** Cases about things that look alike: what belongs to one must not appear in the other. */

import assert from "node:assert/strict";
import {
  begin,
  claim,
  claimOne,
  close,
  failed,
  keys,
  minute,
  newCharge,
  newItem,
  newJob,
  newPage,
  newPages,
  record,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

export const separationCases: readonly StorageCase[] = [
  {
    name: "jobs keep their pages, failures and left-out URLs to themselves",
    async run(storage) {
      for (const id of ["job-1", "job-2"]) {
        await begin(storage, [newPage(`${id}-page`)], { id });
        const leftOut = [{ url: `https://${id}`, reason: "robots" }];
        await storage.jobs.completePage(await claimOne(storage, { jobId: id }), failed(id, { leftOut }));
      }
      for (const id of ["job-1", "job-2"]) {
        assert.deepEqual(await keys(storage, id), [`${id}-page`]);
        assert.deepEqual(
          (await storage.jobs.listFailures(id)).map((failure) => failure.id),
          [id],
        );
        assert.deepEqual(await storage.jobs.listLeftOut(id), [{ url: `https://${id}`, reason: "robots" }]);
      }
    },
  },
  {
    name: "workers whose names begin alike, or fit a pattern, are different workers",
    async run(storage) {
      const names = ["host/7/w/1", "host/7/w/10", "host/7/_/1", "host/7/%", "HOST/7/w/1"];
      await begin(storage, newPages(names.length));
      const leases = [];
      for (const worker of names) leases.push(await claimOne(storage, { worker, leaseUntil: start + minute }));
      await storage.jobs.renewLeases("host/7/w/1", start + 3 * minute);
      await storage.jobs.renewLeases("host/7/%", start + 3 * minute);
      for (const worker of ["host/7/_/1", "host/7/%", "host/7/w/1"]) await storage.jobs.releaseLeases(worker);
      assert.deepEqual((await storage.jobs.listLeaseHolders()).sort(), ["HOST/7/w/1", "host/7/w/10"]);
      assert.equal((await claim(storage, 9, { worker: "next", now: start + minute })).length, names.length);
      assert.equal((await storage.jobs.completePage(leases[1]!, succeeded())).status, "fenced");
    },
  },
  {
    name: "workers whose names are alike hold lanes of their own",
    async run(storage) {
      const names = ["host/7/w", "host/7/w2", "host/7/_"];
      await storage.outbox.add(names.map((name) => newItem(name, { lane: name })));
      for (const worker of names) await take(storage, { worker, lanes: 1 });
      await storage.outbox.releaseLanes("host/7/_");
      await storage.outbox.releaseLanes("host/7/w");
      assert.deepEqual(await storage.outbox.listHolders(), ["host/7/w2"]);
    },
  },
  {
    name: "a team and a key are two things, also where they read alike side by side",
    async run({ cache }) {
      const entry = { storedAt: start, head: "{}" };
      await cache.put({ ...entry, team: "a", key: "bc", body: new Uint8Array([1]) });
      for (const other of [
        { team: "ab", key: "c" },
        { team: "", key: "abc" },
        { team: "A", key: "bc" },
      ]) {
        assert.equal(await cache.get(other), null);
        await cache.put({ ...entry, ...other, body: new Uint8Array([2]) });
      }
      assert.deepEqual([...((await cache.get({ team: "a", key: "bc" }))?.body ?? [])], [1]);
    },
  },
  {
    name: "a record stays as it was when it was read",
    async run(storage) {
      await begin(storage, newPages(1), { expanding: true });
      const before = await record(storage);
      const copy = { ...before };
      await storage.jobs.completePage(await claimOne(storage), succeeded({ charge: newCharge("one"), memo: "1" }));
      await storage.jobs.finishExpansion("job-1");
      await close(storage);
      assert.equal((await record(storage)).state, "completed");
      assert.deepEqual(before, copy);
    },
  },
  {
    name: "what was given up for a job goes when that is erased, what was for another stays",
    async run(storage) {
      for (const id of ["job-1", "job-2"]) {
        await storage.jobs.createJob(newJob({ id }), [], [newItem(id, { jobId: id, lane: id })]);
      }
      await take(storage);
      for (const id of ["job-1", "job-2"]) {
        const failure = { id, at: start, retryAt: null, error: "410" };
        await storage.outbox.settle({ lane: id, worker: "worker-1" }, { delivered: [], failed: failure });
      }
      await close(storage);
      await storage.jobs.eraseResults("job-1");
      assert.deepEqual(
        (await storage.outbox.listFailed({ team: "team-a" })).map(({ id }) => id),
        ["job-2"],
      );
    },
  },
];
