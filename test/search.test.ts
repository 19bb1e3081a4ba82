/** Searches through the public door: providers in order, operators, scraping of results, the engine's own index. */
import { expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage, ownIndex, type SearchProvider } from "../src/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

function providerOf(name: string, urls: readonly string[]): SearchProvider & { asked: number } {
  const provider = {
    name,
    asked: 0,
    search: async () => {
      provider.asked++;
      return urls.map((url) => ({ url, title: `Title of ${url}`, description: `About ${url}` }));
    },
  };
  return provider;
}

const failing = (name: string, message: string): SearchProvider => ({
  name,
  search: async () => {
    throw new Error(message);
  },
});

test("results have url, title and description, each page once; one credit each", async () => {
  const search = providerOf("a", [
    "https://x.example/1",
    "http://www.x.example/1/",
    "https://x.example/2",
    "ftp://x.example",
    "https://x.example/3",
  ]);
  const engine = engineFor({ search });
  const answer = await engine.search({ query: "x", limit: 2 });
  expect(answer).toEqual({
    success: true,
    warning: null,
    data: [1, 2].map((n) => ({
      url: `https://x.example/${n}`,
      title: `Title of https://x.example/${n}`,
      description: `About https://x.example/${n}`,
    })),
  });
  expect((await engine.getCreditUsageHistorical()).periods[0]?.totalCredits).toBe(2);
});

test("what a provider gives instead of texts is left out", async () => {
  const given = [{ url: "https://x.example/1", title: 7, description: { html: "<b>x</b>" } }, { url: 3 }, null];
  const engine = engineFor({ search: { name: "odd", search: async () => given as never } });
  expect((await engine.search({ query: "x" })).data).toEqual([
    { url: "https://x.example/1", title: "7", description: "" },
  ]);
});

test("results whose URLs no other call would take are left out only when that is asked for", async () => {
  const server = await site({ "/a": page("Page A") });
  const plain = new URL(server.url).host;
  const search = providerOf("a", ["ftp://x.example/1", `${plain}/a`, "not a url", " ", `${server.url}/a`]);
  const engine = engineFor({ search });
  const scrapeOptions = { formats: ["markdown"] } as const;
  const all = await engine.search({ query: "x", scrapeOptions });
  expect(all.data).toMatchObject([
    {
      url: "ftp://x.example/1",
      metadata: { sourceURL: "ftp://x.example/1", statusCode: 0, error: expect.any(String) },
    },
    { url: `${server.url}/a`, markdown: expect.stringContaining("# Page A"), metadata: { statusCode: 200 } },
    { url: "not a url", metadata: { statusCode: 0, error: expect.any(String) } },
  ]);
  expect(all.warning).toContain("2 of 3 results could not be scraped");
  const valid = await engine.search({ query: "x", ignoreInvalidURLs: true });
  expect(valid).toMatchObject({ warning: null, data: [{ url: `${server.url}/a` }] });
  expect(valid.data).toHaveLength(1);
});

test("of more results than are wanted, only as many are looked at as that takes, and all of them in turns", async () => {
  let looked = 0;
  const hit = (at: number) => ({
    get url() {
      looked++;
      return `https://x${at}.example/`;
    },
    title: "A kettle",
    description: "",
  });
  const hits = Array.from({ length: 200_000 }, (_, at) => hit(at));
  const engine = engineFor({ search: { name: "endless", search: async () => hits } });
  expect((await engine.search({ query: "kettle", limit: 5 })).data).toHaveLength(5);
  expect(looked).toBe(5);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  expect((await engine.search({ query: "-kettle", limit: 5 })).data).toEqual([]);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
});

