/** A program of its own for the leak test: 300 pages, a fifth of them bad, then `close()`; what is left is printed. */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createEngine } from "../src/index.ts";
import { startTestSite } from "../src/testing/index.ts";

const [executablePath = "", launchArgs = "[]", count = "300"] = process.argv.slice(2);

/** Processes below this one. */
function children(): number[] {
  const parents = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
        return [[Number(entry), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])] as const];
      } catch {
        return [];
      }
    });
  const found: number[] = [];
  for (const open = [process.pid]; open.length > 0; ) {
    const parent = open.pop();
    const below = parents.flatMap(([pid, of]) => (of === parent ? [pid] : []));
    found.push(...below);
    open.push(...below);
  }
  return found;
}

const sentence = "Text that is there for the reader. ".repeat(8);
const site = await startTestSite({
  "/good": `<h1>Good</h1><p>${sentence}</p><script>document.cookie = "a=1"</script>`,
  "/hang": "<p>x</p><script>for (;;);</script>",
  "/crash": `<script>let at = document.body ?? document.documentElement; for (let i = 0; i < 20000; i += 1) { const e = document.createElement("div"); at.append(e); at = e; } document.documentElement.offsetHeight</script>`,
  "/dialogs": `<p>${sentence}</p><script>alert(1); confirm(2); window.open("/good"); window.onbeforeunload = () => "stay"</script>`,
});
const kinds = ["hang", "crash", "dialogs", "abort"] as const;
const outcomes = new Map<string, number>();
const engine = createEngine({
  network: { allowHosts: ["127.0.0.1"] },
  browser: { executablePath, launchArgs: JSON.parse(launchArgs) as string[], maxPages: 6 },
});

async function visit(index: number): Promise<void> {
  const kind = index % 5 === 4 ? kinds[Math.floor(index / 5) % 4]! : "good";
  const controller = new AbortController();
  if (kind === "abort") setTimeout(() => controller.abort(new Error("enough")), (index % 7) * 60);
  const path = kind === "abort" ? "good" : kind;
  const timeout = kind === "hang" ? 1000 : 30_000;
  const name = await engine
    .scrape({ url: `${site.url}/${path}`, waitFor: 1, timeout }, { signal: controller.signal })
    .then(
      () => "page",
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
  outcomes.set(`${kind}: ${name}`, (outcomes.get(`${kind}: ${name}`) ?? 0) + 1);
}

const before = readdirSync(tmpdir());
let next = 0;
const most = { processes: 0 };
await Promise.all(
  Array.from({ length: 8 }, async () => {
    while (next < Number(count)) {
      await visit(next++);
      most.processes = Math.max(most.processes, children().length);
    }
  }),
);
await engine.close();
await site.close();
const leftFolders = readdirSync(tmpdir()).filter((entry) => !before.includes(entry));
// A turn of the event loop, in which handles that are closing go.
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(
  JSON.stringify({
    outcomes: Object.fromEntries([...outcomes].sort()),
    most: most.processes,
    children: children().length,
    folders: leftFolders,
    // The pipe of standard output is not the engine's.
    handles: process.getActiveResourcesInfo().filter((name) => !/^(?:PipeWrap|TTYWrap|Timeout)$/.test(name)),
  }),
);
