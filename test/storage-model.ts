/** Compares two storages over random calls. */

import { expect } from "vitest";
import type { NewPage, PageCompletion, PageLease } from "../src/ports/job-store.ts";
import type { OutboxItem } from "../src/ports/outbox.ts";
import type { Storage } from "../src/ports/storage.ts";
import { randomNumbers } from "./random-numbers.ts";

const steps = 250;

/** Asks both storages the same at random, the same for the same seed, and expects the same answers of the second. */
export async function compareStorages(seed: number, reference: Storage, tested: Storage): Promise<void> {
  const storages = [reference, tested];
  const { next, chance, pick } = randomNumbers(seed);
  /** Of the same page in each storage. */
  const leases: PageLease[][] = [];
  const takenLanes: { lane: string; worker: string; ids: string[] }[] = [];
  const jobIds = ["job-a", "job-b", "job-c"];
  const workers = ["worker-1", "worker-2"];
  let now = 1_000_000;
  let count = 0;

  /** Asks each storage the same and expects the same answer. */
  async function ask<T>(question: (storage: Storage, index: number) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    for (const [index, storage] of storages.entries()) answers.push(await question(storage, index));
    return answers;
  }
  async function same<T>(question: (storage: Storage, index: number) => Promise<T>): Promise<T> {
    const [memory, sqlite] = await ask(question);
    expect(sqlite).toEqual(memory);
    return memory as T;
  }

  const newRepeats = (): string[] => Array.from({ length: next(3) }, () => `https://repeat-${next(5)}`);
  const newPages = (): NewPage[] =>
    Array.from({ length: next(6) }, () => {
      const key = `page-${next(25)}`;
      return { key, url: `https://${key}`, depth: next(3), ...(chance(20) ? { repeats: newRepeats() } : {}) };
    });
  // One lane, because of lanes that are made together any may come first.
  const newItems = (jobId: string, lane = `${jobId} ${next(2)}`): OutboxItem[] =>
    Array.from({ length: next(3) }, () => {
      count += 1;
      return {
        id: `item-${count}`,
        team: pick(["team-a", "team-b"]),
        jobId,
        target: "webhook",
        lane,
        payload: `${count}`,
        withDocument: chance(50),
        // Unique, so that no two lanes are due at the same moment.
        createdAt: now - 500 + count / 1000,
      };
    }).map((item) => ({ ...item, createdAt: now - 5000 + count++ }));
  const newCharge = (jobId: string) => ({
    id: `charge-${next(400)}`,
    team: pick(["team-a", "team-b"]),
    apiKey: pick(["key-1", "key-2", null]),
    jobId,
    kind: "crawl" as const,
    credits: 1 + next(5),
    tokens: next(100),
    at: now + next(5) * 86_400_000 * 20,
  });
  const newLeftOut = () =>
    Array.from({ length: next(3) }, () => ({
      url: `https://page-${next(40)}`,
      reason: pick(["robots", "external"]),
    }));
  const newCompletion = (jobId: string, lane: string): PageCompletion => {
    const outcome = pick(["succeeded", "succeeded", "failed", "dropped"] as const);
    return {
      outcome,
      completedAt: now,
      ...(outcome === "dropped" ? {} : { document: JSON.stringify({ text: "ä".repeat(next(50)), count: count++ }) }),
      ...(chance(30) ? { finalKey: `page-${next(40)}` } : {}),
      ...(outcome === "failed"
        ? { failure: { id: `f${count++}`, url: "https://f", code: "UNKNOWN_ERROR", error: "No." } }
        : {}),
      ...(chance(20) ? { memo: `memo ${count++}` } : {}),
      discovered: newPages(),
      leftOut: newLeftOut(),
      ...(chance(70) ? { charge: newCharge(jobId) } : {}),
      outbox: newItems(jobId, lane),
    };
  };
  const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1);

  const calls: Record<string, () => Promise<unknown>> = {
    async create() {
      const id = pick(jobIds);
      const job = {
        id,
        team: pick(["team-a", "team-b"]),
        apiKey: null,
        kind: "crawl" as const,
        request: "{}",
        limit: 1 + next(30),
        zeroDataRetention: false,
        createdAt: now + count++,
        expiresAt: now + 200_000,
        expanding: chance(30),
      };
      const pages = newPages();
      const items = newItems(id);
      await same((storage) => storage.jobs.createJob(job, pages, items));
    },
    async admit() {
      const admission = {
        pages: newPages(),
        leftOut: newLeftOut(),
        duplicates: pick(["ignore", "repeat"] as const),
        ...(chance(30) ? { reopen: true } : {}),
        ...(chance(30) ? { expiresAt: now + 100_000 + next(100_000) } : {}),
      };
      const id = pick(jobIds);
      await same((storage) => storage.jobs.admitPages(id, admission));
    },
    async finishExpansion() {
      const id = pick(jobIds);
      await same((storage) => storage.jobs.finishExpansion(id));
    },
    async claim() {
      const id = pick(jobIds);
      const depth = chance(30) ? { maxDepth: next(3) } : {};
      const request = { worker: pick(workers), count: next(4), now, leaseUntil: now + next(3000), ...depth };
      const claims = await ask((storage) => storage.jobs.claimPages(id, request));
      const shown = claims.map((pages) => pages.map((page) => ({ ...page, lease: page.lease.token })));
      expect(shown[1]).toEqual(shown[0]);
      claims[0]?.forEach((_, index) => {
        leases.push(claims.map((pages) => pages[index]?.lease as PageLease));
      });
    },
    leastDepth() {
      const id = pick(jobIds);
      return same((storage) => storage.jobs.leastDepth(id));
    },
    async renew() {
      const worker = pick(workers);
      await same((storage) => storage.jobs.renewLeases(worker, now + 2000));
    },
    async release() {
      const worker = pick(workers);
      const hasDied = chance(50);
      await same((storage) => storage.jobs.releaseLeases(worker, hasDied));
    },
    async retry() {
      if (leases.length === 0) return;
      const lease = pick(leases);
      const notBefore = now + next(3000);
      await same((storage, index) => storage.jobs.retryPage(lease[index] as PageLease, notBefore));
    },
    async complete() {
      if (leases.length === 0) return;
      const first = chance(80) ? (leases.pop() as PageLease[]) : pick(leases);
      const jobId = first[0]?.jobId as string;
      // Some at once, of the same job: a storage may write them together.
      const others = leases.filter(([lease]) => lease?.jobId === jobId).slice(0, chance(50) ? next(5) : 0);
      const lane = `${jobId} ${next(2)}`;
      const completed = [first, ...others].map((lease) => ({ lease, completion: newCompletion(jobId, lane) }));
      await same(async (storage, index) => {
        const ends = await Promise.all(
          completed.map(({ lease, completion }) => storage.jobs.completePage(lease[index] as PageLease, completion)),
        );
        // The others may count as completed by then, or not.
        return ends.length === 1 ? ends : ends.map(({ status, position }) => ({ status, position }));
      });
    },
    async close() {
      const id = pick(jobIds);
      const closing = {
        state: pick(["completed", "failed"] as const),
        finishedAt: now,
        expiresAt: now + next(50_000),
        outbox: newItems(id),
      };
      await same((storage) => storage.jobs.closeJob(id, closing));
    },
    async cancel() {
      if (chance(70)) return;
      const id = pick(jobIds);
      const cancellation = { finishedAt: now, expiresAt: now + next(50_000), outbox: newItems(id) };
      await same((storage) => storage.jobs.cancelJob(id, cancellation));
    },
    async erase() {
      if (chance(70)) return;
      const id = pick(jobIds);
      await same((storage) => storage.jobs.eraseResults(id));
    },
    sweep: () => same((storage) => storage.sweep(now)),
    charge() {
      const charge = newCharge(pick(jobIds));
      return same((storage) => storage.ledger.charge(charge));
    },
    async take() {
      const request = {
        worker: pick(workers),
        now,
        leaseUntil: now + 1 + next(3000),
        lanes: 1 + next(3),
        batch: 1 + next(4),
      };
      const lanes = await same((storage) =>
        storage.outbox.take(request).then((taken) => taken.map(({ lane, items }) => ({ lane, items: [...items] }))),
      );
      for (const { lane, items } of lanes)
        takenLanes.push({ lane, worker: request.worker, ids: items.map((item) => item.id) });
    },
    async settle() {
      const taken = chance(80) ? takenLanes.pop() : takenLanes[0];
      if (taken === undefined) return;
      const delivered = taken.ids.slice(0, next(taken.ids.length + 1));
      const id = taken.ids[delivered.length];
      const retryAt = chance(50) ? now + count++ : null;
      const failed = id === undefined || chance(30) ? {} : { failed: { id, at: now + count++, retryAt, error: "503" } };
      await same((storage) => storage.outbox.settle(taken, { at: now, delivered, ...failed }));
    },
    async redeliver() {
      const team = pick(["team-a", "team-b"]);
      const listed = await same((storage) => storage.outbox.listFailed({ team }));
      const item = listed.length === 0 ? "none" : pick(listed).id;
      await same((storage) => storage.outbox.redeliver(item, team));
    },
    async cache() {
      const entry = { team: pick(["team-a", "team-b"]), key: `key-${next(5)}` };
      const body = new Uint8Array(next(9)).fill(next(256));
      if (chance(50)) await same((storage) => storage.cache.put({ ...entry, storedAt: now, head: "{}", body }));
      await same((storage) => storage.cache.get(entry).then((page) => page && { ...page, body: [...page.body] }));
    },
    async wait() {
      now += next(2000);
    },
  };

  async function compareAll(): Promise<void> {
    await same((storage) => storage.jobs.listOpenJobs({ now }));
    await same((storage) => storage.jobs.listExpiredJobs(now).then((jobs) => jobs.map(({ id }) => id).sort()));
    await same((storage) => storage.jobs.listLeaseHolders().then((holders) => holders.toSorted()));
    await same((storage) => storage.outbox.nextDue());
    for (const id of jobIds) {
      await same((storage) => storage.jobs.getJob(id, now));
      const range = { skip: next(5), limit: next(20), maxBytes: next(500) };
      await same((storage) => storage.jobs.readResults(id, range));
      await same((storage) => storage.jobs.listFailures(id));
      await same((storage) => storage.jobs.listLeftOut(id).then((list) => list.toSorted(byUrl)));
      await same((storage) => allKeys(storage, id));
    }
    for (const team of ["team-a", "team-b"]) {
      await same((storage) => storage.ledger.usage({ team, byApiKey: true }));
      await same((storage) => storage.ledger.usage({ team, byApiKey: false }));
      await same((storage) =>
        storage.outbox.listFailed({ team, jobId: pick(jobIds) }).then((list) => list.length >= 0),
      );
    }
  }

  const names = Object.keys(calls).flatMap((name) =>
    Array.from(
      {
        length:
          ({ create: 2, claim: 6, complete: 8, admit: 2, take: 3, settle: 3, wait: 3 } as Record<string, number>)[
            name
          ] ?? 1,
      },
      () => name,
    ),
  );
  for (let step = 0; step < steps; step += 1) {
    await calls[pick(names)]?.();
    if (step % 10 === 0) await compareAll();
  }
  await compareAll();
  for (const storage of storages) await storage.close();
}

async function allKeys(storage: Storage, jobId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const chunk of storage.jobs.listKeys(jobId)) keys.push(...chunk);
  return keys;
}
