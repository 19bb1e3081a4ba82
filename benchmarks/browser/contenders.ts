/** The ways of getting the markdown of script-rendered pages that are compared. */
import { BrowserPool, PlaywrightPlugin } from "@crawlee/browser-pool";
import { chromium } from "playwright";
import Turndown from "turndown";
import { findBrowser } from "../../src/fetch/browser/find-browser.ts";
import { createEngine } from "../../src/index.ts";

export interface Contender {
  page(url: string): Promise<string>;
  close(): Promise<void>;
}

export const contenders: Readonly<Record<string, (concurrency: number) => Promise<Contender>>> = {
  async crawlcore(maxPages) {
    const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] }, browser: { maxPages } });
    return {
      page: async (url) => (await engine.scrape({ url, onlyMainContent: false })).data.markdown ?? "",
      close: () => engine.close(),
    };
  },
  /** As PlaywrightCrawler uses it: one context, fingerprints, `load`, and a page a request. */
  async "crawlee browser-pool"(concurrency) {
    const pool = new BrowserPool({
      browserPlugins: [new PlaywrightPlugin(chromium, { launchOptions: await launchOptions() })],
      maxOpenPagesPerBrowser: Math.max(concurrency, 20),
    });
    const turndown = new Turndown();
    return {
      async page(url) {
        const page = await pool.newPage();
        try {
          await page.goto(url, { waitUntil: "load" });
          await page.waitForSelector("#root p");
          return turndown.turndown(await page.content());
        } finally {
          await page.close();
        }
      },
      close: () => pool.destroy(),
    };
  },
  async "playwright, new context"() {
    const browser = await chromium.launch(await launchOptions());
    const turndown = new Turndown();
    return {
      async page(url) {
        const context = await browser.newContext();
        try {
          const page = await context.newPage();
          await page.goto(url, { waitUntil: "load" });
          await page.waitForSelector("#root p");
          return turndown.turndown(await page.content());
        } finally {
          await context.close();
        }
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
