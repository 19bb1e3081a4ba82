/** Cases about charges and their sums by month. */

import assert from "node:assert/strict";
import {
  begin,
  claimOne,
  close,
  ids,
  newCharge,
  newItem,
  newPages,
  record,
  type StorageCase,
  succeeded,
  take,
} from "./storage-case.ts";

export const ledgerCases: readonly StorageCase[] = [
  {
    name: "a charge is booked once, however often it is sent",
    async run({ ledger }) {
      const charge = newCharge("one", { credits: 5, tokens: 3, kind: "extract", at: Date.UTC(2026, 4, 9) });
      await Promise.all([ledger.charge(charge), ledger.charge(charge), ledger.charge({ ...charge, credits: 99 })]);
      await ledger.charge(charge);
      const [usage] = await ledger.usage({ team: "team-a", byApiKey: false });
      assert.deepEqual({ ...usage, credits: 0 }, { month: Date.UTC(2026, 4), apiKey: null, credits: 0, tokens: 3 });
      assert.ok(usage?.credits === 5 || usage?.credits === 99);
    },
  },
  {
    name: "items for the outbox go with a charge, once",
    async run(storage) {
      for (let round = 0; round < 2; round++) await storage.ledger.charge(newCharge("one"), [newItem("item")]);
      assert.deepEqual(ids(await take(storage)), [["item"]]);
    },
  },
  {
    name: "the months count tokens of extract jobs only",
    async run({ ledger }) {
      await ledger.charge(newCharge("scrape", { kind: "scrape", tokens: 100 }));
      await ledger.charge(newCharge("extract", { kind: "extract", tokens: 7 }));
      const [usage] = await ledger.usage({ team: "team-a", byApiKey: false });
      assert.deepEqual([usage?.credits, usage?.tokens], [2, 7]);
    },
  },
  {
    name: "without charges there is no usage",
    async run({ ledger }) {
      assert.deepEqual(await ledger.usage({ team: "team-a", byApiKey: false }), []);
      assert.deepEqual(await ledger.usage({ team: "team-a", byApiKey: true }), []);
    },
  },
  {
    name: "months begin and end in UTC, also in leap years, and come oldest first",
    async run({ ledger }) {
      const moments = [
        Date.UTC(2028, 2, 1) - 1, // 29 February
        Date.UTC(2028, 1, 29),
        Date.UTC(2028, 2, 1),
        Date.UTC(2027, 2, 1) - 1, // 28 February
        Date.UTC(2027, 11, 31, 23, 59, 59, 999),
        Date.UTC(2028, 0, 1),
        Date.UTC(2026, 0, 31),
      ];
      for (const [index, at] of moments.entries()) await ledger.charge(newCharge(`charge-${index}`, { at }));
      assert.deepEqual(
        (await ledger.usage({ team: "team-a", byApiKey: false })).map(({ month, credits }) => [month, credits]),
        [
          [Date.UTC(2026, 0), 1],
          [Date.UTC(2027, 1), 1],
          [Date.UTC(2027, 11), 1],
          [Date.UTC(2028, 0), 1],
          [Date.UTC(2028, 1), 2],
          [Date.UTC(2028, 2), 1],
        ],
      );
    },
  },
  {
    name: "usage by key gives a line for each key of a month, the one without a key last",
    async run({ ledger }) {
      const months = [Date.UTC(2026, 5, 3), Date.UTC(2026, 6, 3)] as const;
      const charges = [
        { apiKey: "key-b", at: months[1], credits: 1 },
        { apiKey: null, at: months[0], credits: 2 },
        { apiKey: "key-b", at: months[0], credits: 4 },
        { apiKey: "key-a", at: months[0], credits: 8, tokens: 5, kind: "extract" as const },
        { apiKey: "key-a", at: months[0], credits: 16, tokens: 6, kind: "extract" as const },
      ];
      for (const [index, charge] of charges.entries()) await ledger.charge(newCharge(`charge-${index}`, charge));
      const june = Date.UTC(2026, 5);
      const july = Date.UTC(2026, 6);
      assert.deepEqual(await ledger.usage({ team: "team-a", byApiKey: true }), [
        { month: june, apiKey: "key-a", credits: 24, tokens: 11 },
        { month: june, apiKey: "key-b", credits: 4, tokens: 0 },
        { month: june, apiKey: null, credits: 2, tokens: 0 },
        { month: july, apiKey: "key-b", credits: 1, tokens: 0 },
      ]);
      assert.deepEqual(await ledger.usage({ team: "team-a", byApiKey: false }), [
        { month: june, apiKey: null, credits: 30, tokens: 11 },
        { month: july, apiKey: null, credits: 1, tokens: 0 },
      ]);
    },
  },
  {
    name: "a key with an empty name is a key, and so is one that is called null",
    async run({ ledger }) {
      for (const apiKey of ["", "null", null])
        await ledger.charge(newCharge(`of ${apiKey} as ${typeof apiKey}`, { apiKey }));
      const usage = await ledger.usage({ team: "team-a", byApiKey: true });
      assert.deepEqual(
        usage.map(({ apiKey }) => apiKey),
        ["", "null", null],
      );
    },
  },
  {
    name: "teams do not see each other's usage",
    async run({ ledger }) {
      await ledger.charge(newCharge("a"));
      await ledger.charge(newCharge("b", { team: "team-b", credits: 7 }));
      const credits = async (team: string, byApiKey: boolean) =>
        (await ledger.usage({ team, byApiKey })).map((usage) => usage.credits);
      for (const byApiKey of [false, true]) {
        assert.deepEqual(await credits("team-a", byApiKey), [1]);
        assert.deepEqual(await credits("team-b", byApiKey), [7]);
      }
    },
  },
  {
    name: "parts of a credit add up, and so do more tokens than 32 bits hold",
    async run(storage) {
      await begin(storage, newPages(1), { kind: "extract" });
      const large = { kind: "extract", credits: 0.25, tokens: 3_000_000_000 } as const;
      await storage.ledger.charge(newCharge("a", large));
      await storage.jobs.completePage(await claimOne(storage), succeeded({ charge: newCharge("b", large) }));
      await close(storage, { charge: newCharge("c", large) });
      const job = await record(storage);
      assert.deepEqual([job.creditsUsed, job.tokensUsed], [0.75, 9_000_000_000]);
      const [usage] = await storage.ledger.usage({ team: "team-a", byApiKey: true });
      assert.deepEqual([usage?.credits, usage?.tokens], [0.75, 9_000_000_000]);
    },
  },
  {
    name: "a job's sums are those of the charges with its id",
    async run(storage) {
      await begin(storage, []);
      await storage.ledger.charge(newCharge("a", { credits: 2, tokens: 10, kind: "extract" }));
      await storage.ledger.charge(newCharge("a", { credits: 2, tokens: 10, kind: "extract" }));
      await storage.ledger.charge(newCharge("b", { credits: 3, jobId: null }));
      await storage.ledger.charge(newCharge("c", { credits: 4, jobId: "gone" }));
      const job = await record(storage);
      assert.deepEqual([job.creditsUsed, job.tokensUsed], [2, 10]);
      assert.equal((await storage.ledger.usage({ team: "team-a", byApiKey: false }))[0]?.credits, 9);
    },
  },
];
