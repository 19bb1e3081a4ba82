/**
 * What `crawlcore/testing` exports: conformance suites for drivers, a test site that can misbehave, and a fake model.
 */

export { type BillingSuiteOptions, type BillingUnderTest, testBilling } from "./billing-conformance.ts";
export {
  type Arrived,
  type EventSinkSuiteOptions,
  type EventSinkUnderTest,
  testEventSink,
} from "./event-sink-conformance.ts";
export { type FakeModel, type FakeModelCall, fakeModel } from "./fake-model.ts";
export { type FetcherSuiteOptions, type FetcherUnderTest, testFetcher } from "./fetcher-conformance.ts";
export type { RegisterTest } from "./fresh-for-each.ts";
export { charsetCases } from "./hostile-bodies.ts";
export { hostile, hostileNames } from "./hostile-routes.ts";
export { type QueueSuiteOptions, testQueue } from "./queue-conformance.ts";
export {
  type BrokenCase,
  type SearchProviderCase,
  type SuiteRunner,
  testSearchProvider,
} from "./search-provider-conformance.ts";
export { type StorageSuiteOptions, type StorageUnderTest, testStorage } from "./storage-conformance.ts";
export { testOnlyCertificate } from "./test-certificate.ts";
export { startTestSite, type TestSite, type TestSiteOptions } from "./test-site.ts";
export type { TestAnswer, TestExchange, TestHandler, TestRoute, TestRoutes } from "./test-site-answer.ts";
export type { ReceivedRequest } from "./test-site-traffic.ts";
