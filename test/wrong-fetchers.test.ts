/** The fetcher suite tells a fetcher that is wrong in one place from one that is right. */

import { expect, test } from "vitest";
import { createConnectors } from "../src/fetch/connectors.ts";
import { createHttpClient } from "../src/fetch/http-client.ts";
import { httpFetcher } from "../src/fetch/http-fetcher.ts";
import type { Fetcher, FetchRequest, FetchResponse } from "../src/ports/fetcher.ts";
import { testFetcher } from "../src/testing/index.ts";
import { firstFailure } from "./first-failure.ts";

type Change = (fetch: Fetcher["fetch"]) => Fetcher["fetch"];

const failureOf = (change: Change) =>
  firstFailure((test) =>
    testFetcher({
      test,
      create() {
        const network = { allowHosts: ["127.0.0.1"] };
        const client = createHttpClient(createConnectors(network), network);
        const right = httpFetcher(client);
        return { fetcher: { ...right, fetch: change(right.fetch) }, close: () => client.close() };
      },
    }),
  );

const answering =
  (change: (response: FetchResponse) => FetchResponse): Change =>
  (fetch) =>
  async (request) =>
    change(await fetch(request));

const wrong: Readonly<Record<string, Change>> = {
  "keeps an answer for the next who asks": (fetch) => {
    const kept = new Map<string, FetchResponse>();
    return async (request) => {
      const response = kept.get(request.url) ?? (await fetch(request));
      kept.set(request.url, response);
      return response;
    };
  },
  "gives one answer to all who ask at once": (fetch) => {
    const running = new Map<string, Promise<FetchResponse>>();
    return (request) => {
      const run = running.get(request.url) ?? fetch(request).finally(() => running.delete(request.url));
      running.set(request.url, run);
      return run;
    };
  },
  "sends the headers of one caller for the next": (fetch) => {
    let headers: FetchRequest["headers"] = {};
    return (request) => {
      headers = { ...headers, ...request.headers };
      return fetch({ ...request, headers });
    };
  },
  "fetches one page after the other": (fetch) => {
    let last: Promise<unknown> = Promise.resolve();
    return (request) => {
      const run = last.then(() => fetch(request));
      last = run.catch(() => {});
      return run;
    };
  },
  "stops waiting, and not the work": (fetch) => (request) => {
    const run = fetch({ ...request, signal: AbortSignal.timeout(20_000) });
    const { signal } = request;
    return new Promise((resolve, reject) => {
      run.then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  },
  "takes the trouble of a server for its own": (fetch) => async (request) => {
    const response = await fetch(request);
    if (response.statusCode >= 500) throw new Error("The server is in trouble.");
    return response;
  },
  "cuts large bodies": answering((response) => ({ ...response, body: response.body.subarray(0, 65_536) })),
  "says that bytes are a rendered page": answering((response) => ({ ...response, rendered: true })),
  "shows the cookies that are set": answering((response) => ({
    ...response,
    headers: { ...response.headers, "set-cookie": "session=one" },
  })),
};

test("the fetcher that the wrong ones are made of is right", async () => {
  expect(await failureOf((fetch) => fetch)).toBe(undefined);
});

// Some are caught by a case that waits in vain.
test.concurrent.each(Object.keys(wrong))("caught: a fetcher that %s", async (name) => {
  expect(await failureOf(wrong[name]!)).toBeDefined();
});
