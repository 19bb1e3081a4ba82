/** A database that ends connections while they are used: the process lives on, and the job is finished. */

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { startAdministered } from "./postgres-server.ts";
import { engineFor, page, site } from "./start-engine.ts";

let server: Awaited<ReturnType<typeof startAdministered>>;

beforeAll(async () => {
  server = await startAdministered();
});

afterAll(async () => {
  await server?.stop();
});

const others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

/** Ends sessions, idle in a transaction the one time, any the other, until the signal fires; says how many. */
async function endSessions(signal: AbortSignal): Promise<number> {
  let ended = 0;
  for (let round = 0; !signal.aborted && ended < 20; round += 1) {
    const some = round % 2 === 0 ? "AND state = 'idle in transaction'" : "LIMIT 1";
    const { rows } = await server.administrator.query(`SELECT pg_terminate_backend(pid) AS done ${others} ${some}`);
    ended += rows.filter(({ done }) => done === true).length;
    await delay(20);
  }
  return ended;
}

// An event of a lost connection that nobody hears would end the process, and so this run.
test("sessions that are ended in the middle of a crawl cost nothing but time", async () => {
  const links = Array.from({ length: 60 }, (_, number) => `/p${number}`);
  const { url } = await site({ "/": page("home", links), "*": ({ url }) => page(url.pathname) });
  const engine = engineFor({
    storage: postgresStorage({ connectionString: server.connectionString, schema: "ended" }),
  });
  const { id } = await engine.crawl({ url, limit: 61 });
  const stop = new AbortController();
  const ending = endSessions(stop.signal);
  await expect
    .poll(
      () =>
        engine.getCrawlStatus(id).then(
          ({ status }) => status,
          () => "unknown",
        ),
      { timeout: 50_000, interval: 100 },
    )
    .toBe("completed");
  stop.abort();
  expect(await ending).toBeGreaterThan(0);
  const { data, ...status } = await engine.getCrawlStatus(id);
  expect(status).toMatchObject({ total: 61, completed: 61, creditsUsed: 61, next: null });
  expect(new Set(data.map(({ metadata }) => metadata.sourceURL)).size).toBe(61);
}, 60_000);