test("a provider that fails gives way, and the warning says so; all failing is an error with the reasons", async () => {
  const good = providerOf("good", ["https://x.example/1"]);
  const answer = await engineFor({ search: [failing("first", "blocked"), good] }).search({ query: "x" });
  expect(answer.data).toHaveLength(1);
  expect(answer.warning).toContain("first: blocked");
  const none = engineFor({ search: [failing("first", "blocked"), failing("second", "broken")] });
  await expect(none.search({ query: "x" })).rejects.toMatchObject({
    code: "SCRAPE_ALL_ENGINES_FAILED",
    message: expect.stringMatching(/first: blocked; second: broken/),
  });
  // As a program without types may have it.
  const lost = { name: "lost", search: async () => null as never };
  expect(await engineFor({ search: [lost, good] }).search({ query: "x" })).toMatchObject({
    data: [{ url: "https://x.example/1" }],
    warning: "lost: gave no list of results.",
  });
  await expect(engineFor({ search: lost }).search({ query: "x" })).rejects.toThrow("lost: gave no list of results");
  const nameless = { name: "nameless", search: async () => [{ link: "https://x.example/1" }] as never };
  const answered = await engineFor({ search: [nameless, good] }).search({ query: "x" });
  expect(answered).toMatchObject({ data: [{}], warning: "nameless: gave results without a url." });
  await expect(engineFor({ search: nameless }).search({ query: "x" })).rejects.toThrow("gave results without a url");
  const empty = await engineFor({ search: providerOf("none", []) }).search({ query: "x" });
  expect(empty).toMatchObject({ success: true, data: [], warning: "Nothing was found." });
});

test("a provider is not asked beyond its limits", async () => {
  const slow: SearchProvider = { name: "slow", limits: { timeoutMs: 50 }, search: () => new Promise(() => {}) };
  const rare = Object.assign(providerOf("rare", ["https://rare.example"]), {
    limits: { requestsPerMinute: 1, maxResults: 3 },
  });
  const often = providerOf("often", ["https://often.example"]);
  const engine = engineFor({ search: [slow, rare, often] });
  expect((await engine.search({ query: "x" })).data[0]?.url).toBe("https://rare.example");
  const second = await engine.search({ query: "x" });
  expect(second.data[0]?.url).toBe("https://often.example");
  expect(second.warning).toMatch(/slow: gave no answer within 50 ms; rare: .* limit/);
});

test("a provider is asked for more than is wanted, because a page may come twice", async () => {
  const urls = ["https://x.example/1", "https://x.example/1#a", "https://x.example/2", "https://x.example/2#a"];
  const search: SearchProvider = {
    name: "a",
    search: async ({ limit }) => urls.slice(0, limit).map((url) => ({ url, title: "", description: "" })),
  };
  const { data } = await engineFor({ search }).search({ query: "x", limit: 2 });
  expect(data.map(({ url }) => url)).toEqual([urls[0], urls[2]]);
});

test("a clock that is set back does not keep a provider from being asked", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const search = Object.assign(providerOf("rare", ["https://rare.example"]), { limits: { requestsPerMinute: 1 } });
  const engine = engineFor({ search });
  const asked = async () => (await engine.search({ query: "x" }).catch(() => ({ data: [] }))).data.length;
  expect([await asked(), await asked()]).toEqual([1, 0]);
  vi.advanceTimersByTime(61_000);
  vi.setSystemTime(Date.now() - 60 * 60 * 1000);
  expect(await asked()).toBe(1);
});

test("operators are checked on what a provider gives", async () => {
  const search = providerOf("a", [
    "https://docs.x.example/guide/start",
    "https://x.example/blog/start",
    "https://other.example/guide",
  ]);
  const urls = async (query: string) => (await engineFor({ search }).search({ query })).data.map(({ url }) => url);
  expect(await urls("start site:x.example")).toEqual([
    "https://docs.x.example/guide/start",
    "https://x.example/blog/start",
  ]);
  expect(await urls("start -site:x.example")).toEqual(["https://other.example/guide"]);
  expect(await urls("inurl:guide -inurl:docs")).toEqual(["https://other.example/guide"]);
  expect(await urls("allinurl: blog start")).toEqual(["https://x.example/blog/start"]);
  expect(await urls('x -intitle:"blog start"')).toEqual([
    "https://docs.x.example/guide/start",
    "https://other.example/guide",
  ]);
});

