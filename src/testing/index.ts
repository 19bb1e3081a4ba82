/** What `crawlcore/testing` exports. */
export { charsetCases } from "./hostile-bodies.ts";
export { hostile, hostileNames } from "./hostile-routes.ts";
export { testOnlyCertificate } from "./test-certificate.ts";
export { startTestSite, type TestSite, type TestSiteOptions } from "./test-site.ts";
export type { TestAnswer, TestExchange, TestHandler, TestRoute, TestRoutes } from "./test-site-answer.ts";
export type { ReceivedRequest } from "./test-site-traffic.ts";
