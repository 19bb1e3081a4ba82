/** The package as it is published: bundled, its own names resolve, and its threads are found. */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { afterAll, beforeAll, expect, test } from "vitest";
import config from "../rolldown.config.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
/** What the files of the build import, by the name of the package. */
let imported: Set<string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "crawlcore-built-"));
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const output = { ...config.output, dir: join(folder, "dist") };
  const built = await build({ ...config, cwd: root, logLevel: "silent", output });
  const names = built.output.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  imported = new Set(names.flatMap((name) => /^(?!node:)(?:@[^/]+\/)?[a-z][^/]*/.exec(name)?.[0] ?? []));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program inside the package, and gives what it writes. */
async function run(program: string, flags: readonly string[] = []): Promise<unknown> {
  const all = [...flags, "--input-type=module", "--eval", program];
  const ran = await promisify(execFile)(process.execPath, all, { cwd: folder });
  return JSON.parse(ran.stdout);
}

/** Scrapes two large pages, and says what was logged. */
const largePages = `
  import { createEngine } from "crawlcore";
  import { startTestSite } from "crawlcore/testing";

  const logged = [];
  const log = (message, fields) => logged.push([message, fields.error]);
  const logger = { debug() {}, info() {}, warn: log, error: log };
  const site = await startTestSite({ "*": "<h1>Large</h1>" + "<p>Some words in a row.</p>".repeat(20_000) });
  const engine = createEngine({ browser: false, logger, network: { allowHosts: ["127.0.0.1"] } });
  const markdowns = [];
  for (const path of ["/a", "/b"]) {
    const { data } = await engine.scrape({ url: site.url + path });
    markdowns.push(data.markdown.slice(0, 7));
  }
  await engine.close();
  await site.close();
  console.log(JSON.stringify({ markdowns, logged }));
`;

test("every entry can be imported, and errors are of one class for all", async () => {
  const names = await run(`
    const [engine, sqlite, postgres, telemetry, testing] = await Promise.all(
      ["", "/sqlite", "/postgres", "/opentelemetry", "/testing"].map((entry) => import("crawlcore" + entry)));
    let refused;
    try { sqlite.sqliteStorage({ path: 7 }); } catch (error) { refused = error instanceof engine.CrawlcoreError; }
    console.log(JSON.stringify({ refused, names: [engine, sqlite, postgres, telemetry, testing].map(Object.keys) }));
  `);
  expect(names).toEqual({
    refused: true,
    names: [
      expect.arrayContaining(["createEngine", "RequestError"]),
      ["sqliteStorage"],
      expect.arrayContaining(["postgresStorage"]),
      expect.arrayContaining(["openTelemetry"]),
      expect.arrayContaining(["startTestSite"]),
    ],
  });
});

test("importing it adds no global names, and leaves a host's zod its texts", async () => {
  const added = await run(`
    const { z } = await import("zod/mini");
    const errorText = () => z.string().safeParse(7).error.issues[0].message;
    const names = Reflect.ownKeys(globalThis);
    const [text, config] = [errorText(), JSON.stringify(z.config())];
    for (const entry of ["", "/sqlite", "/postgres", "/opentelemetry", "/testing"]) await import("crawlcore" + entry);
    const added = Reflect.ownKeys(globalThis).filter((name) => !names.includes(name)).map(String);
    // What the platform's own fetch registers, which the suites of \`crawlcore/testing\` use.
    const others = added.filter((name) => !name.startsWith("Symbol(undici."));
    console.log(JSON.stringify({ others, sameText: errorText() === text, sameConfig: JSON.stringify(z.config()) === config }));
  `);
  expect(added).toEqual({ others: [], sameText: true, sameConfig: true });
  const alone = await run(`
    const names = Reflect.ownKeys(globalThis);
    await import("crawlcore");
    console.log(JSON.stringify(Reflect.ownKeys(globalThis).filter((name) => !names.includes(name)).map(String)));
  `);
  expect(alone).toEqual([]);
});

