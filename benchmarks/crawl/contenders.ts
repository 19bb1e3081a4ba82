/** The contenders. Each crawls all pages from one address, and makes markdown and a list of links from each page. */
import { join } from "node:path";

export type Report = (markdown: string, links: number) => void;

export interface Contender {
  readonly name: string;
  /** Crawls a site with this number of pages; may write into the folder. */
  crawl(url: string, pages: number, folder: string, report: Report): Promise<void>;
}

/** What a program that has installed the package imports. Typed as plain strings, so that type checking needs no build. */
const built: Readonly<Record<"core" | "sqlite", string>> = { core: "crawlcore", sqlite: "crawlcore/sqlite" };

/** This package as published, with its defaults; with or without a database file. */
const ours = (name: string, options: { readonly durable: boolean; readonly onlyMainContent: boolean }): Contender => ({
  name,
  async crawl(url, pages, folder, report) {
    const { createEngine, memoryStorage } = (await import(built.core)) as typeof import("../../src/index.ts");
    const { sqliteStorage } = (await import(built.sqlite)) as typeof import("../../src/drivers/sqlite/index.ts");
    const engine = createEngine({
      storage: options.durable ? sqliteStorage({ path: join(folder, "crawl.db") }) : memoryStorage(),
      network: { allowHosts: ["127.0.0.1"] },
    });
    const job = await engine.crawl({
      url,
      limit: pages,
      scrapeOptions: { formats: ["markdown", "links"], onlyMainContent: options.onlyMainContent },
    });
    for await (const page of job) report(page.markdown ?? "", page.links?.length ?? 0);
    await engine.close();
  },
});

/** Crawlee as its guide shows it: a request handler, `enqueueLinks`, `pushData`; the body goes through turndown. */
const crawlee = (name: string, tuned: boolean): Contender => ({
  name,
  async crawl(url, _pages, folder, report) {
    process.env["CRAWLEE_STORAGE_DIR"] = join(folder, "storage");
    const { CheerioCrawler, Configuration, log } = await import("@crawlee/cheerio");
    const { default: TurndownService } = await import("turndown");
    log.setLevel(log.LEVELS.WARNING);
    const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
    turndown.remove(["script", "style", "noscript"]);
    const crawler = new CheerioCrawler(
      {
        ...(tuned ? { minConcurrency: 20, maxConcurrency: 50 } : {}),
        async requestHandler({ request, $, body, enqueueLinks, pushData }) {
          const title = $("title").text();
          const links = $("a[href]")
            .map((_, link) => $(link).attr("href"))
            .get();
          const markdown = turndown.turndown(body.toString());
          await enqueueLinks();
          await pushData({ url: request.loadedUrl, title, links, markdown });
          report(markdown, links.length);
        },
      },
      new Configuration(tuned ? { persistStorage: false } : {}),
    );
    await crawler.run([url]);
  },
});

export const contenders: Readonly<Record<string, Contender>> = {
  ours: ours("crawlcore, SQLite", { durable: true, onlyMainContent: true }),
  oursWhole: ours("crawlcore, SQLite, whole page", { durable: true, onlyMainContent: false }),
  oursMemory: ours("crawlcore, in memory", { durable: false, onlyMainContent: true }),
  crawlee: crawlee("CheerioCrawler + turndown", false),
  crawleeTuned: crawlee("the same, tuned", true),
};
