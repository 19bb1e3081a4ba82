/** Runs one contender in this process, and writes the measurements as a line of JSON. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contenders } from "./contenders.ts";
import { measure } from "./measure.ts";

// Started by run.ts; ends with it.
process.once("disconnect", () => process.exit(1));

const [name = "", url = "", pages = ""] = process.argv.slice(2);
const contender = contenders[name];
if (contender === undefined) throw new Error(`There is no contender ${name}`);
const folder = await mkdtemp(join(tmpdir(), "crawl-benchmark-"));
try {
  const measured = await measure((report) => contender.crawl(url, Number(pages), folder, report));
  console.log(JSON.stringify(measured));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
