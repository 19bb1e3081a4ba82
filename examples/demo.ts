/**
 * Crawls a site into markdown files: the bundled site, or the one with the given address.
 *
 *   node examples/demo.ts [url] [--limit 100] [--output crawl-output] [--allow-private]
 *
 * `--allow-private` also permits sites on this machine and its network, such as one that you are working on.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { CrawlcoreError, createEngine } from "../src/index.ts";
import { FileNames } from "./demo/file-names.ts";
import { pageFile } from "./demo/page-file.ts";
import { printPage, printSummary } from "./demo/report.ts";
import { Tally } from "./demo/tally.ts";
import { startSite } from "./start-site.ts";

const usage = "usage: node examples/demo.ts [url] [--limit 100] [--output crawl-output] [--allow-private]";
const { values, positionals } = readArguments();
if (values.help) {
  console.log(usage);
  process.exit();
}

const site = await startSite(positionals[0]);
const engine = createEngine({ network: { ...site.network, allowPrivateAddresses: values["allow-private"] } });
try {
  process.exitCode = await crawlToFiles(site.url, Number(values.limit), values.output);
} catch (error) {
  process.exitCode = 1;
  if (CrawlcoreError.isInstance(error)) {
    console.error(`${error.code}: ${error.message}`);
    for (const { path, message } of error.details ?? []) console.error(`  ${path.join(".")}: ${message}`);
  } else if (error instanceof Error && "syscall" in error) {
    console.error(`The files cannot be written: ${error.message}`);
  } else throw error;
} finally {
  await engine.close();
  await site.close();
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        limit: { type: "string", default: "100" },
        output: { type: "string", default: "crawl-output" },
        "allow-private": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}

/** Returns the exit code. */
async function crawlToFiles(url: string, limit: number, folder: string): Promise<number> {
  const names = new FileNames();
  const tally = new Tally();
  const job = await engine.crawl({ url, limit });
  console.log(`Crawling ${url}, up to ${limit} pages. Ctrl-C stops it.\n`);

  const cancel = (): void => void job.cancel().catch(() => {});
  process.once("SIGINT", cancel);
  try {
    for await (const page of job) {
      tally.add(page);
      printPage(tally.attempted, page);
      if (page.markdown === undefined) continue;
      const text = pageFile(page);
      const file = join(folder, names.for(page.metadata.sourceURL ?? url));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      tally.bytes += Buffer.byteLength(text);
    }
  } finally {
    process.off("SIGINT", cancel);
  }

  const status = await engine.getCrawlStatus(job.id, { limit: 1 });
  printSummary(status, await engine.getCrawlErrors(job.id), tally, folder);
  return { completed: 0, cancelled: 130, failed: 1, scraping: 1 }[status.status];
}
