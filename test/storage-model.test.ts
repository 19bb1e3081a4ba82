/** Whatever is asked of them, in whatever order, the SQLite storage answers as the memory storage does. */

import { test } from "vitest";
import { memoryStorage } from "../src/drivers/memory/index.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { compareStorages } from "./storage-model.ts";

for (let seed = 1; seed <= 30; seed += 1) {
  test(`random calls, seed ${seed}`, () => compareStorages(seed, memoryStorage(), sqliteStorage({ path: ":memory:" })));
}
