/** The conformance suite of the {@link SearchProvider} contract. */
import assert from "node:assert/strict";
import type { HttpClient, HttpRequest } from "../ports/http-client.ts";
import type { SearchProvider, SearchQuery } from "../ports/search-provider.ts";
import { parseSearchQuery } from "../shared/search-terms.ts";
import { freshForEach } from "./fresh-for-each.ts";
import { plainHttpClient } from "./plain-http-client.ts";

/** `describe` and `it` of a test runner: vitest, jest, node:test. */
export interface SuiteRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** The provider that one test uses. */
export interface SearchProviderCase {
  readonly provider: SearchProvider;
  /** The client that the provider is given. @default one that may reach every address */
  readonly http?: HttpClient | undefined;
  /** A query that finds at least two pages. */
  readonly finds: string;
  /** A query that finds none. */
  readonly findsNothing: string;
  close?(): Promise<void>;
}

/** A provider whose service is out of order. Leave it out if there is no service. */
export type BrokenCase = Pick<SearchProviderCase, "provider" | "http" | "close">;

/**
 * Registers the tests of the {@link SearchProvider} contract with the given test runner.
 *
 * @param name the provider's name, for the report
 * @param cases `open` creates a provider for one test, `openBroken` one whose service is out of order
 * @example
 * import { describe, it } from "node:test";
 * import type { SearchProvider } from "crawlcore";
 * import { testSearchProvider } from "crawlcore/testing";
 *
 * const titles = ["Steel kettles", "A kettle for tea", "Pans"];
 * const pages = titles.map((title, n) => ({ url: `https://shop.example/${n}`, title, description: "" }));
 * const provider: SearchProvider = {
 *   name: "catalogue",
 *   search: async ({ query }) => pages.filter(({ title }) => title.includes(query)),
 * };
 * const open = async () => ({ provider, finds: "kettle", findsNothing: "submarine" });
 * testSearchProvider("catalogue", { describe, it }, { open });
 */
export function testSearchProvider(
  name: string,
  { describe, it }: SuiteRunner,
  cases: { open(): Promise<SearchProviderCase>; openBroken?(): Promise<BrokenCase> },
): void {
  const query = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
    query: text,
    terms: parseSearchQuery(text),
    limit: 5,
    lang: "en",
    country: "us",
    team: "default",
    ...more,
  });

  const test = freshForEach(it, () => withClient(cases.open()));

  describe(`search provider: ${name}`, () => {
    const signal = () => new AbortController().signal;

    test("has a name", async ({ provider }) => {
      assert.equal(typeof provider.name, "string");
      assert.notEqual(provider.name, "");
    });

    test("finds pages with an absolute URL, a title and a description", async ({ provider, http, finds }) => {
      const hits = await provider.search(query(finds), { signal: signal(), http });
      assert.ok(hits.length >= 2, "at least two results");
      for (const hit of hits) {
        assert.match(hit.url, /^https?:\/\//);
        assert.equal(typeof hit.title, "string");
        assert.equal(typeof hit.description, "string");
        assert.doesNotMatch(hit.description, /<\/?(?:b|strong|em)>/i);
      }
    });

    test("gives the same order twice", async ({ provider, http, finds }) => {
      const urls = async () => (await provider.search(query(finds), { signal: signal(), http })).map(({ url }) => url);
      assert.deepEqual(await urls(), await urls());
    });

    test("finds nothing without failing", async ({ provider, http, findsNothing }) => {
      assert.deepEqual(await provider.search(query(findsNothing), { signal: signal(), http }), []);
    });

    test("takes every time filter", async ({ provider, http, finds }) => {
      for (const tbs of ["qdr:h", "qdr:d", "qdr:w", "qdr:m", "qdr:y", "cdr:1,cd_min:01/31/2020,cd_max:12/31/2020"]) {
        assert.ok(Array.isArray(await provider.search(query(finds, { tbs }), { signal: signal(), http })));
      }
    });

    test("stops when its signal fires, and what it has asked for does", async ({ provider, http: open, finds }) => {
      const reason = new Error("enough");
      const stopping = ({ signal }: HttpRequest) =>
        assert.equal(signal?.reason, reason, "a request without the signal");
      const http: HttpClient = {
        async request(request) {
          stopping(request);
          return open.request(request);
        },
        async stream(request) {
          stopping(request);
          return open.stream(request);
        },
        close: () => open.close(),
      };
      const search = async () => provider.search(query(finds), { signal: AbortSignal.abort(reason), http });
      // A provider that answers from memory may be faster than the signal.
      await search().then(
        (hits) => assert.ok(Array.isArray(hits)),
        (error: unknown) => assert.equal(error, reason),
      );
    });

    if (cases.openBroken !== undefined) {
      const { openBroken } = cases;
      const testBroken = freshForEach(it, () => withClient(openBroken()));
      testBroken("rejects when its service is out of order", async ({ provider, http }) => {
        await assert.rejects(async () => provider.search(query("kettle"), { signal: signal(), http }));
      });
    }
  });
}

async function withClient<Case extends BrokenCase>(opened: Promise<Case>): Promise<Case & { http: HttpClient }> {
  const one = await opened;
  return { ...one, http: one.http ?? plainHttpClient };
}
