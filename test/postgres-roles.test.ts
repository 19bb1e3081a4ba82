/** Databases whose administrator gives a program little: a schema of its own, and no right to make another. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { pgBossQueue, postgresStorage } from "../src/drivers/postgres/index.ts";
import { startAdministered } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startAdministered>>;
let asPlainRole: string;

beforeAll(async () => {
  server = await startAdministered();
  await server.administrator.query("CREATE ROLE plain LOGIN");
  asPlainRole = server.connectionString.replace("tester@", "plain@");
});

afterAll(async () => {
  await server?.stop();
});

test("a storage makes its tables in a schema that it was given, though it may make no schema", async () => {
  await server.administrator.query("CREATE SCHEMA given AUTHORIZATION plain");
  const storage = postgresStorage({ connectionString: asPlainRole, schema: "given" });
  expect(await storage.jobs.getJob("none", 0)).toBeNull();
  await storage.close();
});

test("a queue makes its tables in a schema that it was given; where there is none, it says what was refused", async () => {
  await server.administrator.query("CREATE SCHEMA given_queue AUTHORIZATION plain");
  const queue = pgBossQueue({ connectionString: asPlainRole, schema: "given_queue" });
  await queue.push({ jobId: "job", team: "team" });
  await queue.close();
  const homeless = pgBossQueue({ connectionString: asPlainRole, schema: "not_given" });
  await expect(homeless.push({ jobId: "job", team: "team" })).rejects.toThrow("permission denied for database");
  await homeless.close();
});

test("a queue that cannot be started again and again leaves no timers behind, which would hold the process", async () => {
  const schema = "read_only_queue";
  const made = pgBossQueue({ connectionString: server.connectionString, schema });
  await made.push({ jobId: "job", team: "team" });
  await made.close();
  await server.administrator.query(`DELETE FROM ${schema}.job; DELETE FROM ${schema}.queue`);
  await server.administrator.query(`GRANT USAGE ON SCHEMA ${schema} TO plain`);
  await server.administrator.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO plain`);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const queue = pgBossQueue({ connectionString: asPlainRole, schema });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(queue.push({ jobId: "job", team: "team" })).rejects.toThrow("permission denied for table");
  }
  await queue.close();
  expect(timers() - before).toBeLessThan(3);
});

test("a role that may have few connections waits for one of them", async () => {
  const { administrator } = server;
  await administrator.query("CREATE ROLE humble LOGIN CONNECTION LIMIT 2");
  for (const schema of ["humble", "humble_queue"])
    await administrator.query(`CREATE SCHEMA ${schema} AUTHORIZATION humble`);
  const connectionString = server.connectionString.replace("tester@", "humble@");
  const { jobs, close } = postgresStorage({ connectionString, schema: "humble" });
  const asked = Array.from({ length: 20 }, () => [
    jobs.getJob("none", 0),
    jobs.leastDepth("none"),
    jobs.finishExpansion("none"),
  ]);
  expect(new Set(await Promise.all(asked.flat()))).toEqual(new Set([null, undefined]));
  await close();
  const queue = pgBossQueue({ connectionString, schema: "humble_queue" });
  await Promise.all(Array.from({ length: 20 }, (_, job) => queue.push({ jobId: `${job}`, team: "team" })));
  await queue.close();
});
