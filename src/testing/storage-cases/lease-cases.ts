/** Cases about handing out pages: order, limit, leases and their fences. */

import assert from "node:assert/strict";
import {
  begin,
  cancel,
  claim,
  claimOne,
  close,
  documents,
  dropped,
  failed,
  minute,
  newCharge,
  newItem,
  newPage,
  newPages,
  record,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

export const leaseCases: readonly StorageCase[] = [
  {
    name: "pages are handed out in the order of admission, each to one worker",
    async run(storage) {
      await begin(storage, newPages(3));
      await storage.jobs.admitPages("job-1", { pages: newPages(2, "later"), leftOut: [], duplicates: "ignore" });
      const first = await claim(storage, 2);
      const second = await claim(storage, 9, { worker: "worker-2" });
      assert.deepEqual(
        [...first, ...second].map((page) => page.key.replace("example.com/", "")),
        ["page-0", "page-1", "page-2", "later-0", "later-1"],
      );
      assert.equal(first.length, 2);
      assert.deepEqual(await claim(storage, 9), []);
    },
  },
  {
    name: "with a largest depth, deeper pages are passed over, wherever they were admitted",
    async run(storage) {
      const depths = [1, 0, 2, 1, 0];
      await begin(
        storage,
        depths.map((depth, index) => newPage(`page-${index}`, { depth })),
      );
      const keysTo = async (maxDepth: number, count = 9, now = start) =>
        (await claim(storage, count, { maxDepth, now, leaseUntil: now + minute })).map(({ key }) => key);
      assert.deepEqual(await keysTo(0, 1), ["page-1"]);
      assert.deepEqual(await keysTo(0), ["page-4"]);
      assert.deepEqual(await keysTo(0), []);
      assert.deepEqual(await keysTo(1, 1), ["page-0"]);
      assert.deepEqual(await keysTo(1), ["page-3"]);
      // The leases have ended.
      assert.deepEqual(await keysTo(0, 9, start + minute), ["page-1", "page-4"]);
      assert.deepEqual(await keysTo(9, 9, start + minute), ["page-0", "page-2", "page-3"]);
    },
  },
  {
    name: "with a largest depth, pages that wait come no earlier, and those tried again come in their old places",
    async run(storage) {
      const depths = [1, 0, 0, 0];
      await begin(
        storage,
        depths.map((depth, index) => newPage(`page-${index}`, { depth })),
      );
      const claimed = await claim(storage, 9, { maxDepth: 0 });
      const times = [start + minute, start, start];
      for (const [index, { lease }] of claimed.entries()) await storage.jobs.retryPage(lease, times[index]!);
      const keysAt = async (now: number, count: number) =>
        (await claim(storage, count, { maxDepth: 0, now })).map(({ key }) => key);
      assert.deepEqual(await keysAt(start, 1), ["page-2"]);
      assert.deepEqual(await keysAt(start, 9), ["page-3"]);
      assert.deepEqual(await keysAt(start + minute - 1, 9), []);
      // Now it may be claimed, yet not by a caller whose clock is behind.
      assert.deepEqual(await claim(storage, 0, { now: start + minute }), []);
      assert.deepEqual(await keysAt(start + minute - 1, 9), []);
      // The page that waited, and those whose leases have ended.
      assert.deepEqual(await keysAt(start + minute, 9), ["page-1", "page-2", "page-3"]);
    },
  },
  {
    name: "the least depth is that of the pages that have not ended",
    async run(storage) {
      assert.equal(await storage.jobs.leastDepth("job-1"), null);
      // That of pages which a crawl works on last.
      const late = 1_000_000_004;
      const depths = [0, 2, 3, late];
      await begin(
        storage,
        depths.map((depth) => newPage(`${depth}`, { depth })),
      );
      assert.equal(await storage.jobs.leastDepth("job-1"), 0);
      const lease = await claimOne(storage, { maxDepth: 0 });
      assert.equal(await storage.jobs.leastDepth("job-1"), 0);
      assert.equal(await storage.jobs.retryPage(lease, start + minute), true);
      assert.equal(await storage.jobs.leastDepth("job-1"), 0);
      await storage.jobs.completePage(await claimOne(storage, { now: start + minute }), failed("a"));
      assert.equal(await storage.jobs.leastDepth("job-1"), 2);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      assert.equal(await storage.jobs.leastDepth("job-1"), 3);
      await storage.jobs.completePage(await claimOne(storage), dropped());
      assert.equal(await storage.jobs.leastDepth("job-1"), late);
      assert.deepEqual(await claim(storage, 1, { maxDepth: late - 1 }), []);
      assert.equal((await claim(storage, 1))[0]?.depth, late);
      await cancel(storage);
      assert.equal(await storage.jobs.leastDepth("job-1"), null);
    },
  },
  {
    name: "concurrent claims never hand a page out twice",
    async run(storage) {
      await begin(storage, newPages(50));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claim(storage, 4, { worker: `worker-${index % 5}` })),
      );
      const handedOut = claims.flat().map((page) => page.key);
      assert.equal(handedOut.length, 50);
      assert.equal(new Set(handedOut).size, 50);
    },
  },
  {
    name: "nothing is handed out of a job that has ended",
    async run(storage) {
      await begin(storage, newPages(3));
      await cancel(storage);
      assert.deepEqual(await claim(storage, 9), []);
    },
  },
  {
    name: "never more pages are handed out than the limit leaves room for",
    async run(storage) {
      await begin(storage, newPages(10), { limit: 4 });
      const pages = await claim(storage, 9);
      assert.equal(pages.length, 4);
      assert.deepEqual(await claim(storage, 9), []);
      const [a, b, c, d] = pages.map((page) => page.lease);
      await storage.jobs.completePage(a!, succeeded());
      await storage.jobs.completePage(b!, failed("b"));
      assert.deepEqual(await claim(storage, 9), []);
      assert.equal((await record(storage)).openPages, 2);
      await storage.jobs.completePage(c!, dropped());
      assert.equal((await claim(storage, 9)).length, 1);
      assert.equal(await storage.jobs.retryPage(d!, 0), true);
      assert.equal((await claim(storage, 9)).length, 1);
      assert.deepEqual(await claim(storage, 9), []);
    },
  },
  {
    name: "a job without a limit hands out all of its pages",
    async run(storage) {
      const limit = Number.MAX_SAFE_INTEGER;
      await begin(storage, newPages(3), { limit });
      assert.equal((await record(storage)).limit, limit);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      assert.equal((await claim(storage, limit)).length, 2);
      assert.equal((await record(storage)).openPages, 2);
    },
  },
  {
    name: "open counts the queued results within the limit, repeats too",
    async run(storage) {
      const [two, three] = [{ repeats: ["https://x"] }, { repeats: ["https://y", "https://y"] }];
      await begin(storage, [newPage("a", two), newPage("b", three), newPage("c")], { limit: 2 });
      let job = await record(storage);
      assert.deepEqual([job.open, job.openPages], [5, 2]);
      const lease = await claimOne(storage);
      job = await record(storage);
      assert.deepEqual([job.open, job.openPages], [5, 2]);
      await storage.jobs.retryPage(lease, start + 1);
      job = await record(storage);
      assert.deepEqual([job.open, job.openPages], [5, 2]);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      job = await record(storage);
      assert.deepEqual([job.listed, job.open, job.openPages], [3, 2, 1]);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      job = await record(storage);
      assert.deepEqual([job.listed, job.open, job.openPages], [4, 0, 0]);
    },
  },
  {
    name: "a retried page waits until its time, then comes in its old place with one attempt more",
    async run(storage) {
      await begin(storage, newPages(3));
      const lease = await claimOne(storage);
      assert.equal(await storage.jobs.retryPage(lease, start + minute), true);
      assert.equal((await record(storage)).openPages, 3);
      assert.deepEqual(
        (await claim(storage, 1, { now: start + minute - 1 })).map((page) => page.key),
        ["example.com/page-1"],
      );
      const pages = await claim(storage, 9, { now: start + minute });
      assert.deepEqual(
        pages.map((page) => [page.key, page.attempt]),
        [
          ["example.com/page-0", 2],
          ["example.com/page-2", 1],
        ],
      );
    },
  },
  {
    name: "a page is not handed out early to a caller whose clock is behind",
    async run(storage) {
      await begin(storage, newPages(3));
      for (const { lease } of await claim(storage, 2)) await storage.jobs.retryPage(lease, start + minute);
      assert.equal((await claim(storage, 1, { now: start + minute }))[0]?.key, "example.com/page-0");
      assert.deepEqual(
        (await claim(storage, 9)).map((page) => page.key),
        ["example.com/page-2"],
      );
    },
  },
  {
    name: "a retry with a lease that is not current changes nothing",
    async run(storage) {
      await begin(storage, newPages(1));
      const lease = await claimOne(storage);
      assert.equal(await storage.jobs.retryPage({ ...lease, token: lease.token + 1 }, 0), false);
      assert.equal(await storage.jobs.retryPage(lease, 0), true);
      assert.equal(await storage.jobs.retryPage(lease, start + minute), false);
      assert.equal((await claim(storage, 1)).length, 1);
    },
  },
  {
    name: "a page whose lease has ended is handed out again, and the old lease is fenced",
    async run(storage) {
      await begin(storage, newPages(1), { limit: 1 });
      const old = await claimOne(storage, { leaseUntil: start + minute });
      assert.deepEqual(await claim(storage, 1, { worker: "worker-2", now: start + minute - 1 }), []);
      const [page] = await claim(storage, 1, { worker: "worker-2", now: start + minute });
      assert.equal(page?.attempt, 2);
      assert.notEqual(page?.lease.token, old.token);
      const late = succeeded({
        document: '"late"',
        discovered: newPages(1, "late"),
        leftOut: [{ url: "https://late", reason: "robots" }],
        charge: newCharge("late"),
        outbox: [newItem("late")],
      });
      assert.deepEqual(await storage.jobs.completePage(old, late), {
        status: "fenced",
        openPages: 1,
        expanding: false,
      });
      assert.equal(await storage.jobs.retryPage(old, 0), false);
      assert.deepEqual(await documents(storage), []);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), []);
      assert.deepEqual(await take(storage), []);
      const job = await record(storage);
      assert.deepEqual([job.listed, job.openPages, job.creditsUsed], [0, 1, 0]);
      assert.equal((await storage.jobs.completePage(page?.lease as never, succeeded())).status, "stored");
      assert.equal((await record(storage)).listed, 1);
    },
  },
  {
    name: "a lease that has ended but was not claimed by another is still good",
    async run(storage) {
      await begin(storage, newPages(1));
      const lease = await claimOne(storage, { leaseUntil: start + minute });
      assert.deepEqual(await claim(storage, 0, { now: start + 2 * minute }), []);
      const result = await storage.jobs.completePage(lease, succeeded({ completedAt: start + 2 * minute }));
      assert.equal(result.status, "stored");
    },
  },
  {
    name: "pages with ended leases keep their place in the order and in the limit",
    async run(storage) {
      await begin(storage, newPages(5), { limit: 3 });
      await claim(storage, 2, { leaseUntil: start + minute });
      const pages = await claim(storage, 9, { worker: "worker-2", now: start + minute });
      assert.deepEqual(
        pages.map((page) => [page.key, page.attempt]),
        [
          ["example.com/page-0", 2],
          ["example.com/page-1", 2],
          ["example.com/page-2", 1],
        ],
      );
      assert.deepEqual(await storage.jobs.listLeaseHolders(), ["worker-2"]);
      assert.equal((await record(storage)).openPages, 3);
    },
  },
  {
    name: "pages with ended leases come in the order of admission, in whatever order they were leased",
    async run(storage) {
      await begin(storage, newPages(3));
      const [first] = await claim(storage, 3);
      await storage.jobs.retryPage(first!.lease, start);
      await claim(storage, 1, { worker: "worker-2" });
      const again = await claim(storage, 9, { now: start + minute });
      assert.deepEqual(
        again.map(({ key }) => key),
        newPages(3).map(({ key }) => key),
      );
    },
  },
  {
    name: "a page with an ended lease comes after the queued ones that were admitted before it",
    async run(storage) {
      await begin(storage, newPages(3));
      const [first] = await claim(storage, 2, { leaseUntil: start + minute });
      assert.equal(await storage.jobs.retryPage(first!.lease, 0), true);
      const names = [];
      for (const count of [1, 2])
        names.push((await claim(storage, count, { now: start + minute })).map(({ key }) => key));
      assert.deepEqual(names, [["example.com/page-0"], ["example.com/page-1", "example.com/page-2"]]);
    },
  },
  {
    name: "a completion counts once, however often it is sent",
    async run(storage) {
      await begin(storage, newPages(1));
      const lease = await claimOne(storage);
      const completion = succeeded({ charge: newCharge("one"), outbox: [newItem("one")] });
      const results = await Promise.all([1, 2, 3].map(() => storage.jobs.completePage(lease, completion)));
      assert.deepEqual(results.map((result) => result.status).sort(), ["fenced", "fenced", "stored"]);
      assert.equal((await documents(storage)).length, 1);
    },
  },
  {
    name: "leases are prolonged by worker, and never shortened",
    async run(storage) {
      await begin(storage, newPages(3));
      const pages = await claim(storage, 2, { leaseUntil: start + minute });
      await claim(storage, 1, { worker: "worker-2", leaseUntil: start + minute });
      await storage.jobs.renewLeases("worker-1", start + 3 * minute);
      await storage.jobs.renewLeases("worker-1", start + 2 * minute);
      await storage.jobs.renewLeases("worker-9", start + 2 * minute);
      assert.equal((await claim(storage, 9, { worker: "worker-3", now: start + 2 * minute })).length, 1);
      assert.equal((await storage.jobs.completePage(pages[0]!.lease, succeeded())).status, "stored");
      assert.equal((await claim(storage, 9, { worker: "worker-3", now: start + 3 * minute })).length, 2);
    },
  },
  {
    name: "of renewals at the same time, the longest counts",
    async run(storage) {
      await begin(storage, newPages(3));
      await claim(storage, 3, { leaseUntil: start + minute });
      const times = [1, 2, 4, 3].map((minutes) => start + minutes * minute);
      await Promise.all(times.map((time) => storage.jobs.renewLeases("worker-1", time)));
      assert.deepEqual(await claim(storage, 9, { worker: "worker-2", now: start + 4 * minute - 1 }), []);
      assert.equal((await claim(storage, 9, { worker: "worker-2", now: start + 4 * minute })).length, 3);
    },
  },
  {
    name: "released pages go back to the queue with their attempts uncounted, and their leases are fenced",
    async run(storage) {
      await begin(storage, newPages(2));
      await begin(storage, newPages(1), { id: "job-2" });
      const mine = await claim(storage, 1);
      await claim(storage, 1, { jobId: "job-2" });
      const theirs = await claim(storage, 1, { worker: "worker-2" });
      assert.deepEqual((await storage.jobs.listLeaseHolders()).sort(), ["worker-1", "worker-2"]);
      await storage.jobs.releaseLeases("worker-1");
      await storage.jobs.releaseLeases("worker-1");
      assert.deepEqual(await storage.jobs.listLeaseHolders(), ["worker-2"]);
      assert.equal((await storage.jobs.completePage(mine[0]!.lease, succeeded())).status, "fenced");
      assert.equal((await storage.jobs.completePage(theirs[0]!.lease, succeeded())).status, "stored");
      const [again] = await claim(storage, 9, { worker: "worker-3" });
      assert.deepEqual([again?.key, again?.attempt], ["example.com/page-0", 1]);
      assert.notEqual(again?.lease.token, mine[0]!.lease.token);
      assert.equal((await claim(storage, 9, { jobId: "job-2" })).length, 1);
    },
  },
  {
    name: "the deaths of workers are counted for the pages that they had, and nothing else is",
    async run(storage) {
      await begin(storage, newPages(2));
      const next = async (fields: Parameters<typeof claim>[2] = {}) =>
        (await claim(storage, 9, fields)).map(({ deaths, attempt }) => [deaths, attempt]);
      assert.deepEqual(await next(), [
        [0, 1],
        [0, 1],
      ]);
      await storage.jobs.releaseLeases("worker-1");
      const lease = await claimOne(storage);
      await storage.jobs.retryPage(lease, start);
      assert.deepEqual(await next({ now: start + 1, leaseUntil: start + 2 }), [
        [0, 2],
        [0, 1],
      ]);
      await storage.jobs.releaseLeases("worker-1", true);
      assert.deepEqual(await next({ now: start + 2, leaseUntil: start + 3 }), [
        [1, 2],
        [1, 1],
      ]);
      // The leases have ended, as those of a worker do that was cut off from the storage.
      assert.deepEqual(await next({ now: start + 4 }), [
        [1, 3],
        [1, 2],
      ]);
      await storage.jobs.releaseLeases("worker-1", false);
      assert.deepEqual(await next({ now: start + 4 }), [
        [1, 3],
        [1, 2],
      ]);
    },
  },
  {
    name: "who holds leases is known, with ended leases too, until the last is gone",
    async run(storage) {
      await begin(storage, newPages(2));
      assert.deepEqual(await storage.jobs.listLeaseHolders(), []);
      const [a, b] = await claim(storage, 2, { leaseUntil: start });
      await storage.jobs.completePage(a!.lease, succeeded());
      assert.deepEqual(await storage.jobs.listLeaseHolders(), ["worker-1"]);
      await storage.jobs.retryPage(b!.lease, 0);
      assert.deepEqual(await storage.jobs.listLeaseHolders(), []);
    },
  },
  {
    name: "cancelling voids leases",
    async run(storage) {
      await begin(storage, newPages(2));
      const lease = await claimOne(storage);
      await cancel(storage);
      assert.deepEqual(await storage.jobs.listLeaseHolders(), []);
      assert.equal(await storage.jobs.retryPage(lease, 0), false);
      const late = succeeded({ charge: newCharge("late"), outbox: [newItem("late")], discovered: newPages(1, "late") });
      assert.deepEqual(await storage.jobs.completePage(lease, late), {
        status: "fenced",
        openPages: 0,
        expanding: false,
      });
      assert.deepEqual(await documents(storage), []);
      assert.deepEqual(await storage.ledger.usage({ team: "team-a", byApiKey: false }), []);
    },
  },
  {
    name: "leases of one job do not show in another",
    async run(storage) {
      await begin(storage, newPages(1));
      await begin(storage, newPages(1), { id: "job-2" });
      const one = await claimOne(storage);
      const two = await claimOne(storage, { jobId: "job-2" });
      assert.equal((await storage.jobs.completePage({ ...one, jobId: "job-9" }, succeeded())).status, "fenced");
      await storage.jobs.completePage(one, succeeded());
      assert.equal((await record(storage, "job-2")).openPages, 1);
      assert.equal(await close(storage), true);
      assert.equal((await storage.jobs.completePage(two, succeeded())).status, "stored");
    },
  },
];
