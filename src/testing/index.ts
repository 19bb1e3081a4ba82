/** Conformance suites and fakes for those who write drivers: `crawlcore/testing`. */

export { type QueueSuiteOptions, testQueue } from "./queue-conformance.ts";
export { type StorageSuiteOptions, type StorageUnderTest, testStorage } from "./storage-conformance.ts";
