/** The conformance suite of the {@link Billing} contract. */
import assert from "node:assert/strict";
import type { Billing, BillingRequest } from "../ports/billing.ts";
import type { Charge } from "../ports/ledger.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";

/** Options of {@link testBilling}. */
export interface BillingSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  /** Creates a billing whose teams `team-a` and `team-b` may spend at least 100 credits each. */
  create(): Promise<BillingUnderTest> | BillingUnderTest;
  /** True for a billing that refuses what a team cannot pay: 1,000,000 credits must then be too much. */
  readonly refuses: boolean;
}

/** The billing that one test uses. */
export interface BillingUnderTest {
  readonly billing: Billing;
  /** The credits that a team has spent. */
  spent(team: string): Promise<number> | number;
  close?(): Promise<void>;
}

const request: BillingRequest = { team: "team-a", apiKey: "key", kind: "crawl", atLeast: 10 };
const reservation = { id: "job-1", team: "team-a" };

function charge(id: string, rest: Partial<Charge> = {}): Charge {
  const about = { team: "team-a", apiKey: "key", jobId: "job-1", kind: "crawl", credits: 1, tokens: 0 } as const;
  return { ...about, id, at: Date.UTC(2026, 5, 15), ...rest };
}

/**
 * Registers the tests of the {@link Billing} contract with the given test runner.
 *
 * @example
 * import { test } from "node:test";
 * import { ledgerBilling, memoryStorage } from "crawlcore";
 * import { testBilling } from "crawlcore/testing";
 *
 * testBilling({
 *   test,
 *   refuses: false,
 *   create() {
 *     const billing = ledgerBilling(memoryStorage().ledger);
 *     const months = (team: string) => billing.usage({ team, byApiKey: false });
 *     const spent = async (team: string) => (await months(team)).reduce((sum, { credits }) => sum + credits, 0);
 *     return { billing, spent };
 *   },
 * });
 */
export function testBilling({ test, create, refuses }: BillingSuiteOptions): void {
  const check = freshForEach(test, create);

  check("what can be paid is allowed, also asked twice", async ({ billing }) => {
    assert.deepEqual(await billing.authorize(request, reservation), { allowed: true });
    assert.deepEqual(await billing.authorize({ ...request, atLeast: 0 }, reservation), { allowed: true });
  });

  if (refuses) {
    check("what cannot be paid is refused with a reason", async ({ billing, spent }) => {
      const answer = await billing.authorize({ ...request, atLeast: 1_000_000 }, reservation);
      assert.equal(answer.allowed, false);
      assert.ok(!answer.allowed && answer.reason !== "");
      assert.equal(await spent("team-a"), 0);
      assert.deepEqual(await billing.authorize({ ...request, atLeast: 60 }, reservation), { allowed: true });
    });

    check(
      "what is reserved once more under one id comes on top, and a release frees all of it",
      async ({ billing }) => {
        const ask = async (atLeast: number) => (await billing.authorize({ ...request, atLeast }, reservation)).allowed;
        let [most, times] = [900_000, 0];
        while (most > 60 && !(await ask(most))) most = Math.max(60, most / 10);
        if (billing.release === undefined) return;
        await billing.release(reservation);
        while (times < 20 && (await ask(most))) times += 1;
        assert.ok(times > 0, `${most} credits were refused after a release`);
        assert.ok(times < 20, `${most} credits were reserved 20 times`);
        await billing.release(reservation);
        assert.ok(await ask(most), "a release did not free what was reserved several times");
      },
    );
  }

  check("asking costs nothing", async ({ billing, spent }) => {
    await billing.authorize(request, reservation);
    assert.equal(await spent("team-a"), 0);
  });

  check("a charge counts once, however often it comes, one after the other and at once", async ({ billing, spent }) => {
    for (let round = 0; round < 3; round++) await billing.charge(charge("one", { credits: 3 }));
    await Promise.all([1, 2, 3].map(() => billing.charge(charge("two", { credits: 4 }))));
    assert.equal(await spent("team-a"), 7);
  });

  check("charges of different ids add up, of no job too, each for its team", async ({ billing, spent }) => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => billing.charge(charge(`page-${index}`))));
    await billing.charge(charge("single", { jobId: null, kind: "scrape", credits: 5 }));
    await billing.charge(charge("other", { team: "team-b", credits: 50 }));
    assert.deepEqual([await spent("team-a"), await spent("team-b")], [25, 50]);
  });

  check("work of every kind is charged", async ({ billing, spent }) => {
    const kinds = ["scrape", "crawl", "batch_scrape", "search", "extract", "map"] as const;
    for (const kind of kinds) await billing.charge(charge(kind, { kind }));
    await billing.charge(charge("tokens", { kind: "extract", credits: 0, tokens: 5000 }));
    assert.equal(await spent("team-a"), kinds.length);
  });

  check("a charge that was never asked for is taken: the work is done", async ({ billing, spent }) => {
    await billing.charge(charge("unasked", { jobId: "unknown", credits: 2 }));
    assert.equal(await spent("team-a"), 2);
  });

  check("a release frees what was reserved, takes nothing back, and may come twice", async ({ billing, spent }) => {
    await billing.authorize({ ...request, atLeast: 60 }, reservation);
    await billing.charge(charge("page", { credits: 10 }));
    await billing.release?.(reservation);
    await billing.release?.(reservation);
    await billing.release?.({ id: "unknown", team: "team-a" });
    assert.equal(await spent("team-a"), 10);
    const again = await billing.authorize({ ...request, atLeast: 60 }, { ...reservation, id: "job-2" });
    if (billing.release !== undefined) assert.equal(again.allowed, true);
  });

  check("usage, where there is any, agrees with what was spent", async ({ billing, spent }) => {
    await billing.charge(charge("may", { at: Date.UTC(2026, 4, 31, 23, 59, 59, 999), credits: 2 }));
    await billing.charge(charge("june", { at: Date.UTC(2026, 5, 1), credits: 3, apiKey: null }));
    const months = await billing.usage?.({ team: "team-a", byApiKey: false });
    if (months === undefined) return;
    assert.deepEqual(
      months.map(({ month, apiKey, credits }) => ({ month, apiKey, credits })),
      [
        { month: Date.UTC(2026, 4), apiKey: null, credits: 2 },
        { month: Date.UTC(2026, 5), apiKey: null, credits: 3 },
      ],
    );
    assert.equal(await spent("team-a"), 5);
  });
}
