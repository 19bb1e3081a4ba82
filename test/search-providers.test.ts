/** The search providers of the package, against servers that answer as the real ones do. */
import { describe, expect, it, test } from "vitest";
import { createConnectors } from "../src/fetch/connectors.ts";
import { createHttpClient } from "../src/fetch/http-client.ts";
import { brave, duckDuckGo, jsonSearch, memoryStorage, ownIndex, type SearchProvider, searxng } from "../src/index.ts";
import type { SearchQuery } from "../src/ports/search-provider.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import type { TestHandler } from "../src/testing/index.ts";
import { startTestSite, testSearchProvider } from "../src/testing/index.ts";
import { firstFailure } from "./first-failure.ts";
import { engineFor, site } from "./start-engine.ts";

const network = { allowHosts: ["127.0.0.1"] };
const client = () => createHttpClient(createConnectors(network), network);

const pages = [
  { url: "https://tea.example/kettles", title: "Kettles", text: "All kettles for tea" },
  { url: "https://shop.example/kettle?id=1", title: "Steel kettle", text: "A kettle of steel" },
];
const found = (query: string | null) => (query?.includes("kettle") ? pages : []);

function json(value: unknown) {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

const searxngAnswer: TestHandler = ({ url }) => {
  if (url.searchParams.get("format") !== "json") return { status: 403, body: "no" };
  const results = url.searchParams.get("pageno") === "1" ? found(url.searchParams.get("q")) : [];
  return json({
    query: "",
    results: results.map(({ url, title, text }) => ({ url, title, content: text, engine: "x" })),
  });
};

const braveAnswer: TestHandler = ({ url, request }) => {
  if (request.headers["x-subscription-token"] !== "key") return { status: 401, body: "no" };
  const results = found(url.searchParams.get("q")).map(({ url, title, text }) => ({
    url,
    title,
    description: `<strong>${text}</strong> &amp; more`,
  }));
  return json({ query: { more_results_available: false }, web: results.length === 0 ? undefined : { results } });
};

const serperAnswer: TestHandler = async ({ request }) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { q } = JSON.parse(body) as { q: string };
  return json({ organic: found(q).map(({ url, title, text }) => ({ link: url, title, snippet: text })) });
};

const duckAnswer: TestHandler = async ({ request }) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const results = found(new URLSearchParams(body).get("q")).map(
    ({
      url,
      title,
      text,
    }) => `<div class="result"><h2><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1">${title}</a></h2>
      <a class="result__snippet" href="#">${text.replace("kettle", "<b>kettle</b>")}</a></div>`,
  );
  return `<html><body><div class="results">${results.join("")}</div></body></html>`;
};

const drivers: Record<string, { answer: TestHandler; make: (url: string) => SearchProvider }> = {
  searxng: { answer: searxngAnswer, make: (url) => searxng({ url }) },
  brave: { answer: braveAnswer, make: (url) => brave({ url, apiKey: "key" }) },
  "json api": {
    answer: serperAnswer,
    make: (url) =>
      jsonSearch({
        name: "serper",
        url,
        request: ({ query, limit }) => ({ q: query, num: limit }),
        results: "organic",
        fields: { url: "link", title: "title", description: "snippet" },
      }),
  },
  duckduckgo: { answer: duckAnswer, make: (url) => duckDuckGo({ url }) },
};

for (const [name, { answer, make }] of Object.entries(drivers)) {
  const opened = async (route: TestHandler) => {
    const site = await startTestSite({ "*": route });
    const http = client();
    return {
      provider: make(`${site.url}/`),
      http,
      finds: "kettle",
      findsNothing: "submarine",
      close: async () => {
        await http.close();
        await site.close();
      },
    };
  };
  const openBroken = () => opened(() => ({ status: 503, body: "out of order" }));
  testSearchProvider(name, { describe, it }, { open: () => opened(answer), openBroken });
  testSearchProvider(
    `${name}, with the client of the suite`,
    { describe, it },
    {
      open: async () => ({ ...(await opened(answer)), http: undefined }),
      openBroken: async () => ({ ...(await openBroken()), http: undefined }),
    },
  );
}

