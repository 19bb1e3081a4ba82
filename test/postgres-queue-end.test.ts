/** A queue on pg-boss ends with the engines that use it: nothing of it holds their process. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pgBossQueue } from "../src/drivers/postgres/index.ts";
import { createEngine } from "../src/index.ts";
import { startAdministered } from "./postgres-server.ts";
import { page, site } from "./start-engine.ts";

let server: Awaited<ReturnType<typeof startAdministered>>;

beforeAll(async () => {
  server = await startAdministered();
});

afterAll(async () => {
  await server?.stop();
});

async function connectionsOfQueue(): Promise<number> {
  const { rows } = await server.administrator.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pgboss'",
  );
  return rows[0].count;
}

/** Until the transaction ends. pg-boss tidies its tables meanwhile: if the two block each other, one of them has to go. */
async function lock(table: string): Promise<void> {
  const { administrator } = server;
  try {
    await administrator.query(`BEGIN; LOCK TABLE ${table}`);
  } catch (error) {
    await administrator.query("ROLLBACK");
    if ((error as { code?: string }).code !== "40P01") throw error;
    await lock(table);
  }
}

const network = { allowHosts: ["127.0.0.1"] };

test("with the last of the engines that share it; one that comes later begins anew", async () => {
  const { url } = await site({ "/": page("home") });
  const queue = pgBossQueue({ connectionString: server.connectionString });
  const engines = [createEngine({ queue, network }), createEngine({ queue, network })] as const;
  await Promise.all(engines.map((engine) => engine.resume()));
  await engines[0].close();
  // Its own storage in memory: only this one can do the work.
  const job = await engines[1].crawl({ url });
  expect((await job.wait()).status).toBe("completed");
  await engines[1].close();
  await vi.waitFor(async () => expect(await connectionsOfQueue()).toBe(0), { timeout: 3000 });

  const later = createEngine({ queue, network });
  expect((await (await later.crawl({ url })).wait()).status).toBe("completed");
  await later.close();
  await queue.close();
});

test("soon after the last task of an engine that only accepts jobs", async () => {
  const { url } = await site({ "/": page("home") });
  const queue = pgBossQueue({ connectionString: server.connectionString, schema: "accepted" });
  const engine = createEngine({ queue, network, work: false });
  await engine.crawl({ url });
  await engine.close();
  await vi.waitFor(async () => expect(await connectionsOfQueue()).toBe(0), { timeout: 20_000, interval: 200 });
  await queue.close();
});

test("a task that the database hands out after the signal is left to the next consumer", async () => {
  const { administrator } = server;
  const queue = pgBossQueue({ connectionString: server.connectionString, schema: "late", pollEveryMs: 20 });
  const task = { jobId: "job", team: "team" };
  await queue.push(task);
  const stop = new AbortController();
  const begun: unknown[] = [];
  await lock("late.job");
  const consuming = queue.consume(async () => void begun.push("after the signal"), stop.signal);
  const asks = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pgboss' AND wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await administrator.query(asks)).rows).not.toEqual([]), { timeout: 20_000 });
  stop.abort();
  await administrator.query("COMMIT");
  await consuming;
  expect(begun).toEqual([]);
  const next = new AbortController();
  await queue.consume(async (delivered) => {
    begun.push(delivered);
    next.abort();
  }, next.signal);
  expect(begun).toEqual([task]);
  await queue.close();
});

test("a task that comes again while it is at work is waited for, too", async () => {
  const queue = pgBossQueue({ connectionString: server.connectionString, schema: "again", pollEveryMs: 20 });
  await queue.push({ jobId: "job", team: "team" });
  const stop = new AbortController();
  const works: (() => void)[] = [];
  let ended = 0;
  const consuming = queue.consume(async () => {
    await new Promise<void>((resolve) => works.push(resolve));
    ended += 1;
  }, stop.signal);
  await vi.waitFor(() => expect(works).toHaveLength(1), { timeout: 20_000 });
  // As pg-boss does when no heartbeat has come for long.
  await server.administrator.query("UPDATE again.job SET state = 'retry', start_after = now() - interval '1 minute'");
  await vi.waitFor(() => expect(works).toHaveLength(2), { timeout: 20_000 });
  works[0]?.();
  const state = async () => (await server.administrator.query("SELECT state FROM again.job")).rows[0]?.state;
  await vi.waitFor(async () => expect(await state()).toBe("completed"), { timeout: 20_000 });
  stop.abort();
  setTimeout(() => works[1]?.(), 500);
  await consuming;
  expect(ended).toBe(2);
  await queue.close();
});
