/** The fetchers of the package keep the contract of their port. */
import { describe, test } from "vitest";
import { browserFetcher } from "../src/fetch/browser/browser-fetcher.ts";
import { createConnectors } from "../src/fetch/connectors.ts";
import { createHttpClient } from "../src/fetch/http-client.ts";
import { httpFetcher } from "../src/fetch/http-fetcher.ts";
import { createProxies } from "../src/fetch/proxies.ts";
import { testFetcher } from "../src/testing/index.ts";

const network = { allowHosts: ["127.0.0.1"] };
const connectorOf = createConnectors(network);

describe("HTTP", () => {
  testFetcher({
    test,
    create() {
      const client = createHttpClient(connectorOf, network);
      return { fetcher: httpFetcher(client), close: () => client.close() };
    },
  });
});

describe("browser", () => {
  const silent = () => {};
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  testFetcher({
    test,
    create: () => ({ fetcher: browserFetcher({ network, connectorOf, proxies: createProxies(undefined), logger }) }),
  });
});