testSearchProvider(
  "own index in memory",
  { describe, it },
  {
    open: async () => {
      const index = memoryStorage().index!;
      for (const [number, { url, title, text }] of pages.entries()) {
        await index.put({
          team: "default",
          key: url,
          url,
          title,
          description: "",
          markdown: text,
          publishedAt: null,
          seenAt: number,
        });
      }
      return { provider: ownIndex(index), http: client(), finds: "kettle", findsNothing: "submarine" };
    },
  },
);

test("caught by the suite: a provider that passes its signal on to nobody", async () => {
  const { url } = await site({ "*": json([]) });
  const deaf = (search: SearchProvider["search"]): SearchProvider => ({ name: "deaf", search });
  const failureOf = (provider: SearchProvider) =>
    firstFailure((it) => {
      const runner = { it, describe: (_: string, body: () => void) => body() };
      testSearchProvider("", runner, { open: async () => ({ provider, finds: "kettle", findsNothing: "submarine" }) });
    });
  const answer = async ({ query }: SearchQuery) => [...found(query)].map((page) => ({ ...page, description: "" }));
  const right = deaf(async (query, { http, signal }) => {
    await http.request({ url, signal });
    return answer(query);
  });
  const wrong = deaf(async (query, { http }) => {
    await http.request({ url });
    return answer(query);
  });
  expect(await failureOf(right)).toBe(undefined);
  expect(await failureOf(wrong)).toMatch(/signal/);
});

test("engines of SearXNG that gave no answer are named when nothing was found", async () => {
  const unresponsive = [["google", "Suspended: CAPTCHA"], ["bing", "timeout"], "odd"];
  const { url } = await site({ "/search": json({ results: [], unresponsive_engines: unresponsive }) });
  const { data, warning } = await engineFor({ search: searxng({ url }) }).search({ query: "kettle" });
  expect(data).toEqual([]);
  expect(warning).toBe("searxng: no answer from google (Suspended: CAPTCHA), bing (timeout); Nothing was found.");
});

test("time, place and language reach SearXNG and Brave in their own words", async () => {
  const site = await startTestSite({
    "*": (exchange) => (exchange.url.pathname === "/search" ? searxngAnswer(exchange) : braveAnswer(exchange)),
  });
  const http = client();
  const query = {
    query: "kettle allintitle: big red",
    terms: [
      { field: "anywhere", text: "kettle", exact: false, negated: false },
      { field: "title", text: "big", exact: true, negated: false },
      {
        field: "site",
        text: "a.example",
        exact: false,
        negated: false,
        alternatives: [{ field: "site", text: "b.example", exact: false, negated: false }],
      },
      { field: "url", text: "old shop", exact: false, negated: true },
    ],
    limit: 5,
    tbs: "qdr:w",
    location: "Berlin",
    lang: "de",
    country: "at",
  } as const;
  const signal = new AbortController().signal;
  await searxng({ url: site.url }).search(query, { signal, http });
  await brave({ url: `${site.url}/brave?tenant=7`, apiKey: "key" }).search(
    { ...query, tbs: "cdr:1,cd_min:02/01/2024,cd_max:02/29/2024" },
    { signal, http },
  );
  const [first, , last] = site.received.map(({ target }) => new URL(target, site.url).searchParams);
  expect(Object.fromEntries(first!)).toMatchObject({
    q: 'kettle intitle:"big" site:a.example OR site:b.example Berlin',
    time_range: "week",
    language: "de-AT",
  });
  expect(Object.fromEntries(last!)).toMatchObject({
    tenant: "7",
    q: first!.get("q"),
    country: "AT",
    search_lang: "de",
    freshness: "2024-02-01to2024-02-29",
  });
  await http.close();
  await site.close();
});

