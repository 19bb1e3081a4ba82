import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";

test("after 300 pages, a fifth of them bad, nothing is left of the browser", { timeout: 180_000 }, async () => {
  const found = findBrowser();
  if (found?.kind !== "launch" || found.executablePath === undefined) throw new Error("The tests need a browser");
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-leaks-"));
  const program = join(import.meta.dirname, "browser-leaks-program.ts");
  const parameters = [program, await found.executablePath(), JSON.stringify(found.flags)];
  const child = spawn(process.execPath, parameters, { env: { ...process.env, TMPDIR: folder } });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  // It ends by itself: nobody calls process.exit.
  const code = await new Promise((resolve) => child.once("exit", resolve));
  await rm(folder, { recursive: true, force: true });
  expect(errors).not.toMatch(/Error|MaxListeners/);
  expect(code).toBe(0);
  const { outcomes, most, ...left } = JSON.parse(output);
  expect(left).toEqual({ children: 0, folders: [], handles: [] });
  expect(most).toBeGreaterThan(2);
  expect(outcomes).toMatchObject({ "good: page": 240, "dialogs: page": 15, "hang: SCRAPE_TIMEOUT": 15 });
  expect(outcomes["crash: SCRAPE_SITE_ERROR"]).toBe(15);
});
