/** Cases that open the same data a second time: after closing, and beside another storage. */

import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Storage } from "../../ports/storage.ts";
import {
  begin,
  claim,
  claimOne,
  close,
  documents,
  ids,
  keys,
  minute,
  newCharge,
  newItem,
  newJob,
  newPages,
  record,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

interface DurabilityCase {
  readonly name: string;
  run(storage: Storage, reopen: () => Promise<Storage>): Promise<void>;
}

export const durabilityCases: readonly DurabilityCase[] = [
  {
    name: "everything is there after closing and opening again, leases too",
    async run(storage, reopen) {
      await begin(storage, newPages(4), { limit: 3 });
      const [first, second, third] = await claim(storage, 3, { leaseUntil: start + minute });
      await storage.jobs.completePage(
        first!.lease,
        succeeded({
          document: '"first"',
          finalKey: "final",
          charge: newCharge("one"),
          leftOut: [{ url: "https://left", reason: "robots" }],
          outbox: [newItem("event", { withDocument: true })],
        }),
      );
      await storage.jobs.retryPage(second!.lease, start + minute);
      await storage.cache.put({ team: "t", key: "k", storedAt: start, head: "{}", body: new Uint8Array([7]) });
      const before = await record(storage);
      await storage.close();
      const again = await reopen();
      assert.deepEqual(await record(again), before);
      assert.deepEqual(await documents(again), ['"first"']);
      assert.equal((await again.jobs.listLeftOut("job-1")).length, 1);
      assert.equal((await keys(again)).length, 4);
      assert.deepEqual(await again.jobs.listLeaseHolders(), ["worker-1"]);
      assert.deepEqual(await take(again).then((lanes) => lanes[0]?.items[0]?.document), '"first"');
      assert.equal((await again.ledger.usage({ team: "team-a", byApiKey: false }))[0]?.credits, 1);
      assert.deepEqual([...((await again.cache.get({ team: "t", key: "k" }))?.body ?? [])], [7]);
      const duplicate = await again.jobs.completePage(third!.lease, succeeded({ finalKey: "final" }));
      assert.equal(duplicate.status, "duplicate");
      const pages = await claim(again, 9, { now: start + minute });
      assert.deepEqual(
        pages.map((page) => [page.key, page.attempt]),
        [
          ["example.com/page-1", 2],
          ["example.com/page-3", 1],
        ],
      );
    },
  },
  {
    name: "two storages over the same data share pages, lanes and the end of the job",
    async run(one, reopen) {
      const two = await reopen();
      await begin(one, newPages(30));
      await one.outbox.add(
        Array.from({ length: 10 }, (_, index) => newItem(`item-${index}`, { lane: `${index % 5}` })),
      );
      const pages: string[] = [];
      await Promise.all(
        [one, two].map(async (storage, index) => {
          for (;;) {
            const claimed = await claim(storage, 2, { worker: `worker-${index}` });
            if (claimed.length === 0) break;
            for (const page of claimed) {
              pages.push(page.key);
              const done = succeeded({ charge: newCharge(page.key), document: JSON.stringify(page.key) });
              assert.equal((await storage.jobs.completePage(page.lease, done)).status, "stored");
            }
          }
        }),
      );
      assert.equal(new Set(pages).size, 30);
      assert.equal(pages.length, 30);
      assert.equal(new Set(await documents(two)).size, 30);
      const lanes = await Promise.all([take(one, { lanes: 3 }), take(two, { lanes: 3, worker: "worker-2" })]);
      assert.equal(new Set(ids(lanes.flat()).flat()).size, 10);
      const ends = await Promise.all([close(one), close(two), close(one), close(two)]);
      assert.equal(ends.filter((ended) => ended).length, 1);
      assert.equal((await record(one)).creditsUsed, 30);
      assert.deepEqual(await record(one), await record(two));
    },
  },
  {
    name: "what two storages are told at the same time happens once",
    async run(one, reopen) {
      const both = [one, await reopen()];
      const each = (tell: (storage: Storage) => Promise<unknown>) => Promise.all(both.map(tell));
      for (const round of [1, 2, 3]) {
        const id = `job-${round}`;
        const charge = newCharge(id, { jobId: id });
        const pages = newPages(5);
        await each((storage) => storage.jobs.createJob(newJob({ id }), newPages(2), [newItem(id)]));
        await each((storage) => storage.jobs.admitPages(id, { pages, leftOut: [], duplicates: "ignore" }));
        await each((storage) => storage.ledger.charge(charge, [newItem(`${id} charged`)]));
        const job = await record(one, id);
        assert.deepEqual([job.openPages, job.creditsUsed], [5, 1]);
        assert.equal((await keys(one, id)).length, 5);
      }
      assert.equal((await one.ledger.usage({ team: "team-a", byApiKey: true }))[0]?.credits, 3);
      assert.equal(ids(await take(one)).flat().length, 6);
    },
  },
  {
    name: "what one storage wrote, the other sees at once, and its leases too",
    async run(one, reopen) {
      await begin(one, newPages(2));
      const two = await reopen();
      const lease = await claimOne(one);
      assert.equal((await claim(two, 9, { worker: "worker-2" })).length, 1);
      await two.jobs.releaseLeases("worker-1");
      assert.equal((await one.jobs.completePage(lease, succeeded())).status, "fenced");
      assert.equal(await two.jobs.cancelJob("job-1", { finishedAt: start, expiresAt: start, outbox: [] }), true);
      assert.equal(await close(one), false);
    },
  },
  {
    name: "each step of one storage is seen by the other as a whole: a kill could come between its parts",
    async run(one, reopen) {
      const two = await reopen();
      const pageCount = 30;
      await begin(one, newPages(pageCount));
      const pages = await claim(one, pageCount);
      let isWriting = true;
      const reading = (async () => {
        const seen: number[][] = [];
        while (isWriting) {
          const { listed, succeeded, openPages, creditsUsed } = await record(two);
          seen.push([listed, succeeded, pageCount - openPages, creditsUsed]);
          await nextTurn();
        }
        return seen;
      })();
      try {
        for (const { lease, key } of pages) await one.jobs.completePage(lease, succeeded({ charge: newCharge(key) }));
      } finally {
        isWriting = false;
      }
      for (const counts of await reading) assert.equal(new Set(counts).size, 1, `half a step was seen: ${counts}`);
      assert.equal((await record(two)).creditsUsed, pageCount);
    },
  },
  {
    name: "closing is idempotent and waits for what was begun",
    async run(storage, reopen) {
      await begin(storage, newPages(20));
      const pages = await claim(storage, 20);
      const pending = pages.map((page) => storage.jobs.completePage(page.lease, succeeded()));
      await Promise.all([storage.close(), storage.close()]);
      await storage.close();
      assert.deepEqual(new Set((await Promise.all(pending)).map((result) => result.status)), new Set(["stored"]));
      assert.equal((await record(await reopen())).listed, 20);
    },
  },
];
