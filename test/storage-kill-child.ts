/** Works a job in an SQLite file until it is done, or until it is killed: `node storage-kill-child.ts <file> <pages>`. */

import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import type { NewPage } from "../src/ports/job-store.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const total = Number(count);
const worker = `worker-${process.pid}`;
const now = 1_000_000;
const storage = sqliteStorage({ path });
const { jobs } = storage;

function newPage(number: number): NewPage {
  return { url: `https://example.com/${number}`, key: `${number}`, depth: 0 };
}

// A tree: each page leads to two more, and to some that are known.
function found(number: number): NewPage[] {
  return [2 * number + 1, 2 * number + 2, number, number >> 1].filter((page) => page < total).map(newPage);
}

async function work(): Promise<void> {
  for (;;) {
    const pages = await jobs.claimPages("job", { worker, count: 3, now, leaseUntil: now + 1 });
    if (pages.length === 0) {
      const job = await jobs.getJob("job", now);
      if (job === null || job.openPages === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(
      pages.map(({ lease, key }) => {
        const number = Number(key);
        const failed = number % 10 === 3;
        return jobs.completePage(lease, {
          outcome: failed ? "failed" : "succeeded",
          completedAt: now,
          document: JSON.stringify({ key, markdown: "word ".repeat(number % 2000) }),
          ...(failed ? { failure: { id: key, url: key, code: "UNKNOWN_ERROR", error: "No." } } : {}),
          discovered: found(number),
          leftOut: [{ url: `https://elsewhere.com/${number}`, reason: "external" }],
          charge: { id: key, team: "team", apiKey: null, jobId: "job", kind: "crawl", credits: 1, tokens: 2, at: now },
          outbox: [
            {
              id: key,
              team: "team",
              jobId: "job",
              target: "events",
              lane: "job",
              payload: key,
              withDocument: true,
              createdAt: now,
            },
          ],
        });
      }),
    );
  }
}

await jobs.createJob(
  {
    id: "job",
    team: "team",
    apiKey: null,
    kind: "crawl",
    request: "{}",
    limit: total,
    zeroDataRetention: false,
    createdAt: now,
    expiresAt: now * 2,
    expanding: false,
  },
  [newPage(0)],
  [],
);
for (const holder of await jobs.listLeaseHolders()) await jobs.releaseLeases(holder);
process.stdout.write("working\n");
await Promise.all(Array.from({ length: 8 }, work));
const end = { id: "end", team: "team", jobId: "job", target: "events", lane: "job", payload: "end", createdAt: now };
await jobs.closeJob("job", { state: "completed", finishedAt: now, expiresAt: now * 2, outbox: [end] });
await storage.close();
