import { readFileSync } from "node:fs";
import type { ScrapeOptions } from "../src/index.ts";
import { engineFor, site } from "./start-engine.ts";

/** The markdown of a page, as a caller of the engine gets it, without the address of the site. */
export async function scraped(html: string, options: ScrapeOptions = {}, path = "/page"): Promise<string> {
  const { url, route } = await site();
  route(path, html);
  const { data } = await engineFor().scrape({ url: url + path, formats: ["markdown"], ...options });
  return (data.markdown ?? "").replaceAll(url, "");
}

/** The markdown of a whole page. */
export const scrapedWhole = (html: string): Promise<string> => scraped(html, { onlyMainContent: false });

/** The main content of a page of `fixtures/kinds`, whose markup is that of a platform. */
export const scrapedKind = (kind: string, path: string): Promise<string> =>
  scraped(readFileSync(new URL(`fixtures/kinds/${kind}.html`, import.meta.url), "utf8"), {}, path);