test.each([
  ["ja", "jp", "jp", "JP"],
  ["zh", "zh-hans", "sg", "ALL"],
  ["zh-CN", "zh-hans", "cn", "CN"],
  ["zh-TW", "zh-hant", "tw", "TW"],
  ["zh-Hant-HK", "zh-hant", "hk", "HK"],
  ["pt", "pt-pt", "pt", "PT"],
  ["pt-BR", "pt-br", "br", "BR"],
  ["en-GB", "en-gb", "ie", "ALL"],
  ["en-US", "en", "us", "US"],
  ["no", "nb", "no", "NO"],
])("Brave is asked for the language %s as %s, and from %s as from %s", async (lang, name, country, place) => {
  const site = await startTestSite({ "*": braveAnswer });
  const http = client();
  const search = brave({ url: `${site.url}/brave`, apiKey: "key" });
  await search.search(
    { query: "kettle", terms: [], limit: 5, lang, country },
    { signal: new AbortController().signal, http },
  );
  const { searchParams } = new URL(site.received[0]!.target, site.url);
  expect([searchParams.get("search_lang"), searchParams.get("country")]).toEqual([name, place]);
  await http.close();
  await site.close();
});

test("Brave is not asked for a language that it refuses, and the answer says so", async () => {
  const received: URLSearchParams[] = [];
  const { url } = await site({
    "*": ({ url }) => {
      received.push(url.searchParams);
      return json({ web: { results: [{ url: "https://teh.example/", title: "Teh", description: "Teh" }] } });
    },
  });
  const engine = engineFor({ search: brave({ apiKey: "key", url }) });
  const { data, warning } = await engine.search({ query: "teh", lang: "id-ID", country: "ID" });
  expect(data).toHaveLength(1);
  expect(warning).toBe("brave: does not know the language id-ID.");
  expect([received[0]?.get("search_lang"), received[0]?.get("country")]).toEqual([null, "ID"]);
});

test("Brave gets as much of a long query as it accepts, and the answer says so", async () => {
  const received: string[] = [];
  const { url } = await site({
    "*": ({ url }) => {
      received.push(url.searchParams.get("q") ?? "");
      return json({ web: { results: [{ url: "https://tea.example/", title: "Tea", description: "Tea" }] } });
    },
  });
  const engine = engineFor({ search: brave({ apiKey: "key", url }) });
  const short = await engine.search({ query: "tea ".repeat(50).trim() });
  const words = await engine.search({ query: "tea ".repeat(60).trim() });
  const letters = await engine.search({ query: "camellia-sinensis ".repeat(40).trim() });
  const word = await engine.search({ query: "茶".repeat(450) });
  expect(received.map((query) => query.split(" ").length)).toEqual([50, 50, 22, 1]);
  expect(received.at(-1)).toBe("茶".repeat(400));
  expect(short.warning).toBeNull();
  for (const { data, warning } of [words, letters, word]) {
    expect(data).toHaveLength(1);
    expect(warning).toBe("brave: takes 50 words of 400 characters in all, and got no more of the query.");
  }
});

test("a service that gives the same results on each page is not asked for more of them", async () => {
  let asked = 0;
  const { url } = await site({
    "/search": () => {
      asked++;
      return json({ results: pages.map(({ url, title, text }) => ({ url, title, content: text })) });
    },
  });
  const { data } = await engineFor({ search: searxng({ url }) }).search({ query: "kettle", limit: 20 });
  expect(data.map(({ url }) => url)).toEqual(pages.map(({ url }) => url));
  expect(asked).toBe(2);
});

test("marks and entities in what a service says are read as letters", async () => {
  const said = "<b>Tea</b> &amp; kettles&#8217; &#x2014; &apos;x&apos; caf&eacute;&hellip; &#55296; &constructor;";
  const body = JSON.stringify({ results: [{ url: "https://x.example/", title: said, content: said }] });
  const site = await startTestSite({ "*": () => ({ headers: { "content-type": "application/json" }, body }) });
  const http = client();
  const query = { query: "tea", terms: [], limit: 1 };
  const [hit] = await searxng({ url: site.url }).search(query, { signal: new AbortController().signal, http });
  expect(hit?.title).toBe("Tea & kettles’ — 'x' café… \ufffd &constructor;");
  await http.close();
  await site.close();
});

