/** The demo site is what the README says: many pages, all reachable, and only the faults it has on purpose. */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DemoSite, serveDemoSite } from "../examples/demo-site/site.ts";

let site: DemoSite;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site.close());

/** Follows every link on the site; gives the status of each path, redirects unfollowed. */
async function walk(): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const open = ["/"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (statuses.has(path)) continue;
    const response = await fetch(site.url + path, { redirect: "manual" });
    statuses.set(path, response.status);
    const html = response.headers.get("content-type")?.startsWith("text/html") ? await response.text() : "";
    const targets = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map((match) => match[1]!.replaceAll("&amp;", "&"));
    for (const target of [...targets, response.headers.get("location") ?? "#"]) {
      const url = new URL(target, site.url + path);
      if (url.origin === site.url) open.push(url.pathname + url.search);
    }
  }
  return statuses;
}

it("has more than forty pages that can be reached, and the faults that are meant", async () => {
  const statuses = await walk();
  const having = (status: number): string[] =>
    [...statuses].filter(([, each]) => each === status).map(([path]) => path);
  expect(new Set(having(200).map((path) => path.replace(/index\.html|\?(utm|ref|sort).*$/, ""))).size).toBeGreaterThan(
    45,
  );
  expect(having(301).concat(having(302)).sort()).toEqual(
    expect.arrayContaining(["/docs/install", "/history", "/journal/restoring-the-dome", "/start", "/visit"]),
  );
  expect(having(404).filter((path) => !path.startsWith("/members/") && !path.startsWith("/search"))).toEqual([
    "/journal/the-lost-plate/",
  ]);
  expect(having(500)).toEqual(["/observing/live-camera/"]);
});

it("names all its pages in the sitemaps and closes one corner to robots", async () => {
  const text = async (path: string): Promise<string> => (await fetch(site.url + path)).text();
  expect(await text("/robots.txt")).toMatch(/Disallow: \/members\/[\s\S]*Sitemap: http/);
  expect(await text("/sitemap.xml")).toContain("/sitemaps/journal.xml.gz</loc>");
  const journal = await (await fetch(`${site.url}/sitemaps/journal.xml.gz`)).arrayBuffer();
  const places = `${await text("/sitemaps/pages.xml")}${gunzipSync(journal)}`.match(/<loc>[^<]+/g) ?? [];
  expect(places.length).toBeGreaterThan(40);
  expect(places.some((place) => place.includes("/members/"))).toBe(false);
});

it("speaks Polish, Japanese and PDF", async () => {
  expect(await (await fetch(`${site.url}/pl/`)).text()).toContain("Zażółć gęślą jaźń");
  const japanese = await fetch(`${site.url}/ja/`);
  expect(japanese.headers.get("content-type")).toBe("text/html; charset=shift_jis");
  const html = new TextDecoder("shift_jis", { fatal: true }).decode(await japanese.arrayBuffer());
  expect(html).toContain("黒谷観測所との交流");
  expect(html).not.toMatch(/<p>[^<]*&#/);
  const report = await fetch(`${site.url}/press/annual-report.pdf`);
  expect([report.headers.get("content-type"), (await report.text()).slice(0, 5)]).toEqual(["application/pdf", "%PDF-"]);
});
