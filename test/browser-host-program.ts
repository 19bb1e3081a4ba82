/** A program of its own for the test of what a page in the browser does to its host; what was found is printed. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { registerHooks } from "node:module";
import { createEngine } from "../src/index.ts";
import { startTestSite } from "../src/testing/index.ts";

const [executablePath = "", launchArgs = "[]", missing] = process.argv.slice(2);
registerHooks({
  resolve(name, context, next) {
    if (name === missing) throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
    return next(name, context);
  },
});

/** Addresses, in the hexadecimal of Linux, on which this process listens. */
function listening(): string[] {
  const own = readdirSync("/proc/self/fd").flatMap((entry) => {
    try {
      return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${entry}`))?.[1]];
    } catch {
      return []; // The folder's own.
    }
  });
  const rows = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/self/net/${name}`, "latin1").split("\n").slice(1));
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
    return state === "0A" && own.includes(inode) ? [local.split(":")[0]!] : [];
  });
}

const site = await startTestSite({ "/": "<h1>Read</h1><p>There is enough to read on this page.</p>" });
const engine = createEngine({
  network: { allowHosts: ["127.0.0.1"] },
  // The page's browser is retired as soon as it is given back.
  browser: { executablePath, launchArgs: JSON.parse(launchArgs) as string[], maxPagesPerBrowser: 1 },
});
const markdown = await engine.scrape({ url: site.url, waitFor: 1 }).then(
  ({ data }) => data.markdown,
  (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
);
const listens = listening();
const signals = process.eventNames().filter((name) => String(name).startsWith("SIG"));
await site.close();
await engine.close();
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
console.log(JSON.stringify({ markdown, listens, signals, timers }));