test.each(["zod", "zod/mini"])("descriptions in a host's schema of %s come along", async (zod) => {
  const asked = await run(`
    const { z } = await import(${JSON.stringify(zod)});
    const { createEngine } = await import("crawlcore");
    const { startTestSite } = await import("crawlcore/testing");
    const site = await startTestSite({ "/": "<h1>Kettle</h1><p>It costs 30 euros, and it holds a litre and a half.</p>" });
    let prompt = "";
    const model = {
      specificationVersion: "v3", provider: "test", modelId: "test", supportedUrls: {},
      doGenerate: async (options) => { prompt = JSON.stringify(options); throw new Error("enough"); },
    };
    const engine = createEngine({ browser: false, model, network: { allowHosts: ["127.0.0.1"] } });
    const text = z.string();
    z.globalRegistry.add(text, { description: "what a buyer calls it" });
    const schema = z.object({ name: text });
    await engine.scrape({ url: site.url, formats: ["json"], jsonOptions: { schema } }).catch(() => {});
    await engine.close();
    await site.close();
    console.log(JSON.stringify(prompt.includes("what a buyer calls it")));
  `);
  expect(asked).toBe(true);
});

test("it depends on the packages that its files import, and brings no others", async () => {
  const own = createRequire(import.meta.url)("../package.json");
  const optional = Object.keys(own.peerDependencies);
  const files = new Set((await readdir(join(folder, "dist"))).map(String));
  const needed = [...imported].filter((name) => !files.has(name) && !optional.includes(name));
  // The declarations name its types; its code is in the files.
  expect(Object.keys(own.dependencies)).toEqual([...needed, "zod"].sort());
});

test("the pages that its README and its pages point to come along, and no programs that could not run", () => {
  const { files } = createRequire(import.meta.url)("../package.json") as { files: string[] };
  const published = globSync(files, { cwd: root }).flatMap((name) => [name, ...globSync(`${name}/**`, { cwd: root })]);
  const pages = published.filter((name) => name.endsWith(".md"));
  const linked = pages.flatMap((page) =>
    Array.from(readFileSync(join(root, page), "utf8").matchAll(/\]\(([\w./-]+\.(?:md|ts))\)/g), ([, link]) =>
      relative(root, resolve(root, dirname(page), link!)),
    ),
  );
  expect(linked.length).toBeGreaterThan(10);
  // The benchmarks are for those who work on the package, and the examples import its sources, which do not come along.
  const elsewhere = /^(?:benchmarks|examples)\//;
  expect(linked.filter((name) => !elsewhere.test(name) && !published.includes(name))).toEqual([]);
  // Node refuses to run them below `node_modules`.
  expect(published.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  const pointing = pages.filter((page) => /\]\((?:\.\.\/)?examples/.test(readFileSync(join(root, page), "utf8")));
  const silent = pointing.filter((page) => !/in\s+the\s+repository/.test(readFileSync(join(root, page), "utf8")));
  expect(silent).toEqual([]);
});

test("what may be missing is asked for within a try: there bundlers let it be missing", async () => {
  const own = createRequire(import.meta.url)("../package.json");
  const optional = new Set(Object.keys(own.peerDependencies));
  const names = (await readdir(join(folder, "dist"))).filter((name) => name.endsWith(".js"));
  const asked = names.flatMap((name) =>
    callsWithText(parseAst(readFileSync(join(folder, "dist", name), "utf8"))).filter(({ text }) => optional.has(text)),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ isCaught }) => !isCaught)).toEqual([]);
});

