/** Usage by month: exact at the borders, in leap years and when charges come twice; tokens of extract only. */
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { type Charge, memoryStorage, type Storage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

describe.each<[string, () => Storage]>([
  ["memory", memoryStorage],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
])("%s", (_, create) => {
  async function engineWith(charges: readonly (Partial<Charge> & { readonly date: string })[]) {
    const storage = create();
    const replay = async () => {
      for (const [index, { date, ...rest }] of charges.entries()) {
        await storage.ledger.charge({
          ...{ id: `c${index}`, team: "default", apiKey: null, jobId: null, kind: "scrape", credits: 1, tokens: 0 },
          at: Date.parse(date),
          ...rest,
        });
      }
    };
    await replay();
    await replay();
    return engineFor({ storage });
  }

  test("months begin and end in UTC, in leap years and over the turn of a year too", async () => {
    const engine = await engineWith([
      { date: "2024-02-29T23:59:59.999Z", credits: 2 },
      { date: "2024-03-01T00:00:00.000Z", credits: 4 },
      { date: "2023-02-28T23:59:59.999Z", credits: 8 },
      { date: "2023-03-01T00:00:00.000Z", credits: 16 },
      { date: "2023-12-31T23:59:59.999Z", credits: 32 },
      { date: "2024-01-01T00:00:00.000Z", credits: 64 },
      { date: "2024-02-01T00:00:00.000Z", credits: 128 },
      { date: "2100-02-28T23:59:59.999Z", credits: 256 },
      { date: "2024-02-10T12:00:00.000+14:00", credits: 0.5 },
    ]);
    const month = (startDate: string, endDate: string, totalCredits: number) => ({
      startDate: `${startDate}-01T00:00:00.000Z`,
      endDate: `${endDate}-01T00:00:00.000Z`,
      apiKey: null,
      totalCredits,
    });
    expect(await engine.getCreditUsageHistorical()).toEqual({
      success: true,
      periods: [
        month("2023-02", "2023-03", 8),
        month("2023-03", "2023-04", 16),
        month("2023-12", "2024-01", 32),
        month("2024-01", "2024-02", 64),
        month("2024-02", "2024-03", 130.5),
        month("2024-03", "2024-04", 4),
        month("2100-02", "2100-03", 256),
      ],
    });
  });

  test("a month is one of UTC wherever the engine runs", async () => {
    const { TZ } = process.env;
    onTestFinished(() => {
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
    });
    process.env["TZ"] = "Pacific/Kiritimati";
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    const engine = await engineWith([{ date: "2023-12-31T23:59:59.999Z" }, { date: "2024-01-01T00:00:00Z" }]);
    const { periods } = await engine.getCreditUsageHistorical();
    expect(periods.map(({ startDate }) => startDate)).toEqual(["2023-12-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"]);
  });

  test("by key, by team, and tokens apart from credits", async () => {
    const date = "2026-05-05T00:00:00Z";
    const engine = await engineWith([
      { date, apiKey: "one", credits: 1 },
      { date, apiKey: "two", credits: 2 },
      { date, apiKey: "one", credits: 3 },
      { date, credits: 10 },
      { date, kind: "extract", apiKey: "two", credits: 0, tokens: 700 },
      { date: "2026-06-06T00:00:00Z", kind: "extract", apiKey: "two", credits: 0, tokens: 50 },
      { date, team: "other", apiKey: "one", credits: 1000 },
    ]);
    const credits = async (byApiKey: boolean) =>
      (await engine.getCreditUsageHistorical({ byApiKey })).periods.map((row) => [row.apiKey, row.totalCredits]);
    expect(await credits(false)).toEqual([[null, 16]]);
    expect(await credits(true)).toEqual([
      ["one", 4],
      ["two", 2],
      [null, 10],
    ]);
    expect((await engine.getTokenUsageHistorical({ byApiKey: true })).periods).toMatchObject([
      { apiKey: "two", totalTokens: 700 },
      { apiKey: "two", totalTokens: 50 },
    ]);
    expect((await engine.getCreditUsageHistorical({}, { team: "nobody" })).periods).toEqual([]);
  });
});

test("what calls and jobs cost is in the usage of the key that called", async () => {
  const { url } = await site({ "/": page("home", ["/a"]), "/a": page("a") });
  const engine = engineFor({ storage: sqliteStorage({ path: ":memory:" }) });
  await engine.scrape({ url }, { team: "a", apiKey: "one" });
  await (await engine.crawl({ url }, { team: "a", apiKey: "two" })).wait();
  const { periods } = await engine.getCreditUsageHistorical({ byApiKey: true }, { team: "a" });
  expect(periods.map(({ apiKey, totalCredits }) => [apiKey, totalCredits])).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
});

test("a host's own sums are given by month, for each key or for all", async () => {
  const rows = [
    { month: Date.UTC(2025, 1, 1), apiKey: "one", credits: 2, tokens: 0 },
    { month: Date.UTC(2025, 0, 1), apiKey: "two", credits: 3, tokens: 10 },
    { month: Date.UTC(2025, 0, 20), apiKey: "one", credits: 4, tokens: 0 },
    { month: Date.UTC(2025, 0, 1), apiKey: "one", credits: 8, tokens: 5 },
  ];
  const billing = { authorize: () => ({ allowed: true }) as const, charge: () => {}, usage: async () => rows };
  const engine = engineFor({ billing });
  const short = (periods: readonly { startDate: string; apiKey: string | null }[], of: string) =>
    periods.map((period) => [period.startDate.slice(0, 7), period.apiKey, (period as never)[of]]);
  expect(short((await engine.getCreditUsageHistorical()).periods, "totalCredits")).toEqual([
    ["2025-01", null, 15],
    ["2025-02", null, 2],
  ]);
  expect(short((await engine.getCreditUsageHistorical({ byApiKey: true })).periods, "totalCredits")).toEqual([
    ["2025-01", "two", 3],
    ["2025-01", "one", 12],
    ["2025-02", "one", 2],
  ]);
  expect(short((await engine.getTokenUsageHistorical()).periods, "totalTokens")).toEqual([["2025-01", null, 15]]);
});

test.each([
  ["sums as a database may give them, as text", [{ month: 0, apiKey: null, credits: "3", tokens: "0" }]],
  ["no month", [{ apiKey: null, credits: 3, tokens: 0 }]],
  ["no rows", [null]],
  ["no list", {}],
])("a host's usage that gives %s is refused", async (_, rows) => {
  const usage = async () => rows as never;
  const engine = engineFor({ billing: { authorize: () => ({ allowed: true }), charge() {}, usage } });
  await expect(engine.getCreditUsageHistorical()).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message:
      "billing.usage must give a list of { month, apiKey, credits, tokens }, where credits and tokens are numbers",
  });
});

test("a host's usage that never answers does not hold up an engine that closes", async () => {
  const asked = Promise.withResolvers<void>();
  const usage = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const engine = engineFor({ billing: { authorize: () => ({ allowed: true }), charge: () => {}, usage } });
  const call = engine.getCreditUsageHistorical().catch(({ code }) => code);
  await asked.promise;
  const begun = Date.now();
  await engine.close();
  // What does not end is left behind after ten seconds.
  expect(Date.now() - begun).toBeLessThan(8000);
  expect(await call).toBe("ENGINE_CLOSED");
});

test.each(["a\ud800", "a\udfff", "a\0", "\0"])(
  "the name %j, which databases keep as another, is refused",
  async (name) => {
    const engine = engineFor({ storage: sqliteStorage({ path: ":memory:" }) });
    for (const context of [{ team: name }, { apiKey: name }]) {
      await expect(engine.getCreditUsageHistorical({}, context)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    expect((await engine.getCreditUsageHistorical({}, { team: "日本 \u{1f600}" })).periods).toEqual([]);
  },
);
