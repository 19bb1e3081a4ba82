/** Cases about page versions; a storage without them is not asked. */

import assert from "node:assert/strict";
import type { NewPageVersion } from "../../ports/page-versions.ts";
import type { Storage } from "../../ports/storage.ts";
import { type StorageCase, start } from "./storage-case.ts";

const version: NewPageVersion = {
  team: "team-a",
  key: "example.com/a",
  tag: null,
  url: "https://example.com/a",
  scrapedAt: start,
  markdown: "# One\n\nmörgen 👋",
  fingerprint: "f1",
  isGone: false,
  expiresAt: start + 1000,
};

const crawl = (jobId: string) => ({ site: "example.com/", jobId });

function versionCase(
  name: string,
  run: (versions: NonNullable<Storage["versions"]>, storage: Storage) => Promise<void>,
): StorageCase {
  return {
    name,
    async run(storage) {
      if (storage.versions !== undefined) await run(storage.versions, storage);
    },
  };
}

export const versionCases: readonly StorageCase[] = [
  versionCase("the last version of a page comes back as it was", async (versions) => {
    await versions.put(version);
    await versions.put({ ...version, scrapedAt: start + 1, markdown: "", fingerprint: "f2", isGone: true });
    const { scrapedAt, markdown, fingerprint, isGone } = (await versions.getLast(version)) ?? {};
    assert.deepEqual(
      { scrapedAt, markdown, fingerprint, isGone },
      {
        scrapedAt: start + 1,
        markdown: "",
        fingerprint: "f2",
        isGone: true,
      },
    );
    await versions.put(version);
    assert.equal((await versions.getLast(version))?.markdown, version.markdown);
  }),
  versionCase("teams, tags and pages are kept apart, no tag and an empty one too", async (versions) => {
    await versions.put(version);
    for (const other of [{ team: "team-b" }, { tag: "" }, { tag: "t" }, { key: "example.com/b" }]) {
      assert.equal(await versions.getLast({ ...version, ...other }), null);
      await versions.put({ ...version, ...other, markdown: JSON.stringify(other) });
    }
    assert.equal((await versions.getLast(version))?.markdown, version.markdown);
  }),
  versionCase("pages that other crawls of the site met are listed, unless they were gone", async (versions) => {
    const page = (name: string, rest: Partial<NewPageVersion>) =>
      versions.put({ ...version, key: name, url: `https://example.com/${name}`, ...rest });
    await page("both", { metIn: crawl("one") });
    await page("both", { metIn: crawl("two") });
    await page("first", { metIn: crawl("one") });
    await page("scraped-since", { metIn: crawl("one") });
    await page("scraped-since", {});
    await page("gone", { metIn: crawl("one"), isGone: true });
    await page("elsewhere", { metIn: { site: "example.com/docs", jobId: "one" } });
    await page("tagged", { metIn: crawl("one"), tag: "t" });
    await page("of-b", { metIn: crawl("one"), team: "team-b" });
    const query = { team: "team-a", tag: null, site: "example.com/", jobId: "two", limit: 10 };
    assert.deepEqual((await versions.listUnseen(query)).sort(), [
      "https://example.com/first",
      "https://example.com/scraped-since",
    ]);
    assert.equal((await versions.listUnseen({ ...query, limit: 1 })).length, 1);
    assert.deepEqual(await versions.listUnseen({ ...query, team: "team-c" }), []);
  }),
  versionCase("versions go when they expire, and the sweep says when that is", async (versions, storage) => {
    await versions.put({ ...version, metIn: crawl("one") });
    await versions.put({ ...version, key: "later", expiresAt: start + 2000, metIn: crawl("one") });
    assert.equal((await storage.sweep(start + 999)).nextExpiry, start + 1000);
    assert.notEqual(await versions.getLast(version), null);
    assert.deepEqual(await storage.sweep(start + 1000), { removedJobs: 0, nextExpiry: start + 2000 });
    assert.equal(await versions.getLast(version), null);
    assert.notEqual(await versions.getLast({ ...version, key: "later" }), null);
    const query = { team: "team-a", tag: null, site: "example.com/", jobId: "two", limit: 10 };
    assert.equal((await versions.listUnseen(query)).length, 1);
    assert.deepEqual(await storage.sweep(start + 2000), { removedJobs: 0, nextExpiry: null });
  }),
  versionCase("a version is written with its page, and not with a lost lease or a dropped page", async (_, storage) => {
    const { jobs, versions } = storage;
    const pages = ["a", "b"].map((key) => ({ url: `https://example.com/${key}`, key, depth: 0 }));
    const job = { id: "job", team: "team-a", apiKey: null, kind: "crawl", request: "{}", limit: 10 } as const;
    const times = { createdAt: start, expiresAt: start + 10_000 };
    await jobs.createJob({ ...job, ...times, zeroDataRetention: false, expanding: false }, pages, []);
    const claim = { worker: "w", count: 2, now: start, leaseUntil: start + 1000 };
    const [first, second] = await jobs.claimPages("job", claim);
    assert.ok(first !== undefined && second !== undefined);
    const end = { completedAt: start, discovered: [], leftOut: [], outbox: [], version } as const;
    const stale = { ...first.lease, token: first.lease.token + 1 };
    await jobs.completePage(stale, { ...end, outcome: "succeeded", document: "{}" });
    await jobs.completePage(second.lease, { ...end, outcome: "dropped" });
    assert.equal(await versions?.getLast(version), null);
    await jobs.completePage(first.lease, { ...end, outcome: "succeeded", document: "{}" });
    assert.equal((await versions?.getLast(version))?.markdown, version.markdown);
  }),
];
