/** The compared ways of getting the markdown of script-rendered pages. */
import { Configuration, PlaywrightCrawler } from "@crawlee/playwright";
import { chromium } from "playwright";
import Turndown from "turndown";
import { findBrowser } from "../../src/fetch/browser/find-browser.ts";
import { createEngine } from "../../src/index.ts";

/** Its `run` fetches all pages and returns the markdown of each; a browser may be open already, but nothing else. */
export interface Contender {
  run(urls: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

export const contenders: Readonly<Record<string, () => Promise<Contender>>> = {
  async crawlcore() {
    const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
    return {
      async run(urls) {
        const job = await engine.batchScrape({ urls: [...urls], onlyMainContent: false });
        return (await job.wait()).data.map(({ markdown }) => markdown ?? "");
      },
      close: () => engine.close(),
    };
  },
  /** Its browser starts with every run; its concurrency grows with time. */
  "crawlee: PlaywrightCrawler": () => crawlee({}),
  /** Without waiting for its concurrency to grow. */
  "crawlee: PlaywrightCrawler, four at once": () => crawlee({ minConcurrency: 4, maxConcurrency: 4 }),
  /** Without a crawler, four at once. */
  async "playwright: a context a page"() {
    const browser = await chromium.launch(await launchOptions());
    const turndown = new Turndown();
    return {
      async run(urls) {
        const found: string[] = [];
        const open = [...urls];
        const worker = async () => {
          for (let url = open.pop(); url !== undefined; url = open.pop()) {
            const context = await browser.newContext();
            const page = await context.newPage();
            await page.goto(url, { waitUntil: "load" });
            await page.waitForSelector("#root p");
            found.push(turndown.turndown(await page.content()));
            await context.close();
          }
        };
        await Promise.all([worker(), worker(), worker(), worker()]);
        return found;
      },
      close: () => browser.close(),
    };
  },
};

async function crawlee(concurrency: { minConcurrency?: number; maxConcurrency?: number }): Promise<Contender> {
  const launch = await launchOptions();
  const turndown = new Turndown();
  return {
    async run(urls) {
      const found: string[] = [];
      const crawler = new PlaywrightCrawler(
        {
          ...concurrency,
          launchContext: { launchOptions: launch },
          async requestHandler({ page }) {
            await page.waitForSelector("#root p");
            found.push(turndown.turndown(await page.content()));
          },
        },
        new Configuration({ persistStorage: false, purgeOnStart: false }),
      );
      crawler.log.setLevel(0);
      await crawler.run([...urls]);
      return found;
    },
    async close() {},
  };
}

async function launchOptions() {
  const found = findBrowser();
  if (found?.kind !== "launch" || !found.executablePath) throw new Error("No browser to compare with");
  return {
    executablePath: await found.executablePath(),
    args: [...found.flags],
    chromiumSandbox: process.getuid?.() !== 0,
  };
}
