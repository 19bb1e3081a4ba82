/** Reads the rendered page from the browser. */
import { ScrapeError } from "../../errors.ts";
import { runApart } from "./isolated-world.ts";
import { readDocument } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";

/** Rejects with `SCRAPE_UNSUPPORTED_FILE_ERROR` if the page has more bytes; it does not leave the browser then. */
export async function takeHtml(tab: Pick<Tab, "session" | "frameId">, maxBytes: number): Promise<string> {
  const html = await runApart<string | null>(tab, readDocument(maxBytes));
  if (html === null) {
    throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The page is larger than ${maxBytes} bytes`);
  }
  return html;
}
