/** The robots.txt of all hosts that a job meets: each read once, and never more of them in memory than a few megabytes. */
import { expect, test } from "vitest";
import { createProxies } from "../src/fetch/proxies.ts";
import { createSiteFiles } from "../src/jobs/site-files.ts";
import type { HttpClient } from "../src/ports/http-client.ts";

/** The reader of a job, and the hosts that it asked for their file, which is of this size. */
function robotsOf(bytes: number) {
  const asked: string[] = [];
  const body = Buffer.from(`User-agent: *\nDisallow: /private\n${"# nothing\n".repeat(bytes / 10)}`);
  const stream: HttpClient["stream"] = async ({ url }) => {
    asked.push(new URL(url).hostname);
    return { url, statusCode: 200, statusText: "OK", headers: {}, redirects: [], body: chunks(body) };
  };
  const files = createSiteFiles({
    client: { stream },
    proxies: createProxies(undefined),
    userAgent: "test",
    maxConcurrencyPerHost: 16,
  });
  const visitor = { options: { proxy: "basic", skipTlsVerification: false }, headersFor: () => undefined } as const;
  const robots = files.robots(visitor);
  const isAllowed = async (host: number, path: string) => {
    const url = `https://h${host}.example${path}`;
    await robots.load(url, new AbortController().signal);
    return robots.isAllowed(url);
  };
  return { isAllowed, asked };
}

async function* chunks(body: Uint8Array) {
  yield body;
}

test("the small files of many hosts are each asked for once", async () => {
  const { isAllowed, asked } = robotsOf(1000);
  for (let round = 0; round < 2; round++) {
    for (let host = 0; host < 1000; host++) expect(await isAllowed(host, "/private/page")).toBe(false);
  }
  expect(asked).toHaveLength(1000);
});

test("of large ones those are let go of that were read longest ago, and read again when a page of theirs comes", async () => {
  const { isAllowed, asked } = robotsOf(500_000);
  for (let host = 0; host < 30; host++) expect(await isAllowed(host, "/private/page")).toBe(false);
  expect(await isAllowed(29, "/private/page")).toBe(false);
  expect(asked).toHaveLength(30);
  expect(await isAllowed(0, "/private/page")).toBe(false);
  expect(await isAllowed(0, "/open")).toBe(true);
  expect(asked.slice(30)).toEqual(["h0.example"]);
});
