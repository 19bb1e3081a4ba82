/** What a page in the browser does to the program around the engine, apart from what it asked for. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";
import { engineFor, page, site } from "./start-engine.ts";

async function host(
  missing = "",
): Promise<{ markdown: string; listens: string[]; signals: string[]; timers: string[] }> {
  const found = findBrowser();
  if (found?.kind !== "launch" || found.executablePath === undefined) throw new Error("The tests need a browser");
  const program = join(import.meta.dirname, "browser-host-program.ts");
  const parameters = [program, await found.executablePath(), JSON.stringify(found.flags), missing];
  return JSON.parse((await promisify(execFile)(process.execPath, parameters)).stdout);
}

test("it listens on loopback only, leaves the signals to the host, and no timer after close()", async () => {
  const { listens, ...found } = await host();
  expect(found).toEqual({ markdown: expect.stringContaining("# Read"), signals: [], timers: [] });
  expect([...new Set(listens)]).toEqual(["0100007F"]);
});

test("without the pool's package a page that needs a browser is refused, and told what to install", async () => {
  const { markdown } = await host("@crawlee/browser-pool");
  expect(markdown).toMatch(/^UNSUPPORTED: .*npm install playwright @crawlee\/browser-pool/);
});

test("a timeout of Crawlee's, in which the host calls the engine, is not the pool's", async () => {
  const load = createRequire(createRequire(import.meta.url).resolve("@crawlee/browser-pool"));
  const { addTimeoutToPromise } = load("@apify/timeout") as {
    addTimeoutToPromise(work: () => Promise<void>, milliseconds: number, message: string): Promise<void>;
  };
  const { url } = await site({ "/": page("late") });
  const engine = engineFor();
  const called = Promise.withResolvers<Promise<{ data: { markdown?: string } }>>();
  const handler = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    called.resolve(engine.scrape({ url, waitFor: 1 }));
  };
  await expect(addTimeoutToPromise(handler, 10, "too late")).rejects.toThrow("too late");
  expect((await await called.promise).data.markdown).toContain("# late");
});
