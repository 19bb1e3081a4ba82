/** Cases about the end of a page and of a job. */

import assert from "node:assert/strict";
import type { PageCompletion } from "../../ports/job-store.ts";
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
  newPage,
  newPages,
  record,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

export const completionCases: readonly StorageCase[] = [
  {
    name: "a completed page brings its document, pages, left-out URLs, charge and items in one step",
    async run(storage) {
      await begin(storage, newPages(1), { expanding: true });
      const result = await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({
          document: '{"markdown":"# Home"}',
          discovered: [newPage("example.com/a", { depth: 1 }), newPage("example.com/page-0")],
          leftOut: [{ url: "https://example.com/private", reason: "robots" }],
          charge: newCharge("charge-1", { credits: 5, tokens: 7 }),
          outbox: [newItem("event-1")],
        }),
      );
      assert.deepEqual(result, { status: "stored", openPages: 1, expanding: true, position: 0 });
      assert.deepEqual(await documents(storage), ['{"markdown":"# Home"}']);
      assert.deepEqual(await keys(storage), ["example.com/page-0", "example.com/a"]);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), [
        { url: "https://example.com/private", reason: "robots" },
      ]);
      assert.deepEqual(ids(await take(storage)), [["event-1"]]);
      const job = await record(storage);
      assert.deepEqual(
        [job.listed, job.succeeded, job.open, job.openPages, job.creditsUsed, job.tokensUsed],
        [1, 1, 1, 1, 5, 7],
      );
      assert.equal((await claim(storage, 1))[0]?.depth, 1);
    },
  },
  {
    name: "a failed page is listed and described, and does not count as succeeded",
    async run(storage) {
      await begin(storage, newPages(2));
      const first = await storage.jobs.completePage(await claimOne(storage), failed("f1", { completedAt: start + 5 }));
      const second = await storage.jobs.completePage(await claimOne(storage), failed("f2", { completedAt: start + 3 }));
      assert.deepEqual([first.position, second.position], [0, 1]);
      assert.deepEqual(await documents(storage), ['{"failed":"f1"}', '{"failed":"f2"}']);
      assert.deepEqual(
        (await storage.jobs.listFailures("job-1")).map((failure) => [failure.id, failure.timestamp]),
        [
          ["f1", start + 5],
          ["f2", start + 3],
        ],
      );
      assert.deepEqual((await storage.jobs.listFailures("job-1"))[0], {
        id: "f1",
        timestamp: start + 5,
        url: "https://example.com/f1",
        code: "SCRAPE_TIMEOUT",
        error: "The page took too long.",
      });
      const job = await record(storage);
      assert.deepEqual([job.listed, job.succeeded], [2, 0]);
    },
  },
  {
    name: "a dropped page lists nothing, yet what it found is kept",
    async run(storage) {
      await begin(storage, newPages(1));
      const result = await storage.jobs.completePage(
        await claimOne(storage),
        dropped({
          discovered: newPages(1, "found"),
          leftOut: [{ url: "https://example.com/page-0", reason: "robots" }],
          charge: newCharge("one"),
          outbox: [newItem("one", { withDocument: true })],
          finalKey: "example.com/elsewhere",
        }),
      );
      assert.deepEqual(result, { status: "stored", openPages: 1, expanding: false });
      assert.deepEqual(await documents(storage), []);
      assert.equal((await storage.jobs.listLeftOut("job-1")).length, 1);
      assert.equal((await take(storage))[0]?.items[0]?.document, null);
      const job = await record(storage);
      assert.deepEqual([job.listed, job.creditsUsed, job.openPages], [0, 1, 1]);
      const again = { pages: [newPage("example.com/elsewhere")], leftOut: [], duplicates: "ignore" } as const;
      assert.deepEqual(await storage.jobs.admitPages("job-1", again), { admitted: 1 });
    },
  },
  {
    name: "a page that leads to another page of the job is a duplicate: dropped, but for the pages it found",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c")], { limit: 2 });
      const [a, b] = await claim(storage, 2);
      const result = await storage.jobs.completePage(
        b!.lease,
        succeeded({
          finalKey: "a",
          discovered: [newPage("d")],
          leftOut: [{ url: "https://left", reason: "robots" }],
          charge: newCharge("one"),
          outbox: [newItem("one")],
        }),
      );
      assert.deepEqual(result, { status: "duplicate", openPages: 2, expanding: false });
      assert.deepEqual(await documents(storage), []);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), []);
      assert.deepEqual(await take(storage), []);
      assert.equal((await record(storage)).creditsUsed, 0);
      assert.deepEqual(await keys(storage), ["a", "b", "c", "d"]);
      assert.equal((await storage.jobs.completePage(a!.lease, succeeded())).status, "stored");
      assert.equal((await claim(storage, 9)).length, 1);
    },
  },
  {
    name: "a final key belongs to its page from then on",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c")]);
      const [a, b, c] = await claim(storage, 3);
      assert.equal((await storage.jobs.completePage(a!.lease, succeeded({ finalKey: "home" }))).status, "stored");
      assert.equal((await storage.jobs.completePage(b!.lease, failed("b", { finalKey: "home" }))).status, "duplicate");
      const admission = { pages: [newPage("home")], leftOut: [], duplicates: "ignore" } as const;
      assert.deepEqual(await storage.jobs.admitPages("job-1", admission), { admitted: 0 });
      assert.equal((await storage.jobs.completePage(c!.lease, succeeded({ finalKey: "c" }))).status, "stored");
      assert.deepEqual(await keys(storage), ["a", "b", "c"]);
    },
  },
  {
    name: "the last memo is kept with the job, a duplicate's too, one with a lost lease not",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c")]);
      const [a, b, c] = await claim(storage, 3);
      assert.equal((await record(storage)).memo, null);
      await storage.jobs.completePage(a!.lease, succeeded({ memo: "1" }));
      await storage.jobs.completePage(a!.lease, succeeded({ memo: "2" }));
      assert.equal((await record(storage)).memo, "1");
      await storage.jobs.completePage(b!.lease, succeeded({ memo: "3", finalKey: "a" }));
      await storage.jobs.completePage(c!.lease, dropped());
      assert.equal((await record(storage)).memo, "3");
      await close(storage);
      assert.equal((await record(storage)).memo, "3");
      await storage.jobs.eraseResults("job-1");
      assert.equal((await record(storage)).memo, null);
    },
  },
  {
    name: "a page that succeeded takes its final key from one that came to nothing, and keeps it",
    async run(storage) {
      const names = ["failed", "dropped", "retried", "repeated", "leased", "a", "b", "c", "d", "e", "f", "g"];
      const pages = names.map((key) => newPage(key, key === "repeated" ? { repeats: ["https://again"] } : {}));
      await begin(storage, pages);
      const leases = new Map((await claim(storage, 99)).map(({ key, lease }) => [key, lease]));
      const complete = async (key: string, completion: PageCompletion) =>
        (await storage.jobs.completePage(leases.get(key)!, completion)).status;
      await complete("failed", failed("failed"));
      await complete("dropped", dropped());
      for (const key of ["retried", "repeated"]) await storage.jobs.retryPage(leases.get(key)!, start + minute);
      const { openPages } = await record(storage);
      assert.equal(await complete("g", succeeded({ finalKey: "failed", isError: true })), "duplicate");
      assert.equal(await complete("a", succeeded({ finalKey: "failed", document: '"a"' })), "stored");
      assert.equal(await complete("b", succeeded({ finalKey: "dropped", document: '"b"' })), "stored");
      assert.equal(await complete("c", succeeded({ finalKey: "retried", document: '"c"' })), "stored");
      assert.equal((await record(storage)).openPages, openPages - 5);
      for (const finalKey of ["failed", "dropped", "retried", "repeated", "leased"]) {
        assert.equal(await complete("d", succeeded({ finalKey })), finalKey === "failed" ? "duplicate" : "fenced");
      }
      assert.equal(await complete("e", succeeded({ finalKey: "repeated" })), "duplicate");
      assert.equal(await complete("f", succeeded({ finalKey: "leased" })), "duplicate");
      assert.deepEqual(await documents(storage), ['{"failed":"failed"}', '"a"', '"b"', '"c"']);
      const left = await claim(storage, 99, { worker: "worker-2", now: start + minute - 1 });
      assert.deepEqual(left, []);
      await storage.jobs.completePage(leases.get("leased")!, succeeded());
      const [repeated, ...others] = await claim(storage, 99, { now: start + minute });
      assert.deepEqual([repeated?.key, others], ["repeated", []]);
      await storage.jobs.completePage(repeated!.lease, succeeded());
      const job = await record(storage);
      assert.deepEqual([job.listed, job.succeeded, job.open, job.openPages], [7, 6, 0, 0]);
    },
  },
  {
    name: "a final key goes from one that failed to one that succeeded, and to no third",
    async run(storage) {
      await begin(storage, newPages(4));
      const leases = (await claim(storage, 4)).map(({ lease }) => lease);
      const statuses = [];
      for (const [index, completion] of [failed("f"), succeeded(), succeeded(), failed("g")].entries()) {
        const ended = await storage.jobs.completePage(leases[index]!, { ...completion, finalKey: "home" });
        statuses.push(ended.status);
      }
      assert.deepEqual(statuses, ["stored", "stored", "duplicate", "duplicate"]);
      assert.equal((await documents(storage)).length, 2);
    },
  },
  {
    name: "no key is taken from a page that is still to be tried, and none by a page that failed",
    async run(storage) {
      await begin(storage, [newPage("failed"), newPage("a"), newPage("b"), newPage("queued")]);
      const [first, a, b] = (await claim(storage, 3)).map(({ lease }) => lease);
      await storage.jobs.completePage(first!, failed("failed"));
      assert.equal((await storage.jobs.completePage(a!, failed("a", { finalKey: "failed" }))).status, "duplicate");
      assert.equal((await storage.jobs.completePage(b!, succeeded({ finalKey: "queued" }))).status, "duplicate");
      assert.deepEqual(
        (await claim(storage, 9)).map(({ key }) => key),
        ["queued"],
      );
      assert.deepEqual(await documents(storage), ['{"failed":"failed"}']);
    },
  },
  {
    name: "of two that lead to each other the second is stored, also when both are completed at once",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c"), newPage("d")]);
      const [a, b, c, d] = await claim(storage, 4);
      // Of calls at the same time, any may come first.
      const [one, other, failing, following] = await Promise.all([
        storage.jobs.completePage(a!.lease, succeeded({ finalKey: "b" })),
        storage.jobs.completePage(b!.lease, succeeded({ finalKey: "a" })),
        storage.jobs.completePage(c!.lease, failed("c")),
        storage.jobs.completePage(d!.lease, succeeded({ finalKey: "c" })),
      ]);
      assert.deepEqual([one.status, other.status].sort(), ["duplicate", "stored"]);
      assert.equal(failing.status, "stored");
      assert.equal((await documents(storage)).length, following.status === "stored" ? 3 : 2);
    },
  },
  {
    name: "two pages that lead to the same third: one is stored, the other a duplicate",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b")]);
      const pages = await claim(storage, 2);
      const results = await Promise.all(
        pages.map((page) => storage.jobs.completePage(page.lease, succeeded({ finalKey: "home" }))),
      );
      assert.deepEqual(results.map((result) => result.status).sort(), ["duplicate", "stored"]);
      assert.equal((await documents(storage)).length, 1);
    },
  },
  {
    name: "concurrent completions are each counted once",
    async run(storage) {
      await begin(storage, newPages(40));
      const pages = await claim(storage, 40);
      const results = await Promise.all(
        pages.map((page, index) =>
          storage.jobs.completePage(
            page.lease,
            succeeded({
              document: JSON.stringify(index),
              discovered: [newPage(`example.com/found-${index % 10}`)],
              charge: newCharge(`charge-${index}`),
            }),
          ),
        ),
      );
      assert.ok(results.every((result) => result.status === "stored"));
      const job = await record(storage);
      assert.deepEqual([job.listed, job.openPages, job.creditsUsed], [40, 10, 40]);
      assert.equal(new Set(await documents(storage)).size, 40);
      // The completion that came last saw the final number.
      assert.equal(Math.min(...results.map((result) => result.openPages)), 10);
    },
  },
  {
    name: "a charge whose id is known books nothing, and the page is stored all the same",
    async run(storage) {
      await begin(storage, newPages(2));
      await storage.jobs.completePage(await claimOne(storage), succeeded({ charge: newCharge("same") }));
      const again = succeeded({ charge: newCharge("same", { credits: 50 }) });
      assert.equal((await storage.jobs.completePage(await claimOne(storage), again)).status, "stored");
      const job = await record(storage);
      assert.deepEqual([job.creditsUsed, job.listed], [1, 2]);
    },
  },
  {
    name: "a page may bring a charge for another job, and pages completed at the same time lose nothing by it",
    async run(storage) {
      await begin(storage, [], { id: "job-2" });
      await begin(storage, newPages(3));
      const pages = await claim(storage, 3);
      await Promise.all(
        pages.map(({ lease }, index) =>
          storage.jobs.completePage(lease, dropped({ charge: newCharge(`charge-${index}`, { jobId: "job-2" }) })),
        ),
      );
      const [job, other] = [await record(storage), await record(storage, "job-2")];
      assert.deepEqual([job.openPages, job.creditsUsed, other.creditsUsed], [0, 0, 3]);
    },
  },
  {
    name: "a job is closed only when no page is open and it is not expanding",
    async run(storage) {
      await begin(storage, newPages(3), { expanding: true, limit: 2 });
      assert.equal(await close(storage, { outbox: [newItem("early")], charge: newCharge("early") }), false);
      assert.equal((await record(storage)).creditsUsed, 0);
      const [a, b] = await claim(storage, 2);
      await storage.jobs.completePage(a!.lease, succeeded());
      assert.equal(await close(storage, { outbox: [newItem("early")] }), false);
      await storage.jobs.completePage(b!.lease, succeeded());
      assert.equal(await close(storage, { outbox: [newItem("early")] }), false);
      await storage.jobs.finishExpansion("job-1");
      assert.equal(await close(storage, { outbox: [newItem("completed")] }), true);
      assert.deepEqual(ids(await take(storage)), [["completed"]]);
    },
  },
  {
    name: "closing writes state, times, result, error, charge and items, once",
    async run(storage) {
      await begin(storage, [], { kind: "extract" });
      const closing = {
        state: "failed",
        finishedAt: start + 1,
        expiresAt: start + minute,
        result: '{"data":{}}',
        error: "The model did not answer.",
        charge: newCharge("extract-1", { tokens: 900, credits: 0 }),
      } as const;
      const ends = await Promise.all(
        [1, 2, 3].map((n) => close(storage, { ...closing, outbox: [newItem(`end-${n}`)] })),
      );
      assert.deepEqual(ends.filter((ended) => ended).length, 1);
      const job = await record(storage);
      assert.deepEqual(
        [job.state, job.finishedAt, job.expiresAt, job.result, job.error, job.tokensUsed],
        ["failed", start + 1, start + minute, '{"data":{}}', "The model did not answer.", 900],
      );
      assert.equal((await take(storage))[0]?.items.length, 1);
      assert.deepEqual(await storage.jobs.listOpenJobs({ now: start }), []);
      assert.equal(await cancel(storage, { outbox: [newItem("cancelled")] }), false);
    },
  },
  {
    name: "cancelling drops what is open, keeps what is done, and happens once",
    async run(storage) {
      await begin(storage, newPages(5), { expanding: true });
      await storage.jobs.completePage(await claimOne(storage), succeeded({ document: '"done"' }));
      await claim(storage, 1);
      const ends = await Promise.all(
        [1, 2].map((n) =>
          cancel(storage, { finishedAt: start + 1, expiresAt: start + minute, outbox: [newItem(`cancel-${n}`)] }),
        ),
      );
      assert.deepEqual([...ends].sort(), [false, true]);
      const job = await record(storage);
      assert.deepEqual(
        [job.state, job.finishedAt, job.expiresAt, job.listed, job.open, job.openPages, job.expanding],
        ["cancelled", start + 1, start + minute, 1, 0, 0, false],
      );
      assert.deepEqual(await documents(storage), ['"done"']);
      assert.equal((await take(storage))[0]?.items.length, 1);
      assert.equal(await close(storage), false);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), []);
    },
  },
  {
    name: "a left-out URL has the first reason met, but queued pages beyond the limit that of the limit once the job has ended",
    async run(storage) {
      await begin(storage, [newPage("a"), newPage("b"), newPage("c")], { limit: 1 });
      const first = [
        { url: "https://x", reason: "robots" },
        { url: "https://x", reason: "maxDepth" },
      ];
      await storage.jobs.admitPages("job-1", { pages: [], leftOut: first, duplicates: "ignore" });
      await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({
          leftOut: [
            { url: "https://x", reason: "excludePaths" },
            { url: "https://y", reason: "excludePaths" },
            { url: "https://c", reason: "external" },
          ],
        }),
      );
      const met = [
        { url: "https://c", reason: "external" },
        { url: "https://x", reason: "robots" },
        { url: "https://y", reason: "excludePaths" },
      ];
      const listed = async () => (await storage.jobs.listLeftOut("job-1")).toSorted((a, b) => (a.url < b.url ? -1 : 1));
      assert.deepEqual(await listed(), met);
      assert.equal(await close(storage), true);
      const [, x, y] = met;
      const beyond = ["https://b", "https://c"].map((url) => ({ url, reason: "LIMIT" }));
      assert.deepEqual(await listed(), [...beyond, x, y]);
    },
  },
  {
    name: "a page that was to be tried again when the limit was reached is left out because of it",
    async run(storage) {
      await begin(storage, newPages(2), { limit: 1 });
      await storage.jobs.retryPage(await claimOne(storage), start + minute);
      await storage.jobs.completePage(await claimOne(storage), succeeded());
      assert.equal(await close(storage), true);
      const leftOut = [{ url: "https://example.com/page-0", reason: "LIMIT" }];
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), leftOut);
    },
  },
  {
    name: "what a dropped page leaves out has the reason of that page, whatever was found before or is found later",
    async run(storage) {
      await begin(storage, newPages(3));
      const found = (reason: string) => ({ leftOut: [{ url: "https://x", reason }] });
      await storage.jobs.completePage(await claimOne(storage), succeeded(found("maxDepth")));
      await storage.jobs.completePage(await claimOne(storage), dropped(found("robots")));
      await storage.jobs.completePage(await claimOne(storage), succeeded(found("external")));
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), [{ url: "https://x", reason: "robots" }]);
    },
  },
  {
    name: "erasing an ended job leaves its counters and nothing else",
    async run(storage) {
      await begin(storage, newPages(4), { limit: 2, zeroDataRetention: true });
      await storage.jobs.completePage(
        await claimOne(storage),
        succeeded({
          document: '"first"',
          charge: newCharge("one"),
          outbox: [newItem("event", { withDocument: true })],
          leftOut: [{ url: "https://left", reason: "robots" }],
        }),
      );
      await storage.jobs.eraseResults("job-1");
      assert.equal((await documents(storage)).length, 1);
      await storage.jobs.completePage(await claimOne(storage), failed("f"));
      await close(storage, { result: '"result"', error: "https://example.com/" });
      const before = await record(storage);
      await storage.jobs.eraseResults("job-1");
      await storage.jobs.eraseResults("job-1");
      assert.deepEqual(await record(storage), { ...before, request: "{}", result: null, error: null });
      assert.deepEqual([before.listed, before.succeeded, before.open, before.creditsUsed], [2, 1, 0, 1]);
      assert.deepEqual(await documents(storage), []);
      assert.deepEqual(await storage.jobs.listFailures("job-1"), []);
      assert.deepEqual(await storage.jobs.listLeftOut("job-1"), []);
      assert.deepEqual(await keys(storage), []);
      assert.equal((await take(storage))[0]?.items[0]?.document, '"first"');
      assert.deepEqual(await storage.sweep(never), { removedJobs: 1, nextExpiry: null });
    },
  },
  {
    name: "results can be read from any place, up to a number, and their places never change",
    async run(storage) {
      await begin(storage, newPages(6));
      const pages = await claim(storage, 6);
      const order = [3, 0, 5, 1];
      const range = { limit: 100, maxBytes: 1000 };
      const seen: string[] = [];
      for (const index of order) {
        await storage.jobs.completePage(pages[index]!.lease, succeeded({ document: String(index) }));
        const read = await storage.jobs.readResults("job-1", { ...range, skip: seen.length });
        seen.push(...read.results.map(({ document }) => document));
      }
      assert.deepEqual(seen, order.map(String));
      assert.deepEqual(await documents(storage), seen);
      assert.deepEqual(await storage.jobs.readResults("job-1", { ...range, skip: 1, limit: 2 }), {
        results: [
          { document: "0", url: null },
          { document: "5", url: null },
        ],
      });
      for (const skip of [4, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        assert.deepEqual(await storage.jobs.readResults("job-1", { ...range, skip }), { results: [] });
      }
      assert.deepEqual(await storage.jobs.readResults("job-1", { ...range, skip: 0, limit: 0 }), { results: [] });
    },
  },
  {
    name: "results stop before a number of UTF-8 bytes, with one document at least",
    async run(storage) {
      await begin(storage, newPages(3));
      // 2 quotes and 3 characters of 3 bytes each: 11 bytes, 5 code units.
      for (const document of ['"€€€"', '"€€€"', '"€€€"']) {
        await storage.jobs.completePage(await claimOne(storage), succeeded({ document }));
      }
      const lengths = await Promise.all(
        [1, 11, 21, 22, 32, 33].map(async (maxBytes) => {
          const range = { skip: 0, limit: 10, maxBytes };
          return (await storage.jobs.readResults("job-1", range)).results.length;
        }),
      );
      assert.deepEqual(lengths, [1, 1, 1, 2, 2, 3]);
    },
  },
];
