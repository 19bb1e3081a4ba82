/** A task on pg-boss whose consumer has died goes to another one, without anybody calling `resume()`. */

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { pgBossQueue } from "../src/drivers/postgres/index.ts";
import { startAdministered } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startAdministered>>;

beforeAll(async () => {
  server = await startAdministered();
});

afterAll(async () => {
  await server?.stop();
});

test("within half a minute after the last sign of life", async () => {
  const queue = pgBossQueue({ connectionString: server.connectionString });
  const task = { jobId: "job", team: "team" };
  await queue.push(task);
  // What the table shows of a process that took the task and died twenty seconds ago.
  const { rowCount } = await server.administrator.query(
    `UPDATE crawlcore_queue.job SET state = 'active', started_on = now() - interval '30 seconds',
      heartbeat_on = now() - interval '21 seconds' WHERE name = 'crawlcore'`,
  );
  expect(rowCount).toBe(1);
  const stop = new AbortController();
  const arrived = vi.fn(async () => {});
  const consuming = queue.consume(arrived, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await consuming;
    await queue.close();
  });
  await vi.waitFor(() => expect(arrived).toHaveBeenCalledWith(task), { timeout: 20_000, interval: 100 });
});
