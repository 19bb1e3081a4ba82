/**
 * Reports which pages are sent to the browser: no page of a folder of static pages should be, but all application
 * shells.
 *
 *   node benchmarks/browser/choice.ts <folder with static pages, .html or .html.gz, searched at any depth>
 *
 * The same host serves every page, one after the other and mixed with the shells, which is the worst case for what is
 * learned about a host.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createEngine } from "../../src/index.ts";
import { startTestSite } from "../../src/testing/index.ts";
import { shells } from "./shells.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Give a folder of static pages");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.html?(?:\.gz)?$/.test(file),
);

const site = await startTestSite({
  "/static": ({ url }) => {
    const bytes = readFileSync(join(folder, files[Number(url.searchParams.get("file"))]!));
    const body = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return { headers: { "content-type": "text/html" }, body };
  },
  "/shell": ({ url }) => shells[url.searchParams.get("kind") ?? ""]!,
  "*": { status: 404 },
});
const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });

async function engineOf(path: string): Promise<string> {
  const { metadata } = (await engine.scrape({ url: site.url + path, formats: [], timeout: 60_000 })).data;
  return `${metadata.engine} (${metadata.engineReason})`;
}

let rendered = 0;
let missed = 0;
const kinds = Object.keys(shells);
for (const [index, file] of files.entries()) {
  if (index < kinds.length * 2) {
    const kind = kinds[index % kinds.length]!;
    const got = await engineOf(`/shell?kind=${encodeURIComponent(kind)}`);
    if (!got.startsWith("browser")) {
      missed += 1;
      console.log(`not rendered: ${kind}: ${got}`);
    }
  }
  const got = await engineOf(`/static?file=${index}`);
  if (got.startsWith("http")) continue;
  rendered += 1;
  console.log(`rendered: ${file}: ${got}`);
}
await engine.close();
await site.close();
console.log(`${rendered} of ${files.length} static pages were sent to the browser`);
console.log(
  `${missed} of ${Math.min(files.length, kinds.length * 2)} visits to ${kinds.length} kinds of shells were not rendered`,
);