test("DuckDuckGo is asked with a filter, and sites whose names end like its own are found", async () => {
  const asked: string[] = [];
  const site = await startTestSite({
    "*": async ({ request }) => {
      for await (const chunk of request) asked.push(new URLSearchParams(String(chunk)).get("q") ?? "");
      const results = ["https://notduckduckgo.com/tea", "https://links.duckduckgo.com/y.js?ad_domain=shop.example"];
      return results.map((url) => `<a class="result__a" href="${url}">A <b>captcha</b> about tea</a>`).join("");
    },
  });
  const http = client();
  const query = { query: "tea", terms: parseSearchQuery("tea"), limit: 5, filter: "filetype:pdf" };
  const hits = await duckDuckGo({ url: site.url }).search(query, { signal: new AbortController().signal, http });
  expect(asked).toEqual(["tea filetype:pdf"]);
  // What a page is about is no question to a person.
  expect(hits).toEqual([{ url: "https://notduckduckgo.com/tea", title: "A captcha about tea", description: "" }]);
  await http.close();
  await site.close();
});

test("DuckDuckGo is asked for a region by its own name", async () => {
  const asked: (string | null)[] = [];
  const { url } = await site({
    "*": async ({ request }) => {
      for await (const chunk of request) asked.push(new URLSearchParams(String(chunk)).get("kl"));
      return '<a class="result__a" href="https://tea.example/">Tea</a>';
    },
  });
  const engine = engineFor({ search: duckDuckGo({ url }) });
  for (const [country, lang] of [
    ["GB", "en"],
    ["JP", "ja"],
    ["TW", "zh-Hant"],
    ["DE", "DE-de"],
  ] as const)
    await engine.search({ query: "tea", country, lang });
  expect(asked).toEqual(["uk-en", "jp-jp", "tw-tzh", "de-de"]);
});

test("a DuckDuckGo page that wants to see a person is a failure, not an empty result", async () => {
  const site = await startTestSite({
    "*": () => '<form id="challenge-form" action="//duckduckgo.com/anomaly.js"></form>',
  });
  const http = client();
  const search = duckDuckGo({ url: site.url }).search(
    { query: "a", terms: [], limit: 5 },
    { signal: new AbortController().signal, http },
  );
  await expect(search).rejects.toThrow("person");
  await http.close();
  await site.close();
});

test("a bound of a search provider that is undefined has its default", () => {
  const { limits } = duckDuckGo({ limits: { requestsPerMinute: undefined, maxResults: 3 } });
  expect(limits).toEqual({ requestsPerMinute: 10, maxResults: 3 });
});

test.each<[name: string, of: (url: string) => SearchProvider, list: (results: readonly object[]) => object]>([
  ["searxng", (url) => searxng({ url }), (results) => ({ results })],
  [
    "brave",
    (url) => brave({ url, apiKey: "key" }),
    (results) => ({ query: { more_results_available: true }, web: { results } }),
  ],
])("what %s has found stays when it refuses the next page", async (name, providerAt, list) => {
  const results = Array.from({ length: 20 }, (_, index) => ({
    url: `https://shop.example/${index}`,
    title: `Kettle ${index}`,
  }));
  const counts: (string | null)[] = [];
  const { url } = await site({
    "*": ({ count, url }) => {
      counts.push(url.searchParams.get("count"));
      return isFirst(url) && count === 1 ? json(list(results)) : { status: 429 };
    },
  });
  const engine = engineFor({ search: providerAt(url) });
  const { data } = await engine.search({ query: "kettle", limit: 15 });
  expect(data.map(({ title }) => title)).toEqual(results.slice(0, 15).map(({ title }) => title));
  // Brave refuses to give more at a time.
  expect(counts).toEqual(Array(2).fill(name === "brave" ? "20" : null));
  // The very first page is refused by now.
  await expect(engine.search({ query: "kettle", limit: 15 })).rejects.toThrow(/asks for a pause/);
});

function isFirst({ searchParams }: URL): boolean {
  return searchParams.get("pageno") === "1" || searchParams.get("offset") === "0";
}
