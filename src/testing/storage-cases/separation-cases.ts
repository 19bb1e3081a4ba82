/** Cases about things that look alike: what belongs to one must not appear in the other. */

import assert from "node:assert/strict";
import { parseSearchQuery } from "../../shared/search-terms.ts";
import {
  begin,
  claim,
  claimOne,
  close,
  failed,
  keys,
  minute,
  never,
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

/** Many databases compare texts by the rules of a language unless they are told not to, and hold these for the same. */
const alike = ["name", "Name", "name ", "n\u00e4me", "na\u0308me", "name👋", "name🙂"];

export const separationCases: readonly StorageCase[] = [
  {
    name: "pages and URLs that differ in case, accents or a space at the end are different ones",
    async run(storage) {
      await begin(storage, [newPage("start")]);
      const lease = await claimOne(storage);
      const leftOut = alike.map((url) => ({ url, reason: "robots" }));
      const discovered = alike.slice(1).map((key) => newPage(key));
      const completion = succeeded({ finalKey: alike[0]!, discovered, leftOut });
      assert.equal((await storage.jobs.completePage(lease, completion)).status, "stored");
      assert.deepEqual(await keys(storage), ["start", ...alike.slice(1)]);
      assert.deepEqual(new Set(await storage.jobs.listLeftOut("job-1")), new Set(leftOut));
      const again = await storage.jobs.completePage(await claimOne(storage), succeeded({ finalKey: "NAME" }));
      assert.equal(again.status, "stored");
    },
  },
  {
    name: "jobs and teams that differ in case, accents or a space at the end are different ones",
    async run(storage) {
      for (const name of alike) {
        assert.equal(await storage.jobs.getJob(name, start), null);
        await begin(storage, [], { id: name, team: name, apiKey: name });
        await storage.ledger.charge(newCharge(name, { team: name, jobId: name }));
        const job = await record(storage, name);
        assert.deepEqual([job.team, job.apiKey, job.creditsUsed], [name, name, 1]);
      }
      for (const team of alike) {
        assert.deepEqual(
          (await storage.jobs.listOpenJobs({ team, now: start })).map(({ id }) => id),
          [team],
        );
        assert.equal((await storage.ledger.usage({ team, byApiKey: true }))[0]?.credits, 1);
      }
    },
  },
  {
    name: "charges, keys and lanes that differ in case, accents or a space at the end are different ones",
    async run(storage) {
      for (const name of alike) await storage.ledger.charge(newCharge(name, { apiKey: name }));
      const usage = await storage.ledger.usage({ team: "team-a", byApiKey: true });
      assert.deepEqual(new Set(usage.map(({ apiKey }) => apiKey)), new Set(alike));
      await storage.outbox.add(alike.map((name) => newItem(name, { lane: name })));
      const lanes = await take(storage);
      assert.deepEqual(new Set(lanes.map(({ lane }) => lane)), new Set(alike));
    },
  },
  {
    name: "what is given up for jobs and teams that differ in case, accents or a space at the end is kept apart",
    async run({ jobs, outbox }) {
      for (const name of alike) {
        await jobs.createJob(newJob({ id: name }), [], [newItem(name, { jobId: name, team: name, lane: name })]);
      }
      await outbox.take({ worker: "worker-1", now: start, leaseUntil: start + minute, lanes: 100, batch: 100 });
      for (const name of alike) {
        const failed = { id: name, at: start, retryAt: null, error: name };
        await outbox.settle({ lane: name, worker: "worker-1" }, { delivered: [], failed });
      }
      for (const [index, name] of alike.entries()) {
        const other = alike[(index + 1) % alike.length]!;
        const [item, ...others] = await outbox.listFailed({ team: name });
        assert.deepEqual([item?.id, item?.jobId, item?.error, others.length], [name, name, name, 0]);
        assert.deepEqual(await outbox.listFailed({ team: name, jobId: other }), []);
        assert.equal(await outbox.redeliver(name, other), false);
      }
    },
  },
  {
    name: "sites and crawls that differ in case, accents or a space at the end are different ones",
    async run({ versions }) {
      const page = { team: "team-a", tag: null, scrapedAt: start, markdown: "", isGone: false, expiresAt: never };
      for (const name of alike) {
        for (const metIn of [
          { site: name, jobId: "job-1" },
          { site: "site", jobId: name },
        ]) {
          const key = `${metIn.site}/${metIn.jobId}`;
          await versions?.put({ ...page, key, url: key, fingerprint: name, metIn });
          assert.equal((await versions?.getLast({ ...page, key }))?.fingerprint, versions && name);
        }
      }
      for (const name of alike) {
        const query = { team: "team-a", tag: null, limit: 100 };
        const ofSite = await versions?.listUnseen({ ...query, site: name, jobId: "job-2" });
        assert.deepEqual(ofSite ?? [`${name}/job-1`], [`${name}/job-1`]);
        const ofOthers = await versions?.listUnseen({ ...query, site: "site", jobId: name });
        const others = alike.filter((other) => other !== name).map((other) => `site/${other}`);
        assert.deepEqual(new Set(ofOthers ?? others), new Set(others));
      }
    },
  },
  {
    name: "what is kept of pages under names that differ in case, accents or a space at the end is kept apart",
    async run({ cache, versions, index }) {
      const about = { team: "team-a", key: "page", url: "https://page", markdown: "kettle" };
      const version = { ...about, tag: null, scrapedAt: start, fingerprint: "f", isGone: false, expiresAt: never };
      const indexed = { ...about, title: "", description: "", publishedAt: null, seenAt: start };
      for (const name of alike) {
        assert.equal(await cache.get({ team: "team-a", key: name }), null);
        await cache.put({ team: "team-a", key: name, storedAt: start, head: "{}", body: new Uint8Array([1]) });
        for (const named of [{ tag: name }, { key: name }, { team: name }]) {
          assert.equal((await versions?.getLast({ ...version, ...named })) ?? null, null);
          await versions?.put({ ...version, ...named });
        }
        const query = { team: name, terms: parseSearchQuery("kettle"), limit: 5 };
        assert.deepEqual((await index?.search(query)) ?? [], []);
        await index?.put({ ...indexed, team: name });
      }
    },
  },
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