test("with OR, one of two terms is enough, and only results with all words of an excluded allinurl: are left out", async () => {
  const search = providerOf("a", [
    "https://docs.x.example/guide/start",
    "https://y.example/blog/start",
    "https://other.example/guide",
  ]);
  const hosts = async (query: string) =>
    (await engineFor({ search }).search({ query })).data.map(({ url }) => new URL(url).hostname);
  expect(await hosts("start site:x.example OR site:y.example")).toEqual(["docs.x.example", "y.example"]);
  expect(await hosts("site:y.example OR -inurl:start OR intitle:nothing")).toEqual(["y.example", "other.example"]);
  expect(await hosts("inurl:guide OR inurl:blog -site:x.example")).toEqual(["y.example", "other.example"]);
  expect(await hosts("-allinurl:guide start")).toEqual(["y.example", "other.example"]);
  expect(await hosts("guide -allintitle: blog start")).toEqual(["docs.x.example", "other.example"]);
});

test("signs between words neither find nor exclude anything", async () => {
  const search = providerOf("a", ["https://x.example/impl"]);
  const count = async (query: string) => (await engineFor({ search }).search({ query })).data.length;
  for (const query of ["fn -> impl", "tea -- kettle", "tea --", "a -& b"])
    expect([query, await count(query)]).toEqual([query, 1]);
});

test("with formats the results are scraped; a page that fails keeps its description and has the error", async () => {
  const server = await site({
    "/a": page("Page A"),
    "/b": { status: 404, body: "gone" },
    "/slow": { delay: 5000, body: "late" },
  });
  const dead = "http://127.0.0.1:1/dead";
  const search = providerOf("a", [`${server.url}/a`, dead, `${server.url}/b`, `${server.url}/slow`]);
  const engine = engineFor({ search });
  const { data, warning } = await engine.search({
    query: "x",
    timeout: 1500,
    scrapeOptions: { formats: ["markdown"] },
  });
  expect(data[0]).toMatchObject({
    url: `${server.url}/a`,
    title: `Title of ${server.url}/a`,
    markdown: expect.stringContaining("# Page A"),
  });
  expect(data[1]).toMatchObject({
    url: dead,
    description: `About ${dead}`,
    metadata: { sourceURL: dead, statusCode: 0, error: expect.any(String) },
  });
  expect(data[2]?.metadata).toMatchObject({ statusCode: 404, error: "Not Found" });
  expect(data[3]?.metadata?.error).toContain("1500 ms");
  expect(warning).toContain("2 of 4 results could not be scraped");
  expect((await engine.getCreditUsageHistorical()).periods[0]?.totalCredits).toBe(4);
});

test("a part of the host that fails on one page costs its result only, and not the others", async () => {
  const server = await site({ "/a": page("Page A"), "/b": page("Page B"), "/c": page("Page C") });
  const turndown = {
    turndown(tree: { readonly textContent: string }) {
      if (tree.textContent.includes("Page B")) throw new Error("a rule of the host failed");
      return "written";
    },
  };
  const search = providerOf(
    "a",
    ["/a", "/b", "/c"].map((path) => server.url + path),
  );
  const engine = engineFor({ search, turndown });
  const { data, warning } = await engine.search({ query: "x", scrapeOptions: { formats: ["markdown"] } });
  expect(data.map(({ markdown }) => markdown)).toEqual(["written", undefined, "written"]);
  expect(data[1]?.metadata).toMatchObject({
    statusCode: 0,
    error: `${server.url}/b could not be scraped: a rule of the host failed`,
  });
  expect(warning).toBe("1 of 3 results could not be scraped.");
});

