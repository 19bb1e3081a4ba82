/** A database that ends connections while they are used: the process lives on, and the job is finished. */

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import type { Storage } from "../src/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import { begin, claim, close, newPages, start, succeeded } from "../src/testing/storage-cases/storage-case.ts";
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
});

/** A message of the protocol: its kind, its length and what it says. */
function message(kind: string, said: Buffer): Buffer {
  const head = Buffer.from(`${kind}0000`);
  head.writeInt32BE(4 + said.length, 1);
  return Buffer.concat([head, said]);
}

test("a session that is ended in the moment in which it begins fails the call alone", async ({ onTestFinished }) => {
  const isWelcome = message("R", Buffer.alloc(4));
  const isReady = message("Z", Buffer.from("I"));
  const isEnded = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));
  // In one piece, so that nobody gets in between who is only told of it in a turn of the event loop of its own.
  const unkind = createServer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.end(Buffer.concat([isWelcome, isReady, isEnded]))),
  );
  unkind.listen(0, "127.0.0.1");
  await once(unkind, "listening");
  const { port } = unkind.address() as AddressInfo;
  onTestFinished(() => void unkind.close());
  const storage = postgresStorage({ connectionString: `postgres://tester@127.0.0.1:${port}/postgres` });
  await expect(storage.jobs.getJob("none", Date.now())).rejects.toThrow();
  await storage.close();
});

test("a storage that is used again while an earlier call still waits to open it leaves no connection open", async () => {
  const { administrator } = server;
  const name = "opened_twice";
  const sessions = async () => {
    const sql = "SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start";
    return (await administrator.query(sql, [name])).rows.map(({ pid }) => pid as number);
  };
  const seen = (count: number) => expect.poll(sessions, { timeout: 20_000 }).toHaveLength(count);
  const schema = "opened_twice";
  const storage = postgresStorage({ connectionString: `${server.connectionString}&application_name=${name}`, schema });
  // Whoever opens the storage waits for this.
  await administrator.query("SELECT pg_advisory_lock(hashtext($1))", [`crawlcore ${schema}`]);
  const first = storage.jobs.getJob("none", 1).catch(() => "failed");
  await seen(1);
  const closed = storage.close();
  const second = storage.jobs.getJob("none", 1);
  await seen(2);
  await administrator.query("SELECT pg_terminate_backend($1)", [(await sessions())[0]]);
  expect(await first).toBe("failed");
  await closed;
  await administrator.query("SELECT pg_advisory_unlock_all()");
  expect([await second, await storage.jobs.getJob("none", 1)]).toEqual([null, null]);
  await storage.close();
  await expect.poll(sessions).toEqual([]);
});

const several: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  "results are read": ({ jobs }) => jobs.readResults("job-1", { skip: 0, limit: 9, maxBytes: 1000 }),
  "results are erased": ({ jobs }) => jobs.eraseResults("job-1"),
  "pages are searched": ({ index }) => index!.search({ team: "a", terms: parseSearchQuery("kettle"), limit: 5 }),
  "jobs are removed": (storage) => storage.sweep(start + 1),
};

test.each(Object.keys(several))("a storage that is closed while %s leaves no connection open", async (name) => {
  const schema = name.replaceAll(" ", "_");
  const connectionString = `${server.connectionString}&application_name=${schema}`;
  const storage = postgresStorage({ connectionString, schema });
  await begin(storage, newPages(2), { expiresAt: start + 1 });
  for (const { lease } of await claim(storage, 2)) await storage.jobs.completePage(lease, succeeded());
  await close(storage, { expiresAt: start + 1 });
  const page = { team: "a", url: "https://example.com/", title: "Kettle", description: "", markdown: "" };
  await storage.index!.put({ ...page, key: "a", publishedAt: null, seenAt: 1 });
  const acting = several[name]!(storage);
  await storage.close();
  await acting;
  const sessions = "SELECT pid FROM pg_stat_activity WHERE application_name = $1";
  const left = async () => (await server.administrator.query(sessions, [schema])).rows;
  await expect.poll(left, { timeout: 4000 }).toEqual([]);
});
