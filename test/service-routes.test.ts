/** The service's paths as a table, called as servers on different frameworks call them. */
import { describe, expect, test } from "vitest";
import { type ServiceRequest, serviceRoutes } from "../src/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

const route = (path: string) => serviceRoutes.find((each) => each.method === "GET" && each.path === path)!;

interface Part {
  readonly next?: string;
  readonly data: { readonly metadata: { readonly sourceURL: string } }[];
}

test("a server that has null in place of a query is answered like one that has none", async () => {
  const query = null as unknown as ServiceRequest["query"];
  expect(await route("/v1/crawl/active").answer(engineFor(), { query }, {})).toEqual({ success: true, crawls: [] });
  const none = route("/v1/crawl/:id").answer(engineFor(), { id: crypto.randomUUID(), query }, {});
  await expect(none).rejects.toMatchObject({ code: "NOT_FOUND" });
});

/** What a server has of a query string. */
const queries: readonly (readonly [string, (query: URLSearchParams) => ServiceRequest["query"]])[] = [
  ["an object", (query) => Object.fromEntries(query)],
  ["an object without a prototype", (query) => Object.assign(Object.create(null), Object.fromEntries(query))],
  ["URLSearchParams", (query) => query],
];

describe.each(queries)("with the query as %s", (_, queryOf) => {
  test("each part of a job's data comes once", async () => {
    const { url } = await site({ "/a": page("a"), "/b": page("b"), "/c": page("c") });
    const engine = engineFor({ limits: { statusChunkBytes: 1 } });
    const job = await engine.batchScrape({ urls: ["/a", "/b", "/c"].map((path) => url + path) });
    await job.wait();
    const { answer } = route("/v1/batch/scrape/:id");
    const read: Part["data"] = [];
    let query = new URLSearchParams();
    for (let parts = 0; parts < 3; parts += 1) {
      const part = (await answer(engine, { id: job.id, query: queryOf(query) }, {})) as Part;
      read.push(...part.data);
      query = new URL(part.next ?? "x:/").searchParams;
    }
    expect(paths(read)).toEqual(["/a", "/b", "/c"]);
  });

  test("a part that begins at what is no number is refused, rather than the first one given", async () => {
    const engine = engineFor();
    const { id } = await engine.batchScrape({ urls: [] });
    const { answer } = route("/v1/batch/scrape/:id");
    for (const skip of ["", "%20", "0x1", "1e0", "one"]) {
      const asked = answer(engine, { id, query: queryOf(new URLSearchParams(`skip=${skip}`)) }, {});
      await expect(asked, skip).rejects.toMatchObject({ code: "BAD_REQUEST", details: [{ path: ["skip"] }] });
    }
  });

  test("values and names that do not exist are refused", async () => {
    const engine = engineFor();
    const usage = route("/v1/team/credit-usage/historical");
    const ask = (text: string) => usage.answer(engine, { query: queryOf(new URLSearchParams(text)) }, {});
    expect(await ask("byApiKey=true")).toEqual({ success: true, periods: [] });
    await expect(ask("byApiKey=1")).rejects.toMatchObject({ details: [{ path: ["byApiKey"] }] });
    await expect(ask("byKey=true")).rejects.toMatchObject({ details: [{ keys: ["byKey"] }] });
  });
});
