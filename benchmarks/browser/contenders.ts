/** The ways of getting the markdown of a list of script-rendered pages that are compared. */
import { BasicCrawler, Configuration } from "@crawlee/basic";
import { BrowserPool, PlaywrightPlugin } from "@crawlee/browser-pool";
import { chromium } from "playwright";
import Turndown from "turndown";
import { findBrowser } from "../../src/fetch/browser/find-browser.ts";
import { createEngine } from "../../src/index.ts";

/** Gets all pages, starting from nothing but an open browser; returns the markdown of each. */
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
  /**
   * What PlaywrightCrawler is made of, with its defaults: the basic crawler (autoscaled concurrency, request list,
   * sessions) and the browser pool (one context, fingerprints), a page a request, `load`.
   */
  async "crawlee: crawler and pool"() {
    const pool = new BrowserPool({
      browserPlugins: [new PlaywrightPlugin(chromium, { launchOptions: await launchOptions() })],
    });
    return {
      async run(urls) {
        const found: string[] = [];
        const turndown = new Turndown();
        const crawler = new BasicCrawler(
          {
            async requestHandler({ request }) {
              const page = await pool.newPage();
              try {
                await page.goto(request.url, { waitUntil: "load" });
                await page.waitForSelector("#root p");
                found.push(turndown.turndown(await page.content()));
              } finally {
                await page.close();
              }
            },
          },
          new Configuration({ persistStorage: false, purgeOnStart: false }),
        );
        crawler.log.setLevel(0);
        await crawler.run([...urls]);
        return found;
      },
      close: () => pool.destroy(),
    };
  },
  /** By hand, four at once. */
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

async function launchOptions() {
  const found = findBrowser();
  if (found?.kind !== "launch" || !found.executablePath) throw new Error("No browser to compare with");
  return {
    executablePath: await found.executablePath(),
    args: [...found.flags],
    chromiumSandbox: process.getuid?.() !== 0,
  };
}
