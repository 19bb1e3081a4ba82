/**
 * An option that is undefined has its default: programs hand on what their own callers may have left out. Compilers that
 * tell an absent property from an undefined one (`exactOptionalPropertyTypes`) must let them.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
let folder: string;
let errors: string;

/** Each entry of the table must be `true`: no optional key of the type refuses `undefined`. */
const program = `
import type {
  Action, BatchScrapeRequest, BraveOptions, BrowserOptions, CallContext, CrawlRequest, DeliveryFilter, DuckDuckGoOptions,
  EngineOptions, ExtractRequest, ExtractWaitOptions, FetchResponse, HttpRequest, JsonSearchOptions, Limits, MapRequest,
  MemoryQueueOptions, MemoryStorageOptions, NetworkOptions, ProxyPool, ScrapeOptions, ScrapeRequest, SearchLimits,
  SearchProvider, SearchRequest, SearchScrapeOptions, SearxngOptions, StatusPage, Storage, UsageQuery, WaitOptions, Webhook,
  WebhookOptions,
} from "${root}/src/index.ts";
import type { PgBossQueueOptions, PostgresStorageOptions } from "${root}/src/drivers/postgres/index.ts";
import type { SqliteStorageOptions } from "${root}/src/drivers/sqlite/index.ts";

type Refusing<Options> = Options extends (...values: never[]) => unknown ? never : {
  [Key in keyof Options]-?: Record<never, never> extends Pick<Options, Key>
    ? { [Each in Key]: undefined } extends Pick<Options, Key> ? never : Key
    : never;
}[keyof Options];
type Takes<Options> = [Refusing<Options>] extends [never] ? true : Refusing<Options>;
type Each<Union> = Union extends unknown ? Refusing<Union> : never;

export const requests: [
  Takes<ScrapeRequest>, Takes<CrawlRequest>, Takes<BatchScrapeRequest>, Takes<SearchRequest>, Takes<ExtractRequest>,
  Takes<MapRequest>, Takes<ScrapeOptions>, Takes<SearchScrapeOptions>, Takes<Webhook>, Takes<CallContext>, Takes<StatusPage>,
  Takes<UsageQuery>, Takes<DeliveryFilter>, Takes<WaitOptions>, Takes<ExtractWaitOptions>,
  Takes<NonNullable<ScrapeOptions["jsonOptions"]>>, Takes<NonNullable<ScrapeOptions["location"]>>,
  Takes<NonNullable<ScrapeOptions["changeTrackingOptions"]>>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
export const actions: [Each<Action>] extends [never] ? true : Each<Action> = true;
export const hosts: [
  Takes<EngineOptions>, Takes<BrowserOptions>, Takes<NetworkOptions>, Takes<WebhookOptions>, Takes<Limits>,
  Takes<NonNullable<EngineOptions["pricing"]>>, Takes<Exclude<ProxyPool, (...values: never[]) => unknown>>,
  Takes<MemoryStorageOptions>, Takes<MemoryQueueOptions>, Takes<SqliteStorageOptions>, Takes<PostgresStorageOptions>,
  Takes<PgBossQueueOptions>, Takes<BraveOptions>, Takes<DuckDuckGoOptions>, Takes<JsonSearchOptions>, Takes<SearxngOptions>,
  Takes<SearchLimits>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
export const parts: [Takes<FetchResponse>, Takes<HttpRequest>, Takes<SearchProvider>, Takes<Storage>] = [
  true, true, true, true,
];
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crawlcore-strict-"));
  await writeFile(join(folder, "consumer.mts"), program);
  const compilerOptions = {
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: false,
    typeRoots: [join(root, "node_modules", "@types")],
  };
  const settings = { extends: join(root, "tsconfig.json"), compilerOptions, include: [], files: ["consumer.mts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const ran = await promisify(execFile)(process.execPath, [compiler, "-p", folder], { cwd: folder }).catch(
    (error) => error,
  );
  expect(String(ran.stderr)).toBe("");
  // The sources are not written for this setting; only what the consumer gets to see counts.
  errors = String(ran.stdout)
    .split("\n")
    .filter((line) => line.startsWith("consumer.mts"))
    .join("\n");
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

test("every optional field of requests, options and what a host's parts give takes undefined", () => {
  expect(errors).toBe("");
});
