/** Cases about the data of a page, however it entered its job and however it ended. */

import assert from "node:assert/strict";
import type { NewPage } from "../../ports/job-store.ts";
import {
  begin,
  claim,
  claimOne,
  documents,
  dropped,
  failed,
  keys,
  minute,
  newCharge,
  newPage,
  newPages,
  record,
  results,
  type StorageCase,
  start,
  succeeded,
} from "./storage-case.ts";

export const pageCases: readonly StorageCase[] = [
  {
    name: "pages that are admitted later or discovered keep their order, depth and options as the first do",
    async run(storage) {
      await begin(storage, [newPage("first", { depth: -1, options: '{"of":"first"}' })]);
      const pages = [newPage("z", { depth: -1, options: '{"of":"z"}' }), newPage("a", { depth: 7 })];
      await storage.jobs.admitPages("job-1", { pages, leftOut: [], duplicates: "ignore" });
      const discovered = [newPage("y", { depth: 2, options: '{"of":"y"}' }), newPage("b", { depth: 3 })];
      await storage.jobs.completePage(await claimOne(storage), succeeded({ discovered }));
      assert.deepEqual(
        (await claim(storage, 9)).map(({ key, depth, options }) => [key, depth, options]),
        [
          ["z", -1, '{"of":"z"}'],
          ["a", 7, null],
          ["y", 2, '{"of":"y"}'],
          ["b", 3, null],
        ],
      );
      assert.deepEqual(await keys(storage), ["first", "z", "a", "y", "b"]);
    },
  },
  {
    name: "a key that is there is not listed once more unless a repeat is asked for",
    async run(storage) {
      await begin(storage, [newPage("done"), newPage("leased"), newPage("queued")]);
      const [done, leased] = await claim(storage, 2);
      await storage.jobs.completePage(done!.lease, succeeded());
      const pages = ["done", "leased", "queued"].map((key) => newPage(key, { repeats: [`https://${key}/2`] }));
      await storage.jobs.admitPages("job-1", { pages, leftOut: [], duplicates: "ignore" });
      let job = await record(storage);
      assert.deepEqual([job.listed, job.open, job.openPages], [1, 2, 2]);
      await storage.jobs.completePage(leased!.lease, succeeded({ discovered: pages }));
      job = await record(storage);
      assert.deepEqual([job.listed, job.open, job.openPages], [2, 1, 1]);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      assert.equal((await documents(storage)).length, 3);
    },
  },
  {
    name: "a page that has not ended gets the least depth that its key is admitted with",
    async run(storage) {
      const of = (depth: number, ...names: string[]) => names.map((name) => newPage(name, { depth }));
      await begin(storage, of(5, "done", "leased", "retried", "queued", "found"));
      const [done, leased, retried] = await claim(storage, 3);
      await storage.jobs.completePage(done!.lease, succeeded());
      await storage.jobs.retryPage(retried!.lease, start + minute);
      const admit = (pages: readonly NewPage[]) =>
        storage.jobs.admitPages("job-1", { pages, leftOut: [], duplicates: "ignore" });
      assert.equal((await admit(of(2, "leased", "retried", "queued", "queued"))).admitted, 0);
      await admit([...of(9, "queued", "done"), ...of(4, "new", "queued"), ...of(3, "new")]);
      await storage.jobs.completePage(leased!.lease, succeeded({ discovered: of(1, "found", "done") }));
      assert.deepEqual(
        (await claim(storage, 9, { now: start + minute })).map(({ key, depth }) => [key, depth]),
        [
          ["retried", 2],
          ["queued", 2],
          ["found", 1],
          ["new", 3],
        ],
      );
    },
  },
  {
    name: "the position of a page counts the results before it, repeats too",
    async run(storage) {
      const [two, three] = [{ repeats: ["https://x"] }, { repeats: ["https://y", "https://y"] }];
      await begin(storage, [newPage("a", three), newPage("b"), newPage("c", two), newPage("d")]);
      const positions: (number | undefined)[] = [];
      for (const completion of [succeeded(), failed("b"), succeeded(), dropped()]) {
        positions.push((await storage.jobs.completePage(await claimOne(storage), completion)).position);
      }
      assert.deepEqual(positions, [0, 3, 4, undefined]);
    },
  },
  {
    name: "repeats stay with their page, whether it is given back, tried again, claimed by another worker or failed",
    async run(storage) {
      await begin(storage, [newPage("a", { repeats: ["https://a/1"] }), newPage("b", { repeats: ["https://b/1"] })]);
      const [a, b] = await claim(storage, 2);
      const more = [newPage("a", { url: "https://a/2" }), newPage("b", { url: "https://b/2" })];
      await storage.jobs.admitPages("job-1", { pages: more, leftOut: [], duplicates: "repeat" });
      await storage.jobs.releaseLeases("worker-1");
      const [again] = await claim(storage, 1);
      assert.equal(await storage.jobs.retryPage(again!.lease, start), true);
      const taken = await claim(storage, 2, { now: start + 1, leaseUntil: start + 2 });
      const [c, d] = await claim(storage, 2, { worker: "worker-2", now: start + 3 });
      assert.equal(taken.length, 2);
      for (const old of [a, b, again, ...taken]) {
        assert.equal((await storage.jobs.completePage(old!.lease, succeeded())).status, "fenced");
      }
      await storage.jobs.completePage(d!.lease, failed("b", { document: '"b"' }));
      await storage.jobs.completePage(c!.lease, succeeded({ document: '"a"' }));
      assert.deepEqual(await results(storage), [
        ['"b"', null],
        ['"b"', "https://b/1"],
        ['"b"', "https://b/2"],
        ['"a"', null],
        ['"a"', "https://a/1"],
        ['"a"', "https://a/2"],
      ]);
      const job = await record(storage);
      assert.deepEqual([job.listed, job.succeeded, job.open, job.openPages], [6, 3, 0, 0]);
    },
  },
  {
    name: "the URLs of repeats count among the bytes of results, whenever they came",
    async run(storage) {
      await begin(storage, [newPage("a", { repeats: ["https://a/ééé"] })]);
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document: '"123456"' }));
      const more = [newPage("a", { url: "https://a/éééé" })];
      await storage.jobs.admitPages("job-1", { pages: more, leftOut: [], duplicates: "repeat" });
      // 8 bytes, then 8 + 16, then 8 + 18.
      const lengths = await Promise.all(
        [1, 31, 32, 57, 58].map(async (maxBytes) => {
          const range = { skip: 0, limit: 10, maxBytes };
          return (await storage.jobs.readResults("job-1", range)).results.length;
        }),
      );
      assert.deepEqual(lengths, [1, 1, 2, 2, 3]);
    },
  },
  {
    name: "the memo is kept whatever becomes of the page that brings it",
    async run(storage) {
      await begin(storage, newPages(3));
      for (const [index, completion] of [dropped({ memo: "0" }), failed("f", { memo: "1" }), succeeded()].entries()) {
        await storage.jobs.completePage(await claimOne(storage), completion);
        assert.equal((await record(storage)).memo, `${Math.min(index, 1)}`);
      }
    },
  },
  {
    name: "a failed page brings its charge, pages and left-out URLs as others do",
    async run(storage) {
      await begin(storage, newPages(1));
      const leftOut = [{ url: "https://left", reason: "robots" }];
      const completion = failed("f", { charge: newCharge("one"), discovered: newPages(1, "found"), leftOut });
      await storage.jobs.completePage(await claimOne(storage), completion);
      const job = await record(storage);
      assert.deepEqual([job.creditsUsed, job.openPages], [1, 1]);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), leftOut);
    },
  },
  {
    name: "a document is kept to the letter, not as what it means",
    async run(storage) {
      await begin(storage, newPages(1));
      const document = '{ "z": 1.0, "a": 12345678901234567890, "2": 1e3, "1": "\\u00e9", "z": 2 }\n';
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document, completedAt: start }));
      assert.deepEqual(await documents(storage), [document]);
    },
  },
];
