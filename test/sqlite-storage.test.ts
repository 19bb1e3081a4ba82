/** The SQLite storage keeps the contract of its port, on a file and in memory. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { testStorage } from "../src/testing/index.ts";

describe("SQLite storage on a file", () => {
  testStorage({
    test,
    durable: true,
    create() {
      const folder = mkdtempSync(join(tmpdir(), "crawlcore-storage-"));
      const path = join(folder, "crawl.db");
      return {
        storage: sqliteStorage({ path }),
        reopen: () => sqliteStorage({ path }),
        remove: () => rmSync(folder, { recursive: true }),
      };
    },
  });
});

describe("SQLite storage in memory", () => {
  testStorage({ test, durable: false, create: () => ({ storage: sqliteStorage({ path: ":memory:" }) }) });
});
