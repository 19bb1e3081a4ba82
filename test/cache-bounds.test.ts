import { describe } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage } from "../src/index.ts";
import { testCacheBounds } from "./cache-bounds.ts";

describe("the page cache in memory", () => testCacheBounds(memoryStorage));
describe("the page cache in SQLite", () => testCacheBounds((bounds) => sqliteStorage({ path: ":memory:", ...bounds })));
