/** The programs in the comments of the conformance suites are what a driver's author copies: they run, and pass. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const source = (path: string) => pathToFileURL(join(import.meta.dirname, "..", "src", path)).href;

/** The example of a file, with the package's names resolved to its sources. */
async function exampleOf(file: string): Promise<string> {
  const text = await readFile(new URL(source(`testing/${file}.ts`)), "utf8");
  const example = /@example\n([\s\S]*?)\n \*\//.exec(text)?.[1] ?? "";
  return example
    .replaceAll(/^ \* ?/gm, "")
    .replace('"crawlcore/testing"', JSON.stringify(source("testing/index.ts")))
    .replaceAll('"crawlcore"', JSON.stringify(source("index.ts")));
}

test.each([
  "billing-conformance",
  "event-sink-conformance",
  "queue-conformance",
  "search-provider-conformance",
  "storage-conformance",
])("%s", async (name) => {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-suite-"));
  try {
    const program = join(folder, "suite.test.ts");
    await writeFile(program, await exampleOf(name));
    // Node's runner, inside another's, tells its results to that one and not to us.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const ran = await promisify(execFile)(process.execPath, ["--test-reporter=tap", program], { env }).catch(
      (error) => error,
    );
    expect(ran.stdout).toMatch(/^# pass [1-9]/m);
    expect(ran.stdout).not.toMatch(/^not ok/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});