test("the caller's abort and the timeout end a search", async () => {
  const search: SearchProvider = { name: "slow", search: () => new Promise(() => {}) };
  const engine = engineFor({ search });
  const reason = new Error("enough");
  await expect(engine.search({ query: "x" }, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  await expect(engine.search({ query: "x" }, { signal: controller.signal })).rejects.toBe(reason);
  await expect(engine.search({ query: "x", timeout: 100 })).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
});

test("a bad request names what is wrong; a storage without index and no provider is refused", async () => {
  const engine = engineFor({ search: providerOf("a", []) });
  await expect(engine.search({ query: "x", limit: 101, tbs: "qdr:x" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["limit"] }, { path: ["tbs"] }],
  });
  const { index: _index, ...storage } = memoryStorage();
  await expect(engineFor({ storage }).search({ query: "x" })).rejects.toMatchObject({ code: "UNSUPPORTED" });
});

function article(title: string, text: string, date = ""): string {
  const meta = date === "" ? "" : `<meta property="article:modified_time" content="${date}">`;
  return `<html lang="en"><head><title>${title}</title>${meta}</head><body><main><h1>${title}</h1><p>${text}</p>
    <p>There is more to be read on this page, which is here for the sake of having some content of its own.</p></main></body></html>`;
}

test("without a provider the engine's own pages are searched: words, operators, dates, teams", async () => {
  const server = await site({
    "/kettles/steel": article(
      "Steel kettles",
      "A steel kettle boils water quickly. Our steel kettle comes in red and blue.",
      "2021-05-05T00:00:00Z",
    ),
    "/kettles/glass": article("Glass kettles", "A glass kettle lets you see the water boil."),
    "/trains": article(
      "Trains",
      "A steel wheel on a steel rail. No kettles here, said the water engineer.",
      "2020-01-02T00:00:00Z",
    ),
    "/private": article("Private kettle", "Secret kettle notes."),
  });
  const engine = engineFor();
  for (const path of ["/kettles/steel", "/kettles/glass", "/trains"]) await engine.scrape({ url: server.url + path });
  await engine.scrape({ url: `${server.url}/private` }, { team: "other" });
  await engine.scrape({ url: `${server.url}/private`, storeInCache: false });
  const found = async (query: string, more: object = {}) =>
    (await engine.search({ query, ...more })).data.map(({ url }) => new URL(url).pathname);
  expect(await found('"steel" kettle')).toEqual(["/kettles/steel", "/trains"]);
  expect(await found('"steel kettle"')).toEqual(["/kettles/steel"]);
  expect(await found('"boils water" red')).toEqual(["/kettles/steel"]);
  expect(await found("kettle -glass")).toEqual(["/kettles/steel", "/trains"]);
  expect(await found("kettle -intitle:trains -steel")).toEqual(["/kettles/glass"]);
  expect(await found("water inurl:kettles")).toHaveLength(2);
  expect(await found("allintitle: steel kettles")).toEqual(["/kettles/steel"]);
  expect(await found(`site:${new URL(server.url).host}/trains`)).toEqual(["/trains"]);
  expect(await found(`related:${server.url}/kettles/steel`)).toContain("/kettles/glass");
  expect(await found(`related:${server.url}/kettles/steel`)).not.toContain("/kettles/steel");
  expect(await found("kettle", { tbs: "qdr:h" })).toEqual(["/kettles/glass"]);
  expect(await found("kettle", { tbs: "cdr:1,cd_min:01/01/2020,cd_max:12/31/2020" })).toEqual(["/trains"]);
  expect(await found("kettle", { limit: 1 })).toHaveLength(1);
  expect(await found("secret")).toEqual([]);
  expect(await found('water -> steel "rail"')).toEqual(["/trains"]);
  expect(await found('"glass kettles glass"')).toEqual([]);
  expect((await found('"steel kettle" OR "glass kettle"')).sort()).toEqual(["/kettles/glass", "/kettles/steel"]);
  expect(await found("intitle:trains OR inurl:glass")).toHaveLength(2);
  expect(await found("kettle site:x.example OR inurl:trains")).toEqual(["/trains"]);
  expect(await found("kettle -allinurl:kettles steel")).toEqual(["/kettles/glass", "/trains"]);
  for (const query of ["!!!", "🍵", '""', "%", "- - -"]) expect(await found(query)).toEqual([]);
  const { data } = await engine.search({ query: "boil glass" });
  expect(data[0]?.description).toContain("lets you see the water boil");
});

test("a page that is gone when it is scraped again is not found any more; one that fails for now is", async () => {
  const kettle = article("Kettle", "A steel kettle boils water quickly.");
  const answers = { "/gone": 404, "/removed": 410, "/down": 503, "/private": 403 };
  let isLater = false;
  const later = (status: number) => () => (isLater ? { status, body: article("Sorry", "No kettle.") } : kettle);
  const routes = Object.entries(answers).map(([path, status]) => [path, later(status)]);
  const server = await site(Object.fromEntries(routes));
  const engine = engineFor();
  const found = async () => paths((await engine.search({ query: "kettle" })).data.map((metadata) => ({ metadata })));
  const urls = Object.keys(answers).map((path) => server.url + path);
  for (const url of urls) await engine.scrape({ url });
  expect(await found()).toEqual(["/down", "/gone", "/private", "/removed"]);
  isLater = true;
  for (const url of urls) await engine.scrape({ url, formats: ["links"] });
  await engine.scrape({ url: urls[0]! }, { team: "other" });
  expect(await found()).toEqual(["/down", "/private"]);
  isLater = false;
  await engine.scrape({ url: urls[0]! });
  expect(await found()).toEqual(["/down", "/gone", "/private"]);
});

test("a page that leads to one which says that it is gone is not found any more", async () => {
  const kettle = article("Kettle", "A steel kettle boils water quickly.");
  const server = await site({
    "/kettle": ({ count }) => (count === 1 ? kettle : { status: 302, headers: { location: "/nothing" } }),
    "/nothing": { status: 404, body: article("Sorry", "No kettle.") },
  });
  const engine = engineFor();
  const scraped = async () => {
    await engine.scrape({ url: `${server.url}/kettle` });
    return (await engine.search({ query: "kettle" })).data.length;
  };
  expect([await scraped(), await scraped()]).toEqual([1, 0]);
});

test("pages with all words come first, then those with the most telling ones; a question need not be met in full", async () => {
  const server = await site({
    "/steel": article("Red kettles", "Some kettles are red, and some are of steel."),
    "/glass": article("Glass kettles", "A kettle of glass lets you see the water boil."),
    "/trains": article("Trains", "Where does a train go? It goes from here to there."),
    "/boats": article("Boats", "Ships and sails."),
  });
  const found = async (query: string, search?: SearchProvider[]) => {
    const engine = engineFor({ storage, ...(search === undefined ? {} : { search }) });
    return (await engine.search({ query })).data.map(({ url }) => new URL(url).pathname);
  };
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  for (const path of ["/steel", "/glass", "/trains", "/boats"]) await engine.scrape({ url: server.url + path });
  expect(await found("red kettle")).toEqual(["/steel", "/glass"]);
  expect((await found("where can I buy a kettle made of glass?"))[0]).toBe("/glass");
  expect(await found("glass sails -ships")).toEqual(["/glass"]);
  expect(await found('"glass" sails')).toEqual(["/glass"]);
  expect(await found("submarine")).toEqual([]);
  // Another provider may know pages with all words.
  const other = providerOf("other", ["https://x.example/elsewhere"]);
  expect(await found("glass sails", [ownIndex(storage.index!), other])).toEqual(["/elsewhere"]);
  expect(await found("red kettle", [ownIndex(storage.index!), other])).toEqual(["/steel"]);
  expect(await found("glass sails", [providerOf("empty", []), ownIndex(storage.index!)])).toEqual(["/glass", "/boats"]);
});

test("a page is found by other forms of its words, and by what a question asks for", async () => {
  const { url } = await site({
    "/crawl": page("How the companies of the city crawled its libraries"),
    "/why": page("What it is and why the others do so, and how"),
  });
  const engine = engineFor();
  await (await engine.batchScrape({ urls: [`${url}/crawl`, `${url}/why`] })).wait();
  const first = async (query: string) => (await engine.search({ query })).data.map((hit) => hit.url?.slice(url.length));
  for (const query of ["crawling", "crawls company", "city library", "How do I crawl it, and why?"]) {
    expect(await first(query)).toEqual(["/crawl"]);
  }
  expect(await first("why is it so")).toContain("/why");
});

test("the own index, whose first search after a crawl has pages to index, has longer than the other providers", () => {
  expect(ownIndex(memoryStorage().index!).limits).toEqual({ timeoutMs: 45_000 });
});

test("a character of Chinese, Japanese or Korean is found wherever it stands", async () => {
  const server = await site({
    "/green": article("緑茶専門店", "緑茶の入れ方を説明します。"),
    "/water": article("물을 끓이다", "주전자로 물을 끓입니다."),
  });
  const engine = engineFor();
  for (const path of ["/green", "/water"]) await engine.scrape({ url: server.url + path });
  const found = async (query: string) => (await engine.search({ query })).data.map(({ url }) => new URL(url).pathname);
  for (const query of ["茶", "緑", "緑茶", "intitle:店", "茶 説"])
    expect([query, await found(query)]).toEqual([query, ["/green"]]);
  expect(await found("물")).toEqual(["/water"]);
  expect(await found("緑説")).toEqual([]);
});

test("ß and ss are one, as in capitals", async () => {
  const server = await site({
    "/small": article("Fußball", "Die Straße ist lang."),
    "/large": article("STRASSE", "FUSSBALL"),
  });
  const engine = engineFor();
  for (const path of ["/small", "/large"]) await engine.scrape({ url: server.url + path });
  for (const query of ["Straße", "strasse", "FUSSBALL", "Fußball", '"straße"', '"STRASSE"'])
    expect([query, (await engine.search({ query })).data.length]).toEqual([query, 2]);
});

test("thousands of accents in disorder hold up no search", async () => {
  const disorder = `e${"\u{301}".repeat(60_000)}${"\u{316}".repeat(60_000)}`;
  const server = await site({ "/a": `<title>Kettle</title><main><p>A kettle of caf${disorder} no. 7</p></main>` });
  const engine = engineFor();
  const began = cpuTime();
  await engine.scrape({ url: `${server.url}/a` });
  for (const query of ["kettle cafe", '"of café no"']) {
    expect((await engine.search({ query })).data.map(({ url }) => url)).toEqual([`${server.url}/a`]);
  }
  expect(cpuTime() - began).toBeLessThan(2_500);
});

test("a word of Thai, Lao, Khmer or Burmese is found within a text that sets no spaces", async () => {
  const texts = {
    thai: ["ประเทศไทยสวยงามมาก", "สวยงาม"],
    lao: ["ປະເທດລາວງາມຫຼາຍ", "ລາວ"],
    khmer: ["ប្រទេសកម្ពុជាស្អាតណាស់", "កម្ពុជា"],
    burmese: ["မြန်မာနိုင်ငံလှပသည်", "နိုင်ငံ"],
  } as const;
  const routes = Object.entries(texts).map(([name, [text]]) => [`/${name}`, article(text, text)] as const);
  const server = await site(Object.fromEntries(routes));
  for (const storage of [memoryStorage(), sqliteStorage({ path: ":memory:" })]) {
    const engine = engineFor({ storage });
    for (const [path] of routes) await engine.scrape({ url: server.url + path });
    for (const [name, [, query]] of Object.entries(texts)) {
      const found = (await engine.search({ query })).data.map(({ url }) => new URL(url).pathname);
      expect([query, found]).toEqual([query, [`/${name}`]]);
    }
  }
});

test("a description shows what was searched, also in a text that sets no spaces", async () => {
  const before = "煎茶は熱すぎない湯で入れます。".repeat(40);
  const server = await site({ "/tea": article("茶の手引き", `${before}玉露は低い温度で入れます。${before}`) });
  const engine = engineFor();
  await engine.scrape({ url: `${server.url}/tea` });
  const { data } = await engine.search({ query: "玉露" });
  expect(data[0]?.description).toContain("玉露は低い温度で入れます。");
  expect(data[0]?.description.length).toBeLessThan(300);
});

test("Japanese words with a long vowel, and words that touch letters or numbers of other scripts, are found", async () => {
  const server = await site({
    "/tower": article("東京タワーの案内", "高いタワーは駅から近い。コンピューターもある。"),
    "/case": article("iPhone用ケース", "使用Python编程可以做很多事情,2024年更新。"),
  });
  const engine = engineFor();
  for (const path of ["/tower", "/case"]) await engine.scrape({ url: server.url + path });
  const found = async (query: string) => (await engine.search({ query })).data.map(({ url }) => new URL(url).pathname);
  for (const query of ["タワー", "東京タワー", "コンピューター", '"東京タワー"', "intitle:タワー"])
    expect([query, await found(query)]).toEqual([query, ["/tower"]]);
  for (const query of ["ケース", "iphone", "编程", "Python", "2024", "2024年", "intitle:ケース"])
    expect([query, await found(query)]).toEqual([query, ["/case"]]);
});

test.each([
  ["memory", memoryStorage],
  ["sqlite", () => sqliteStorage({ path: ":memory:" })],
])("the own index in %s puts pages of the place first, and says what it makes no use of", async (_, open) => {
  const server = await site({
    "/hamburg": article("Tea shop", "A tea shop, the oldest tea shop of all. The tea shop is in Hamburg."),
    "/berlin": article("Shops", "Among many others there is one shop for tea. It is in Berlin."),
    "*": ({ url }) => article(`Other ${url.pathname}`, "A page about something else."),
  });
  const engine = engineFor({ storage: open() });
  for (const path of ["/hamburg", "/berlin", "/1", "/2", "/3", "/4"]) await engine.scrape({ url: server.url + path });
  const ask = async (more: object) => {
    const { data, warning } = await engine.search({ query: "tea shop", ...more });
    return [data.map(({ url }) => new URL(url).pathname), warning];
  };
  expect(await ask({ lang: "en", country: "US" })).toEqual([["/hamburg", "/berlin"], null]);
  expect(await ask({ location: "Berlin,Germany" })).toEqual([["/berlin", "/hamburg"], null]);
  const either = `shop OR site:${new URL(server.url).host}`;
  expect((await engine.search({ query: either, location: "Berlin", limit: 9 })).data).toHaveLength(6);
  const warning = "own index: makes no use of lang, country, filter.";
  expect(await ask({ lang: "de", country: "at", filter: "x" })).toEqual([["/hamburg", "/berlin"], warning]);
  expect(
    (await engine.search({ query: `site:${new URL(server.url).host}`, location: "Rome", limit: 9 })).data,
  ).toHaveLength(6);
});

test("a provider that finds nothing, or nothing that meets the query, is followed by the next", async () => {
  const search = [
    providerOf("empty", []),
    providerOf("other", ["https://x.example/1"]),
    providerOf("last", ["https://y.example/1"]),
  ];
  const { data } = await engineFor({ search }).search({ query: "site:y.example" });
  expect(data.map(({ url }) => url)).toEqual(["https://y.example/1"]);
  expect(search.map(({ asked }) => asked)).toEqual([1, 1, 1]);
});

test("a site may be one port of a host", async () => {
  const urls = ["http://x.example/1", "http://x.example:3000/1", "http://x.example:3001/1"];
  const engine = engineFor({ search: providerOf("a", urls) });
  const found = async (query: string) => (await engine.search({ query })).data.map(({ url }) => url);
  expect(await found("site:x.example:3000")).toEqual([urls[1]]);
  expect(await found("site:x.example")).toEqual(urls);
});

test("a site may be named with stars, as in the patterns of an extract", async () => {
  const urls = ["https://x.example/a", "https://sub.x.example/docs/b", "https://notx.example/docs"];
  const engine = engineFor({ search: providerOf("a", urls) });
  const found = async (query: string) => (await engine.search({ query })).data.map(({ url }) => url);
  expect(await found("site:sub.x.example/do")).toEqual([]);
  expect(await found("site:*.x.example")).toEqual(urls.slice(0, 2));
  expect(await found("site:x.example/*")).toEqual(urls.slice(0, 2));
  expect(await found("site:https://*.x.example/docs/**")).toEqual([urls[1]]);
  expect(await found("-site:*.x.example/*")).toEqual([urls[2]]);
});

test("of a query's terms, the first 64 count", async () => {
  const terms: number[] = [];
  const search: SearchProvider = {
    name: "a",
    search: async (query) => {
      terms.push(query.terms.length);
      return [];
    },
  };
  await engineFor({ search }).search({ query: "tea ".repeat(1000) });
  expect(terms).toEqual([64]);
});
