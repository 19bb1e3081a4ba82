/**
 * Hosts that answer so many pages a second and turn the others away, as web servers with a bound on requests do. The tests
 * mostly wait, so they do it together.
 */
import { expect, test } from "vitest";
import { memoryStorage } from "../src/index.ts";
import type { TestAnswer, TestExchange, TestRoutes } from "../src/testing/index.ts";
import { engineFor, page, site, type WhenFinished } from "./start-engine.ts";

const numbered = (url: string, count: number) =>
  Array.from({ length: count }, (_, index) => new URL(`/${index}`, url).href);

/** Answers a page each so many milliseconds, and three more at once after a pause. */
async function boundedSite(gapMs: number, turnAway: Refusal, whenFinished: WhenFinished) {
  let filledTo = 0;
  const routes: TestRoutes = {
    "*": (exchange) => {
      const now = performance.now();
      if (filledTo > now + 3 * gapMs) return turnAway(exchange);
      filledTo = Math.max(filledTo, now) + gapMs;
      return page(exchange.url.pathname);
    },
  };
  return site(routes, whenFinished);
}

type Refusal = (exchange: TestExchange) => TestAnswer | undefined;

const answering =
  (status: number): Refusal =>
  () => ({ status, body: page("too many") });
const hangingUp: Refusal = ({ request }) => {
  request.socket.destroy();
  return undefined;
};

for (const [what, turnAway] of [
  ["answers 429", answering(429)],
  ["answers 503", answering(503)],
  ["hangs up", hangingUp],
] as const) {
  test.concurrent(`all pages come of a host that ${what} to more than some a second`, async ({ onTestFinished }) => {
    const bounded = await boundedSite(90, turnAway, onTestFinished);
    const begun = performance.now();
    const job = await engineFor({}, onTestFinished).batchScrape({ urls: numbered(bounded.url, 40) });
    const { data } = await job.wait();
    expect(data.filter(({ metadata }) => metadata.statusCode !== 200)).toEqual([]);
    expect(data).toHaveLength(40);
    // Four seconds at the least; a minute if each page of those that are turned away together slowed the host down.
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
}

test.concurrent("pages of other hosts go on meanwhile, though more wait for it than are looked at together", async ({
  onTestFinished,
}) => {
  const bounded = await boundedSite(400, answering(429), onTestFinished);
  const quick = await site({ "*": page("quick") }, onTestFinished);
  const urls = [...numbered(bounded.url, 100), ...numbered(quick.url, 100)];
  const job = await engineFor({}, onTestFinished).batchScrape({ urls });
  let ofQuick = 0;
  let all = 0;
  for await (const { metadata } of job) {
    if (metadata.sourceURL?.startsWith(quick.url)) ofQuick++;
    if (++all === 100) break;
  }
  expect(ofQuick).toBeGreaterThan(75);
  await job.cancel();
});

for (const [what, turnAway, statusCode] of [
  ["answers 503", answering(503), 503],
  ["hangs up", hangingUp, 0],
] as const) {
  test.concurrent(`a host that ${what} to every page is not asked slowly for long`, async ({ onTestFinished }) => {
    const closed = await site({ "*": turnAway }, onTestFinished);
    const begun = performance.now();
    const job = await engineFor({}, onTestFinished).batchScrape({ urls: numbered(closed.url, 100) });
    const { data } = await job.wait();
    expect(new Set(data.map(({ metadata }) => metadata.statusCode))).toEqual(new Set([statusCode]));
    // At a page in two seconds it would be half an hour.
    expect(performance.now() - begun).toBeLessThan(40_000);
  });

  test.concurrent(`a host that ${what} to some pages always is asked for the others as before`, async ({
    onTestFinished,
  }) => {
    const routes: TestRoutes = {
      "*": (exchange) => (/0$/.test(exchange.url.pathname) ? turnAway(exchange) : page("fine")),
    };
    const broken = await site(routes, onTestFinished);
    const begun = performance.now();
    const { data } = await (
      await engineFor({}, onTestFinished).batchScrape({ urls: numbered(broken.url, 150) })
    ).wait();
    expect(data.filter(({ metadata }) => metadata.statusCode === 200)).toHaveLength(135);
    // Spaced by what its broken pages answer, it would take minutes.
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
}

test.concurrent("a page that is unlucky several times is tried again, as others came then", async ({
  onTestFinished,
}) => {
  const asked = new Map<string, number>();
  const routes: TestRoutes = {
    "*": ({ url: { pathname } }) => {
      const times = (asked.get(pathname) ?? 0) + 1;
      asked.set(pathname, times);
      return times > (/[1-3]7$/.test(pathname) ? 3 : 1) ? page("fine") : { status: 503, body: page("too many") };
    },
  };
  const busy = await site(routes, onTestFinished);
  const { data } = await (await engineFor({}, onTestFinished).batchScrape({ urls: numbered(busy.url, 40) })).wait();
  expect(data.filter(({ metadata }) => metadata.statusCode === 200)).toHaveLength(40);
  expect(asked.get("/17")).toBe(4);
});

test.concurrent("so is one whose host has answered all others in the meantime", async ({ onTestFinished }) => {
  const asked = new Map<string, number>();
  const routes: TestRoutes = {
    "*": ({ url: { pathname } }) => {
      const times = (asked.get(pathname) ?? 0) + 1;
      asked.set(pathname, times);
      const refusals = pathname === "/3" ? 4 : Number(/^\/\d$/.test(pathname));
      return times > refusals ? page("fine") : { status: 503, body: page("too many") };
    },
  };
  const busy = await site(routes, onTestFinished);
  const { data } = await (await engineFor({}, onTestFinished).batchScrape({ urls: numbered(busy.url, 150) })).wait();
  expect(data.filter(({ metadata }) => metadata.statusCode === 200)).toHaveLength(150);
  expect(asked.get("/3")).toBe(5);
});

test.concurrent("a host that turns pages away at whatever pace is not spaced for long", async ({ onTestFinished }) => {
  const asked = new Set<string>();
  const routes: TestRoutes = {
    "*": ({ url }) => {
      if (!/0$/.test(url.pathname) || asked.has(url.pathname)) return page("fine");
      asked.add(url.pathname);
      return { status: 429, body: page("not now") };
    },
  };
  const unsteady = await site(routes, onTestFinished);
  const begun = performance.now();
  const { data } = await (
    await engineFor({}, onTestFinished).batchScrape({ urls: numbered(unsteady.url, 200) })
  ).wait();
  expect(data.filter(({ metadata }) => metadata.statusCode === 200)).toHaveLength(200);
  // Widened at each of the twenty, the gap would cost minutes.
  expect(performance.now() - begun).toBeLessThan(50_000);
});

test.concurrent("the storage is not asked for pages whenever a page of such a host may begin", async ({
  onTestFinished,
}) => {
  const bounded = await boundedSite(20, answering(429), onTestFinished);
  const storage = memoryStorage();
  let claims = 0;
  const jobs: typeof storage.jobs = {
    ...storage.jobs,
    claimPages(...claim) {
      claims++;
      return storage.jobs.claimPages(...claim);
    },
  };
  const begun = performance.now();
  const engine = engineFor({ storage: { ...storage, jobs } }, onTestFinished);
  await (await engine.batchScrape({ urls: numbered(bounded.url, 100) })).wait();
  const seconds = (performance.now() - begun) / 1000;
  expect(claims).toBeLessThan(10 + 10 * seconds);
});
