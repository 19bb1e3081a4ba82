/** A crawl whose process is killed at any moment goes on where it was: nothing lost, nothing done or billed twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { runAndKill } from "./run-and-kill.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

const pages = 120;

test.each([[[1, 30, 60]], [[0, 5, 0, 90]], [[17, 2, 41, 33]], [[100, 1, 1]]])(
  "killed after %j requests, and in the resume, each page is there once",
  async (kills) => {
    const folder = await mkdtemp(join(tmpdir(), "kill-test-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "crawl.db");
    const links = (from: number) => [1, 2, 3, 4].map((step) => `/p/${(from * 3 + step * 7) % pages}`);
    const server = await site({
      "/": page("home", links(0)),
      "/sitemap.xml": ({ url }) =>
        `<urlset>${Array.from({ length: pages }, (_, index) => `<url><loc>${url.origin}/p/${index}</loc></url>`).join("")}</urlset>`,
      "*": ({ url }) => ({ body: page(url.pathname, links(Number(url.pathname.slice(3)))), delay: 5 }),
    });
    const answered = () => server.received.filter(({ target }) => target.startsWith("/p/") || target === "/").length;
    for (const after of kills) {
      const goal = answered() + after;
      await runAndKill("kill-crawl.ts", [path, server.url, String(pages)], () => answered() >= goal);
    }

    const storage = sqliteStorage({ path });
    const engine = engineFor({ storage });
    await engine.resume();
    const [crawl] = (await engine.getActiveCrawls()).crawls;
    // Killed before the job was accepted: then it is started now.
    const id = crawl?.id ?? (await engine.crawl({ url: server.url, limit: pages + 1 })).id;
    let status = await engine.getCrawlStatus(id, { limit: 1 });
    while (status.status === "scraping") {
      await new Promise((resolve) => setTimeout(resolve, 25));
      status = await engine.getCrawlStatus(id, { limit: 1 });
    }
    const { data, ...rest } = await engine.getCrawlStatus(id);
    expect(rest).toMatchObject({ status: "completed", total: pages + 1, completed: pages + 1, creditsUsed: pages + 1 });
    expect(data).toHaveLength(pages + 1);
    expect(new Set(paths(data)).size).toBe(pages + 1);
    const { periods } = await engine.getCreditUsageHistorical();
    expect(periods.reduce((sum, { totalCredits }) => sum + totalCredits, 0)).toBe(pages + 1);
    expect((await engine.getActiveCrawls()).crawls).toEqual([]);
    expect(await engine.resume()).toEqual({ resumed: [] });
  },
);
