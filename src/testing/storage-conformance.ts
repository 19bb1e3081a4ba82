/** The conformance suite of the {@link Storage} contract. */

import type { Storage } from "../ports/storage.ts";
import type { RegisterTest } from "./fresh-for-each.ts";
import { cacheCases } from "./storage-cases/cache-cases.ts";
import { completionCases } from "./storage-cases/completion-cases.ts";
import { durabilityCases } from "./storage-cases/durability-cases.ts";
import { indexCases } from "./storage-cases/index-cases.ts";
import { jobCases } from "./storage-cases/job-cases.ts";
import { leaseCases } from "./storage-cases/lease-cases.ts";
import { ledgerCases } from "./storage-cases/ledger-cases.ts";
import { lengthCases } from "./storage-cases/length-cases.ts";
import { outboxCases } from "./storage-cases/outbox-cases.ts";
import { pageCases } from "./storage-cases/page-cases.ts";
import { raceCases } from "./storage-cases/race-cases.ts";
import { separationCases } from "./storage-cases/separation-cases.ts";
import { versionCases } from "./storage-cases/version-cases.ts";

/** Options of {@link testStorage}. */
export interface StorageSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  /** Creates an empty storage for one test. */
  create(): Promise<StorageUnderTest> | StorageUnderTest;
  /** True if the data outlives the storage object: durability is then tested too, and `create` must return `reopen`. */
  readonly durable: boolean;
}

/** The storage that one test uses. */
export interface StorageUnderTest {
  readonly storage: Storage;
  /** Opens the same data once more, as another process would. */
  reopen?(): Promise<Storage> | Storage;
  /** Called after the test, when all storages have been closed. */
  remove?(): Promise<void> | void;
}

const cases = [
  ...jobCases,
  ...leaseCases,
  ...pageCases,
  ...completionCases,
  ...raceCases,
  ...outboxCases,
  ...ledgerCases,
  ...cacheCases,
  ...versionCases,
  ...indexCases,
  ...separationCases,
  ...lengthCases,
];

/**
 * Registers the tests of the {@link Storage} contract with the given test runner.
 *
 * @example
 * import { test } from "node:test";
 * import { memoryStorage } from "crawlcore";
 * import { testStorage } from "crawlcore/testing";
 *
 * testStorage({ test, durable: false, create: () => ({ storage: memoryStorage() }) });
 */
export function testStorage({ test, create, durable }: StorageSuiteOptions): void {
  for (const { name, run } of cases) {
    test(name, () => withStorage(create, ({ storage }) => run(storage)));
  }
  for (const { name, run } of durable ? durabilityCases : []) {
    test(name, () =>
      withStorage(create, ({ storage, reopen }, opened) =>
        run(storage, async () => {
          if (reopen === undefined) throw new Error("A durable storage under test needs `reopen`.");
          const again = await reopen();
          opened.push(again);
          return again;
        }),
      ),
    );
  }
}

async function withStorage(
  create: StorageSuiteOptions["create"],
  run: (underTest: StorageUnderTest, opened: Storage[]) => Promise<void>,
): Promise<void> {
  const underTest = await create();
  const opened = [underTest.storage];
  try {
    await run(underTest, opened);
  } finally {
    for (const storage of opened) await storage.close();
    await underTest.remove?.();
  }
}