/** The calls and imports whose first argument is a text, and whether they stand in a `try` of the same function. */
function callsWithText(tree: unknown): { text: string; isCaught: boolean }[] {
  const found: { text: string; isCaught: boolean }[] = [];
  const look = (node: unknown, isCaught: boolean): void => {
    if (typeof node !== "object" || node === null) return;
    const {
      type,
      arguments: [argument] = [],
      source,
      block,
    } = node as {
      type?: string;
      arguments?: { value?: unknown }[];
      source?: { value?: unknown };
      block?: unknown;
    };
    const text = type === "CallExpression" ? argument?.value : type === "ImportExpression" ? source?.value : undefined;
    if (typeof text === "string") found.push({ text, isCaught });
    const isFunction = type?.includes("Function") ?? false;
    for (const value of Object.values(node)) look(value, value === block || (isCaught && !isFunction));
  };
  look(tree, false);
  return found;
}

test("the declarations of the suites can be read by compilers that know no generic Uint8Array", async () => {
  const types = join(folder, "types");
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  // What they say of types is checked with the sources.
  const parameters = [compiler, "-p", join(root, "tsconfig.build.json"), "--noCheck", "--outDir", types];
  await promisify(execFile)(process.execPath, parameters);
  const names = await readdir(join(types, "testing"), { recursive: true });
  const files = names.filter((name) => name.endsWith(".d.ts"));
  expect(files.filter((name) => /Uint8Array</.test(readFileSync(join(types, "testing", name), "utf8")))).toEqual([]);
  expect(files).toContain("index.d.ts");
});

test("large pages and the write-ahead log are worked on in threads", async () => {
  const report = await run(`
    import { createEngine } from "crawlcore";
    import { sqliteStorage } from "crawlcore/sqlite";
    import { startTestSite } from "crawlcore/testing";

    let threads = 0;
    const failures = [];
    process.on("worker", (thread) => {
      threads++;
      thread.on("error", (error) => failures.push(error.message));
    });
    const site = await startTestSite({ "/": "<h1>Large</h1>" + "<p>Some words in a row.</p>".repeat(20_000) });
    const storage = sqliteStorage({ path: "pages.db" });
    const engine = createEngine({ browser: false, storage, network: { allowHosts: ["127.0.0.1"] } });
    const job = await engine.crawl({ url: site.url, limit: 1, zeroDataRetention: true });
    const pages = [];
    for await (const page of job) pages.push(page.markdown.slice(0, 7));
    await engine.close();
    await site.close();
    console.log(JSON.stringify({ pages, threads, failures }));
  `);
  expect(report).toEqual({ pages: ["# Large"], threads: 2, failures: [] });
});

test("where the host forbids threads, large pages are read without them", async () => {
  // Node 26 forbids the network, too.
  const network = process.allowedNodeEnvironmentFlags.has("--allow-net") ? ["--allow-net"] : [];
  expect(await run(largePages, ["--permission", "--allow-fs-read=*", ...network])).toEqual({
    markdowns: ["# Large", "# Large"],
    logged: [[expect.stringContaining("no thread could be started"), expect.stringContaining("--allow-worker")]],
  });
});

