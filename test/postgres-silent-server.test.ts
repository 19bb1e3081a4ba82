/** A database whose machine is gone without a word, while another takes over at its address. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { newJob } from "../src/testing/storage-cases/storage-case.ts";
import { startPostgres } from "./postgres-server.ts";

/** An address of the server whose connections can be left without an answer, and unclosed; new ones are served. */
async function silenceable(folder: string): Promise<{ connectionString: string; silence(): void; close(): void }> {
  const served = new Set<{ caller: Socket; server: Socket }>();
  const proxy = createServer((caller) => {
    const server = connect(join(folder, ".s.PGSQL.5432"));
    caller.pipe(server).pipe(caller);
    for (const socket of [caller, server]) socket.on("error", () => {});
    served.add({ caller, server });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    connectionString: `postgres://tester@127.0.0.1:${(proxy.address() as AddressInfo).port}/postgres`,
    silence() {
      for (const { caller, server } of served) {
        caller.unpipe();
        server.unpipe();
        server.destroy();
        caller.resume();
      }
    },
    close() {
      for (const { caller, server } of served) {
        caller.destroy();
        server.destroy();
      }
      proxy.close();
    },
  };
}

test("calls that are never answered end after a minute, and those after them reach the server that took over", async () => {
  const server = await startPostgres();
  const folder = new URLSearchParams(server.connectionString.split("?")[1]).get("host") as string;
  const { connectionString, silence, close } = await silenceable(folder);
  const storage = postgresStorage({ connectionString });
  onTestFinished(async () => {
    vi.useRealTimers();
    close();
    await storage.close();
    await server.stop();
  });
  await storage.jobs.createJob(newJob({ id: "job", team: "team", expiresAt: 1000 }), [], []);
  silence();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const settled: string[] = [];
  const calls = Array.from({ length: 12 }, (_, number) =>
    (number % 2 === 0 ? storage.jobs.getJob("job", 1) : storage.jobs.finishExpansion("job")).then(
      () => settled.push("answered"),
      () => settled.push("failed"),
    ),
  );
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(61_000);
  await vi.waitFor(() => expect(settled).toHaveLength(calls.length), { timeout: 20_000 });
  vi.useRealTimers();
  expect(settled).toContain("failed");
  expect(await storage.jobs.getJob("job", 1)).toMatchObject({ id: "job" });
  await storage.jobs.finishExpansion("job");
});
