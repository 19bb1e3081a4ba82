/** Leases that nobody knows of, since the answer to the claim was lost, are not kept alive. */
import { expect, test } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("only leases of claims that were answered are renewed", async () => {
  const answered = Promise.withResolvers<string>();
  const { url } = await site({ "*": () => answered.promise });
  const storage = memoryStorage();
  const holders: string[] = [];
  const renewed = new Set<string>();
  const engine = engineFor({
    storage: {
      ...storage,
      jobs: {
        ...storage.jobs,
        async claimPages(jobId, claim) {
          const pages = await storage.jobs.claimPages(jobId, claim);
          holders.push(claim.worker);
          if (holders.length === 1) throw new Error("connection lost after the commit");
          return pages;
        },
        renewLeases(worker, leaseUntil) {
          renewed.add(worker);
          return storage.jobs.renewLeases(worker, leaseUntil);
        },
      },
    },
  });
  const lost = await engine.batchScrape({ urls: [url] });
  await expect.poll(() => holders.length).toBeGreaterThan(0);
  await engine.batchScrape({ urls: [url] });
  await expect.poll(() => renewed.size, { timeout: 8000 }).toBeGreaterThan(0);
  expect(renewed).not.toContain(holders[0]);
  expect(holders).toEqual(expect.arrayContaining([...renewed]));
  answered.resolve(page("late"));
  // It is there, and free once its lease has run out.
  expect(await engine.getBatchScrapeStatus(lost.id)).toMatchObject({ status: "scraping", total: 1 });
}, 15_000);
