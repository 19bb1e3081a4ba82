/** Cases about jobs as a whole: creating, finding, admitting, expiring. */

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
  ids,
  keys,
  minute,
  never,
  newCharge,
  newItem,
  newJob,
  newPage,
  newPages,
  record,
  results,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

export const jobCases: readonly StorageCase[] = [
  {
    name: "a new job is stored with all its fields, pages and outbox items",
    async run(storage) {
      const job = newJob({ expanding: true, zeroDataRetention: true, apiKey: null, kind: "batch_scrape" });
      await storage.jobs.createJob(job, newPages(3), [newItem("started")]);
      assert.deepEqual(await storage.jobs.getJob("job-1", start), {
        ...job,
        state: "scraping",
        finishedAt: null,
        listed: 0,
        succeeded: 0,
        open: 3,
        openPages: 3,
        creditsUsed: 0,
        tokensUsed: 0,
        memo: null,
        result: null,
        error: null,
      });
      assert.deepEqual(ids(await take(storage)), [["started"]]);
    },
  },
  {
    name: "creating a job twice changes nothing",
    async run(storage) {
      await storage.jobs.createJob(newJob(), newPages(1), [newItem("started")]);
      await storage.jobs.createJob(newJob({ team: "team-b", limit: 1 }), newPages(2, "other"), [newItem("again")]);
      const job = await record(storage);
      assert.equal(job.team, "team-a");
      assert.equal(job.openPages, 1);
      assert.deepEqual(await keys(storage), ["example.com/page-0"]);
      assert.deepEqual(ids(await take(storage)), [["started"]]);
    },
  },
  {
    name: "of first pages with equal keys the first counts",
    async run(storage) {
      await begin(storage, [newPage("a", { url: "https://a/1" }), newPage("a", { url: "https://a/2" }), newPage("b")]);
      assert.deepEqual(
        (await claim(storage, 10)).map((page) => page.url),
        ["https://a/1", "https://b"],
      );
    },
  },
  {
    name: "an unknown job is null, empty and false everywhere",
    async run(storage) {
      const { jobs } = storage;
      const lease = { jobId: "none", pageId: 1, token: 1 };
      assert.equal(await jobs.getJob("none", start), null);
      assert.deepEqual(
        await jobs.admitPages("none", { pages: newPages(1), leftOut: [], duplicates: "ignore", reopen: true }),
        { admitted: 0 },
      );
      await jobs.finishExpansion("none");
      assert.deepEqual(await claim(storage, 1, { jobId: "none" }), []);
      assert.equal(await jobs.retryPage(lease, 0), false);
      assert.deepEqual(await jobs.completePage(lease, succeeded({ outbox: [newItem("none")] })), {
        status: "fenced",
        openPages: 0,
        expanding: false,
      });
      const end = { finishedAt: start, expiresAt: never, outbox: [newItem("none")] };
      assert.equal(await jobs.closeJob("none", { ...end, state: "completed" }), false);
      assert.equal(await jobs.cancelJob("none", end), false);
      assert.deepEqual(await documents(storage, "none"), []);
      assert.deepEqual(await jobs.listFailures("none"), []);
      assert.deepEqual(await jobs.listLeftOut("none"), []);
      assert.deepEqual(await keys(storage, "none"), []);
      await jobs.eraseResults("none");
      assert.deepEqual(await take(storage), []);
    },
  },
  {
    name: "a job is gone from the moment it expires, before any sweep",
    async run(storage) {
      await begin(storage, [], { expiresAt: start + minute });
      assert.notEqual(await storage.jobs.getJob("job-1", start + minute - 1), null);
      assert.equal(await storage.jobs.getJob("job-1", start + minute), null);
      assert.equal((await storage.jobs.listOpenJobs({ now: start + minute - 1 })).length, 1);
      assert.deepEqual(await storage.jobs.listOpenJobs({ now: start + minute }), []);
      assert.deepEqual(await storage.jobs.listExpiredJobs(start + minute - 1), []);
      const [expired] = await storage.jobs.listExpiredJobs(start + minute);
      assert.deepEqual(expired, await storage.jobs.getJob("job-1", start));
      assert.equal(await cancel(storage), true);
      assert.deepEqual(await storage.jobs.listExpiredJobs(never), []);
    },
  },
  {
    name: "open jobs are listed oldest first, by team when asked, without those that ended",
    async run(storage) {
      await begin(storage, [], { id: "second", createdAt: start + 2 });
      await begin(storage, [], { id: "first", createdAt: start + 1 });
      await begin(storage, [], { id: "other", createdAt: start + 3, team: "team-b" });
      await begin(storage, []);
      await close(storage);
      const listed = await storage.jobs.listOpenJobs({ now: start });
      assert.deepEqual(
        listed.map((job) => job.id),
        ["first", "second", "other"],
      );
      assert.deepEqual(listed[0], await record(storage, "first"));
      assert.deepEqual(
        (await storage.jobs.listOpenJobs({ team: "team-b", now: start })).map((job) => job.id),
        ["other"],
      );
    },
  },
  {
    name: "admission adds pages with new keys in the order given, and counts them",
    async run(storage) {
      await begin(storage, [newPage("a")]);
      const admission = { leftOut: [], duplicates: "ignore" } as const;
      const pages = [newPage("c"), newPage("a"), newPage("b"), newPage("c", { url: "https://c/again" })];
      assert.deepEqual(await storage.jobs.admitPages("job-1", { ...admission, pages }), { admitted: 2 });
      assert.deepEqual(await keys(storage), ["a", "c", "b"]);
      assert.equal((await record(storage)).openPages, 3);
      assert.deepEqual(await storage.jobs.admitPages("job-1", { ...admission, pages }), { admitted: 0 });
    },
  },
  {
    name: "a page keeps its URL, key, depth and options",
    async run(storage) {
      await begin(storage, [newPage("a", { depth: 40_000, options: '{"mobile":true}' }), newPage("b")]);
      const [first, second] = await claim(storage, 2);
      assert.deepEqual(first, {
        lease: first?.lease,
        url: "https://a",
        key: "a",
        depth: 40_000,
        options: '{"mobile":true}',
        attempt: 1,
        deaths: 0,
      });
      assert.equal(second?.options, null);
      assert.equal(first?.lease.jobId, "job-1");
    },
  },
  {
    name: "the same key may stand in two jobs",
    async run(storage) {
      await begin(storage, [newPage("a")]);
      await begin(storage, [newPage("a")], { id: "job-2" });
      assert.equal((await claim(storage, 5)).length, 1);
      assert.equal((await claim(storage, 5, { jobId: "job-2" })).length, 1);
    },
  },
  {
    name: "text of any kind comes back as it was",
    async run(storage) {
      const key = "exämple.com/\u{1f600}?q='\";--%_\\";
      const repeats = [`https://${key}#2`];
      await begin(storage, [newPage(key, { repeats })]);
      const [page] = await claim(storage, 1);
      assert.deepEqual([page?.key, page?.url], [key, `https://${key}`]);
      const document = JSON.stringify({ markdown: "a\u0000b \ud83d\ude00 \u2028 'quoted' \"double\"" });
      await storage.jobs.completePage(page?.lease as never, succeeded({ document }));
      assert.deepEqual(await results(storage), [
        [document, null],
        [document, repeats[0]],
      ]);
    },
  },
  {
    name: "a repeat of a queued or leased page lists its document once more for each URL",
    async run(storage) {
      await begin(storage, [newPage("a", { repeats: ["https://a/#1"] }), newPage("b")], { kind: "batch_scrape" });
      const lease = await claimOne(storage);
      assert.deepEqual(
        await storage.jobs.admitPages("job-1", {
          pages: [
            newPage("a"),
            newPage("b"),
            newPage("b", { url: "https://b/2", repeats: ["https://b"] }),
            newPage("c"),
            newPage("c"),
          ],
          leftOut: [],
          duplicates: "repeat",
        }),
        { admitted: 1 },
      );
      assert.equal((await record(storage)).open, 3 + 4 + 2);
      assert.equal((await record(storage)).openPages, 3);
      await storage.jobs.completePage(lease, succeeded({ document: '"a"' }));
      await storage.jobs.completePage(await claimOne(storage), failed("b", { document: '"b"' }));
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document: '"c"' }));
      assert.deepEqual(await results(storage), [
        ['"a"', null],
        ['"a"', "https://a/#1"],
        ['"a"', "https://a"],
        ['"b"', null],
        ['"b"', "https://b"],
        ['"b"', "https://b/2"],
        ['"b"', "https://b"],
        ['"c"', null],
        ['"c"', "https://c"],
      ]);
      const job = await record(storage);
      assert.deepEqual([job.listed, job.succeeded, job.open, job.openPages], [9, 5, 0, 0]);
    },
  },
  {
    name: "a repeat of a page that is done lists its document at once, of a dropped page nothing",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c")], { kind: "batch_scrape" });
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document: '"a"', finalKey: "z" }));
      await storage.jobs.completePage(await claimOne(storage), failed("b", { document: '"b"' }));
      await storage.jobs.completePage(await claimOne(storage), dropped());
      const again = [newPage("b"), newPage("a", { repeats: ["https://a/é"] }), newPage("c"), newPage("z")];
      await storage.jobs.admitPages("job-1", { pages: again, leftOut: [], duplicates: "repeat" });
      assert.deepEqual(await results(storage), [
        ['"a"', null],
        ['"b"', null],
        ['"b"', "https://b"],
        ['"a"', "https://a"],
        ['"a"', "https://a/é"],
        ['"a"', "https://z"],
      ]);
      const job = await record(storage);
      assert.deepEqual([job.listed, job.succeeded, job.open], [6, 4, 0]);
      assert.equal((await storage.jobs.listFailures("job-1")).length, 1);
    },
  },
  {
    name: "admission to a job that has ended is ignored",
    async run(storage) {
      await begin(storage, []);
      await close(storage);
      const admission = {
        pages: newPages(1),
        leftOut: [{ url: "https://example.com/left", reason: "robots" }],
        duplicates: "ignore",
        expiresAt: start,
      } as const;
      assert.deepEqual(await storage.jobs.admitPages("job-1", admission), { admitted: 0 });
      assert.deepEqual(await keys(storage), []);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), []);
      const job = await record(storage);
      assert.deepEqual([job.state, job.expiresAt], ["completed", never]);
    },
  },
  {
    name: "an admission puts off the expiry of an open job, without pages too",
    async run(storage) {
      await begin(storage, newPages(1), { expiresAt: start + minute });
      const admission = { pages: [], leftOut: [], duplicates: "ignore", expiresAt: start + 3 * minute } as const;
      assert.deepEqual(await storage.jobs.admitPages("job-1", admission), { admitted: 0 });
      assert.equal((await storage.sweep(start + 2 * minute)).removedJobs, 0);
      const job = await storage.jobs.getJob("job-1", start + 2 * minute);
      assert.deepEqual([job?.state, job?.expiresAt, job?.openPages], ["scraping", start + 3 * minute, 1]);
      assert.equal((await storage.sweep(start + 3 * minute)).removedJobs, 1);
    },
  },
  {
    name: "an admission that names no expiry leaves it as it was",
    async run(storage) {
      await begin(storage, newPages(1), { expiresAt: start + minute });
      const pages = newPages(1, "more");
      assert.deepEqual(await storage.jobs.admitPages("job-1", { pages, leftOut: [], duplicates: "ignore" }), {
        admitted: 1,
      });
      assert.equal((await record(storage)).expiresAt, start + minute);
      assert.equal(await storage.jobs.getJob("job-1", start + minute), null);
    },
  },
  {
    name: "reopen puts a completed or failed job back to scraping, with its pages and a new expiry",
    async run(storage) {
      for (const state of ["completed", "failed"] as const) {
        const id = `job-${state}`;
        await begin(storage, [newPage("a")], { id, kind: "batch_scrape" });
        await storage.jobs.completePage(await claimOne(storage, { jobId: id }), succeeded({ document: '"a"' }));
        const closing = { state, finishedAt: start, expiresAt: start + minute, error: "Error.", result: "1" };
        assert.equal(await storage.jobs.closeJob(id, { ...closing, outbox: [] }), true);
        const admitted = await storage.jobs.admitPages(id, {
          pages: [newPage("a"), newPage("b")],
          leftOut: [],
          duplicates: "repeat",
          reopen: true,
          expiresAt: start + 2 * minute,
        });
        assert.deepEqual(admitted, { admitted: 1 });
        const job = await record(storage, id);
        assert.deepEqual(
          [job.state, job.finishedAt, job.result, job.error, job.expiresAt, job.listed, job.openPages],
          ["scraping", null, null, null, start + 2 * minute, 2, 1],
        );
        assert.deepEqual(
          (await storage.jobs.listOpenJobs({ now: start })).map((open) => open.id),
          [id],
        );
        await storage.jobs.completePage(await claimOne(storage, { jobId: id }), succeeded({ document: '"b"' }));
        assert.deepEqual(await documents(storage, id), ['"a"', '"a"', '"b"']);
        assert.equal(await storage.jobs.closeJob(id, { ...closing, outbox: [] }), true);
      }
    },
  },
  {
    name: "reopen leaves a cancelled job cancelled, and gives an open one the new expiry",
    async run(storage) {
      await begin(storage, []);
      await begin(storage, [], { id: "job-2" });
      await cancel(storage);
      const admission = { pages: newPages(1), leftOut: [], duplicates: "ignore", reopen: true } as const;
      assert.deepEqual(await storage.jobs.admitPages("job-1", { ...admission, expiresAt: start + 1 }), { admitted: 0 });
      assert.deepEqual(await storage.jobs.admitPages("job-2", { ...admission, expiresAt: start + 1 }), { admitted: 1 });
      assert.equal((await record(storage)).state, "cancelled");
      assert.equal((await record(storage)).expiresAt, never);
      assert.equal((await record(storage, "job-2")).expiresAt, start + 1);
    },
  },
  {
    name: "a closed storage goes on with the next call, and may be closed any number of times",
    async run(storage) {
      await Promise.all([storage.close(), storage.close()]);
      await storage.close();
      await begin(storage, newPages(1));
      assert.equal((await record(storage)).openPages, 1);
      assert.equal((await claim(storage, 9)).length, 1);
      await storage.close();
      await storage.outbox.add([newItem("later")]);
      assert.equal(await storage.outbox.nextDue(), start);
    },
  },
  {
    name: "expansion ends when it is said to",
    async run(storage) {
      await begin(storage, [], { expanding: true });
      assert.equal((await record(storage)).expanding, true);
      await storage.jobs.finishExpansion("job-1");
      await storage.jobs.finishExpansion("job-1");
      assert.equal((await record(storage)).expanding, false);
    },
  },
  {
    name: "keys come in chunks, in the order of admission, whatever became of the pages",
    async run(storage) {
      const pages = newPages(2500);
      await begin(storage, pages);
      await storage.jobs.completePage(await claimOne(storage), dropped());
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      const chunks: (readonly string[])[] = [];
      for await (const chunk of storage.jobs.listKeys("job-1")) chunks.push(chunk);
      assert.ok(chunks.length > 1);
      assert.deepEqual(
        chunks.flat(),
        pages.map((page) => page.key),
      );
    },
  },
  {
    name: "a sweep deletes what has expired and says when the next job expires",
    async run(storage) {
      await begin(storage, newPages(3), { expiresAt: start + minute });
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document: '"secret"' }));
      await storage.jobs.completePage(await claimOne(storage), failed("one"));
      const lease = await claimOne(storage);
      await begin(storage, [], { id: "job-2", expiresAt: start + 3 * minute });
      await begin(storage, [], { id: "job-3", expiresAt: start + 2 * minute });
      assert.deepEqual(await storage.sweep(start), { removedJobs: 0, nextExpiry: start + minute });
      assert.deepEqual(await storage.sweep(start + 2 * minute), { removedJobs: 2, nextExpiry: start + 3 * minute });
      assert.deepEqual(await storage.sweep(start + 2 * minute), { removedJobs: 0, nextExpiry: start + 3 * minute });
      assert.equal(await storage.jobs.getJob("job-1", start), null);
      assert.deepEqual(await documents(storage), []);
      assert.deepEqual(await storage.jobs.listFailures("job-1"), []);
      assert.deepEqual(await keys(storage), []);
      assert.deepEqual(await storage.jobs.listLeaseHolders(), []);
      assert.equal((await storage.jobs.completePage(lease, succeeded())).status, "fenced");
      assert.deepEqual(await storage.sweep(start + 9 * minute), { removedJobs: 1, nextExpiry: null });
      await begin(storage, newPages(1));
      assert.equal((await record(storage)).openPages, 1);
      assert.equal((await claim(storage, 5)).length, 1);
    },
  },
  {
    name: "waiting items outlive their job with their documents, charges too; given-up items go with it",
    async run(storage) {
      await begin(storage, newPages(1), { expiresAt: start + minute });
      const lanes = { webhook: { lane: "w" }, events: { lane: "e", target: "events" } };
      await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({
          document: '"kept"',
          charge: newCharge("charge-1"),
          outbox: [
            newItem("waits", { ...lanes.webhook, withDocument: true }),
            newItem("given-up", { ...lanes.events, withDocument: true }),
          ],
        }),
      );
      await take(storage);
      const failure = { id: "given-up", at: start, retryAt: null, error: "No." };
      await storage.outbox.settle({ lane: "e", worker: "worker-1" }, { delivered: [], failed: failure });
      await storage.outbox.settle({ lane: "w", worker: "worker-1" }, { delivered: [] });
      await storage.sweep(start + minute);
      const [lane] = await take(storage, { now: start + minute });
      assert.deepEqual(
        lane?.items.map((item) => [item.id, item.document]),
        [["waits", '"kept"']],
      );
      assert.deepEqual(await storage.outbox.listFailed({ team: "team-a" }), []);
      assert.equal((await storage.ledger.usage({ team: "team-a", byApiKey: false }))[0]?.credits, 1);
    },
  },
];
