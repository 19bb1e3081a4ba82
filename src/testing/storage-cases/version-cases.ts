/** Cases about page versions, which are skipped for a storage without versions. */

import assert from "node:assert/strict";
import type { NewPageVersion } from "../../ports/page-versions.ts";
import type { Storage } from "../../ports/storage.ts";
import {
  begin,
  claimOne,
  dropped,
  failed,
  never,
  newPages,
  type StorageCase,
  start,
  succeeded,
} from "./storage-case.ts";

const version: NewPageVersion = {
  team: "team-a",
  key: "example.com/a",
  tag: null,
  url: "https://example.com/a",
  scrapedAt: start,
  markdown: " # One\n\nmörgen 👋 \n",
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
    assert.deepEqual(await versions.listUnseen({ ...query, tag: "t" }), ["https://example.com/tagged"]);
    assert.deepEqual(await versions.listUnseen({ ...query, team: "team-c" }), []);
  }),
  versionCase("versions go when they expire, and the sweep says when that is", async (versions, storage) => {
    await versions.put({ ...version, key: "later", expiresAt: start + 2000, metIn: crawl("one") });
    await versions.put({ ...version, metIn: crawl("one") });
    assert.equal((await storage.sweep(start + 999)).nextExpiry, start + 1000);
    assert.notEqual(await versions.getLast(version), null);
    assert.deepEqual(await storage.sweep(start + 1000), { removedJobs: 0, nextExpiry: start + 2000 });
    assert.equal(await versions.getLast(version), null);
    assert.notEqual(await versions.getLast({ ...version, key: "later" }), null);
    const query = { team: "team-a", tag: null, site: "example.com/", jobId: "two", limit: 10 };
    assert.equal((await versions.listUnseen(query)).length, 1);
    assert.deepEqual(await storage.sweep(start + 2000), { removedJobs: 0, nextExpiry: null });
    // Who met the page before it was forgotten is forgotten, too.
    for (const key of ["later", version.key]) await versions.put({ ...version, key });
    assert.deepEqual(await versions.listUnseen(query), []);
  }),
  versionCase(
    "a version is written with its page and the crawl that met it, to the letter; not with a duplicate",
    async (versions, storage) => {
      await begin(storage, newPages(3));
      const [first, second, third] = [await claimOne(storage), await claimOne(storage), await claimOne(storage)];
      const markdown = " # One\r\n\n end \n";
      const met = { ...version, markdown, metIn: crawl("job-1") };
      await storage.jobs.completePage(second, succeeded({ version: met, finalKey: "example.com/page-0" }));
      assert.equal(await versions.getLast(version), null);
      await storage.jobs.completePage(first, succeeded({ version: met }));
      assert.equal((await versions.getLast(version))?.markdown, markdown);
      const query = { team: "team-a", tag: null, site: "example.com/", jobId: "job-2", limit: 10 };
      assert.deepEqual(await versions.listUnseen(query), [version.url]);
      await storage.jobs.completePage(third, failed("f", { version: { ...met, markdown: "", isGone: true } }));
      assert.deepEqual(await versions.listUnseen(query), []);
    },
  ),
  versionCase(
    "a version is written with its page, to expire in its time, and not with a lost lease or a dropped page",
    async (versions, storage) => {
      await begin(storage, newPages(2));
      const [first, second] = [await claimOne(storage), await claimOne(storage)];
      await storage.jobs.completePage({ ...first, token: first.token + 1 }, succeeded({ version }));
      await storage.jobs.completePage(second, dropped({ version }));
      assert.equal(await versions.getLast(version), null);
      await storage.jobs.completePage(first, succeeded({ version }));
      assert.equal((await versions.getLast(version))?.markdown, version.markdown);
      assert.equal((await storage.sweep(version.expiresAt)).nextExpiry, never);
      assert.equal(await versions.getLast(version), null);
    },
  ),
];
