/** Cases about conflicting calls at the same time: one of them takes effect, completely. */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "../../ports/storage.ts";
import {
  begin,
  cancel,
  claim,
  claimOne,
  close,
  documents,
  ids,
  keys,
  minute,
  never,
  newCharge,
  newItem,
  newPages,
  record,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

const done = succeeded({ charge: newCharge("page"), outbox: [newItem("page")], discovered: newPages(1, "found") });

/** Checks that job, ledger and outbox agree with what `completePage` answered. */
async function checkPage(storage: Storage, status: string): Promise<void> {
  const isStored = status === "stored";
  const job = await record(storage);
  assert.deepEqual([job.listed, job.succeeded, job.creditsUsed], isStored ? [1, 1, 1] : [0, 0, 0]);
  assert.equal((await storage.ledger.usage({ team: "team-a", byApiKey: false }))[0]?.credits ?? 0, isStored ? 1 : 0);
  const items = ids(await take(storage)).flat();
  assert.equal(items.includes("page"), isStored);
}

export const raceCases: readonly StorageCase[] = [
  {
    name: "a page that is completed and put back at the same time: one of the two",
    async run(storage) {
      await begin(storage, newPages(1));
      const lease = await claimOne(storage);
      const [retried, { status }] = await Promise.all([
        storage.jobs.retryPage(lease, 0),
        storage.jobs.completePage(lease, done),
      ]);
      assert.equal(status, retried ? "fenced" : "stored");
      await checkPage(storage, status);
      assert.deepEqual((await claim(storage, 9)).length, 1);
    },
  },
  {
    name: "a page that is completed while its lease is given up is stored or handed out again, not both",
    async run(storage) {
      await begin(storage, newPages(1));
      const lease = await claimOne(storage);
      const [, { status }] = await Promise.all([
        storage.jobs.releaseLeases("worker-1"),
        storage.jobs.completePage(lease, done),
      ]);
      await checkPage(storage, status);
      const again = await claim(storage, 9);
      assert.deepEqual(
        again.map(({ key }) => key),
        [status === "stored" ? "example.com/found-0" : "example.com/page-0"],
      );
    },
  },
  {
    name: "a page that is completed while its job is cancelled is stored or dropped, wholly",
    async run(storage) {
      await begin(storage, newPages(2));
      const lease = await claimOne(storage);
      const [cancelled, { status }] = await Promise.all([cancel(storage), storage.jobs.completePage(lease, done)]);
      assert.equal(cancelled, true);
      await checkPage(storage, status);
      const job = await record(storage);
      assert.deepEqual([job.state, job.open, job.openPages], ["cancelled", 0, 0]);
      assert.deepEqual(await storage.jobs.listLeaseHolders(), []);
    },
  },
  {
    name: "pages that are added to a job while it is closed are in it, and it is open; or neither",
    async run(storage) {
      const ways = [true, false].flatMap((addsFirst) => [true, false].map((reopen) => ({ addsFirst, reopen })));
      for (const [index, { addsFirst, reopen }] of ways.entries()) {
        const id = `job-${index}`;
        await begin(storage, [], { id, kind: "batch_scrape" });
        let admitted = 0;
        const add = async () => {
          const admission = { pages: newPages(1), leftOut: [], duplicates: "repeat", reopen } as const;
          ({ admitted } = await storage.jobs.admitPages(id, admission));
        };
        const end = async () => {
          const closing = { state: "completed", finishedAt: start, expiresAt: never, outbox: [] } as const;
          await storage.jobs.closeJob(id, closing);
        };
        await Promise.all(addsFirst ? [add(), end()] : [end(), add()]);
        const { state, openPages } = await record(storage, id);
        assert.deepEqual([state, openPages], admitted === 1 ? ["scraping", 1] : ["completed", 0]);
        if (reopen) assert.equal(admitted, 1);
      }
    },
  },
  {
    name: "a job that has listed more than when its end was judged is not closed",
    async run(storage) {
      await begin(storage, newPages(1), { kind: "batch_scrape" });
      await storage.jobs.completePage(await claimOne(storage), succeeded({}));
      assert.equal(await close(storage, { listed: 0, outbox: [newItem("early")] }), false);
      assert.equal((await record(storage)).state, "scraping");
      assert.deepEqual(await take(storage), []);
      assert.equal(await close(storage, { listed: 1 }), true);
    },
  },
  {
    name: "what is swept or erased goes in one step: whoever reads it meanwhile sees the whole of it or nothing",
    async run(storage) {
      const count = 500;
      const ways = [() => storage.jobs.eraseResults("job-1"), () => storage.sweep(start + minute)];
      for (const remove of ways) {
        await begin(storage, newPages(count), { limit: count, expiresAt: start + minute });
        const pages = await claim(storage, count);
        await Promise.all(pages.map(({ lease }) => storage.jobs.completePage(lease, succeeded())));
        assert.equal(await close(storage, { expiresAt: start + minute }), true);
        let isOver = false;
        const removing = remove().finally(() => {
          isOver = true;
        });
        const seen = new Set([0, count]);
        while (!isOver) {
          seen.add((await documents(storage)).length);
          // To a clock that is behind, the job has not expired.
          if ((await storage.jobs.getJob("job-1", start))?.request !== "{}") seen.add((await keys(storage)).length);
        }
        await removing;
        assert.deepEqual([...seen], [0, count]);
        await storage.sweep(start + minute);
      }
    },
  },
  {
    name: "a job that is opened again while it is swept is whole or gone",
    async run(storage) {
      const count = 300;
      for (const wait of [0, 5, 20, 50]) {
        const id = `job-${wait}`;
        await begin(storage, newPages(count), { id, limit: count, kind: "batch_scrape" });
        const pages = await claim(storage, count, { jobId: id });
        await Promise.all(pages.map(({ lease }) => storage.jobs.completePage(lease, succeeded())));
        const closing = { state: "completed", finishedAt: start, expiresAt: start + minute, outbox: [] } as const;
        assert.equal(await storage.jobs.closeJob(id, closing), true);
        const admission = { pages: newPages(1, "more"), leftOut: [], duplicates: "repeat", reopen: true } as const;
        const [, { admitted }] = await Promise.all([
          storage.sweep(start + minute),
          delay(wait).then(() => storage.jobs.admitPages(id, { ...admission, expiresAt: never })),
        ]);
        assert.equal((await documents(storage, id)).length, admitted === 1 ? count : 0);
        assert.equal((await storage.jobs.getJob(id, start)) === null, admitted === 0);
      }
    },
  },
  {
    name: "steps that get into each other's way are repeated until they succeed, as after a deadlock",
    async run(storage) {
      const jobIds = ["job-1", "job-2"];
      const steps: (() => Promise<unknown>)[] = [];
      for (const id of jobIds) {
        await begin(storage, newPages(6), { id });
        // Each job's pages are paid by the other, so that two steps may want the same rows in opposite order.
        const paying = id === "job-1" ? "job-2" : "job-1";
        for (const [index, { lease }] of (await claim(storage, 6, { jobId: id })).entries()) {
          const charge = newCharge(`${id} ${index}`, { jobId: paying });
          const page = succeeded({ charge, outbox: [newItem(charge.id, { lane: paying })] });
          steps[2 * index + jobIds.indexOf(id)] = () => storage.jobs.completePage(lease, page);
        }
      }
      const renewals = Array.from({ length: 5 }, () => storage.jobs.renewLeases("worker-1", start + 2 * minute));
      await Promise.all([...steps.map((step) => step()), ...renewals]);
      for (const id of jobIds) {
        const { listed, creditsUsed } = await record(storage, id);
        assert.deepEqual([listed, creditsUsed], [6, 6]);
      }
    },
  },
];