test("so they are where a bundler has left the file of the thread behind", async () => {
  const file = join(folder, "dist", "crawlcore-transform-thread.js");
  renameSync(file, `${file}.away`);
  try {
    expect(await run(largePages)).toEqual({
      markdowns: ["# Large", "# Large"],
      logged: [
        [
          expect.stringContaining("no thread could be started"),
          expect.stringMatching(
            /^crawlcore-transform-thread\.js was not found \(ENOENT.*unless the package stays outside$/,
          ),
        ],
      ],
    });
  } finally {
    renameSync(`${file}.away`, file);
  }
});

test("threads that could not be started are tried again after a minute", async () => {
  const file = join(folder, "dist", "crawlcore-transform-thread.js");
  const program = largePages
    .replace(
      "const logged = [];",
      `
      const { renameSync } = await import("node:fs");
      const now = performance.now.bind(performance);
      let later = 0;
      performance.now = () => now() + later;
      let threads = 0;
      process.on("worker", () => threads++);
      const logged = [];`,
    )
    .replace('["/a", "/b"]', '["/a", "/b", "/c", "/d"]')
    .replace(
      "markdowns.push(data.markdown.slice(0, 7));",
      `
      markdowns.push(threads);
      if (path === "/a") renameSync(${JSON.stringify(`${file}.away`)}, ${JSON.stringify(file)});
      if (path === "/b") later += 61_000;`,
    );
  renameSync(file, `${file}.away`);
  try {
    const { markdowns: threads, logged } = (await run(program)) as { markdowns: number[]; logged: unknown[] };
    expect(threads).toEqual([0, 0, 1, 1]);
    expect(logged).toHaveLength(1);
  } finally {
    if (!existsSync(file)) renameSync(`${file}.away`, file);
  }
});

test("a program that a bundler makes CommonJS of, without an address of its own, reads small and large pages", async () => {
  const input = join(folder, "program.mjs");
  const file = join(folder, "program.cjs");
  writeFileSync(
    input,
    `(async () => {${largePages.replace(/^\s*import (.*) from (.*);$/gm, "const $1 = await import($2);")}})();`,
  );
  await build({
    input,
    platform: "node",
    logLevel: "silent",
    transform: { define: { "import.meta.url": "undefined" } },
    output: { file, format: "cjs", codeSplitting: false },
  });
  const ran = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  expect(JSON.parse(ran.stdout)).toEqual({
    markdowns: ["# Large", "# Large"],
    logged: [
      [
        expect.stringContaining("no thread could be started"),
        expect.stringMatching(/does not know its own address.*unless the package stays outside$/),
      ],
    ],
  });
});

test("such a program finds the browser, which is left outside", async () => {
  const input = join(folder, "rendering.mjs");
  const file = join(folder, "rendering.cjs");
  writeFileSync(
    input,
    `(async () => {
      const { createEngine } = await import("crawlcore");
      const { startTestSite } = await import("crawlcore/testing");
      const rendered = "<p>Some words in a row.</p>".repeat(20);
      const site = await startTestSite({ "/": "<main></main><script>document.querySelector('main').innerHTML = '" + rendered + "'</script>" });
      const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
      const { data } = await engine.scrape({ url: site.url, waitFor: 1 });
      await engine.close();
      await site.close();
      console.log(JSON.stringify([data.metadata.engine, data.markdown.slice(0, 20)]));
    })();`,
  );
  const left = ["playwright", "@crawlee/browser-pool", "@sparticuz/chromium", "@duckduckgo/autoconsent"];
  await build({
    input,
    platform: "node",
    logLevel: "silent",
    external: left,
    transform: { define: { "import.meta.url": "undefined" } },
    output: { file, format: "cjs", codeSplitting: false },
  });
  const ran = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  expect(JSON.parse(ran.stdout)).toEqual(["browser", "Some words in a row."]);
});

test("a program that is bundled with it keeps the files beside it for itself, whatever they are called", async () => {
  const beside = join(folder, "bundled");
  const started = join(beside, "started");
  mkdirSync(beside);
  const input = join(folder, "bundled.mjs");
  const inFile = largePages
    .replace("import { startTestSite", 'import { sqliteStorage } from "crawlcore/sqlite";\n  import { startTestSite')
    .replace("browser: false,", 'browser: false, storage: sqliteStorage({ path: "bundled.db" }),');
  writeFileSync(input, inFile);
  // Programs that are bundled so often say what CommonJS packages expect to know.
  const banner = "const { dirname: __dirname, filename: __filename } = import.meta;";
  const output = { file: join(beside, "program.js"), codeSplitting: false, banner };
  await build({ input, platform: "node", logLevel: "silent", output });
  for (const name of ["worker.js", "thread-worker.js"]) {
    writeFileSync(
      join(beside, name),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(started)}, "");`,
    );
  }
  const ran = await promisify(execFile)(process.execPath, [output.file], { cwd: folder });
  expect(JSON.parse(ran.stdout)).toEqual({
    markdowns: ["# Large", "# Large"],
    logged: [[expect.stringContaining("no thread could be started"), expect.any(String)]],
  });
  expect(existsSync(started)).toBe(false);
});
