import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);

// What is cut out of a text keeps the whole text in memory, which no value shows: so memory itself is looked at.
test("results that are kept do not keep the pages they come from", () => {
  const program = `
    import { transform } from ${source("transform/transform.ts")};
    const options = { formats: ["markdown", "html", "links"], onlyMainContent: false, removeBase64Images: true,
      parsePDF: true, discoverLinks: true, linkTexts: true, visibleOnly: false, structuredData: true };
    const kept = [];
    const page = (number) => Buffer.from(\`<!doctype html><html lang="en-GB"><head><title>A page with a title of its own</title>
      <meta name="description" content="What the page is about, at some length">
      <link rel="canonical" href="https://other.example/a-canonical-address"><link rel="icon" href="https://other.example/icon.png">
      <script type="application/ld+json">{"@type":"Article","headline":"A headline of the page"}</script></head>
      <body><h1>A first heading</h1><p>A paragraph with <a href="https://other.example/page/\${number}">an absolute link</a>,
      <a href="/a-relative-address/\${number}">a relative one</a> and <img src="https://other.example/picture.png" alt="a picture of it">.</p>
      <ul><li>the first item of a list</li></ul><table><tr><th>a cell of a table</th></tr><tr><td>another cell</td></tr></table>
      <pre><code>const code = "some code";</code></pre><!-- \${"x".repeat(1_000_000)} --></body></html>\`);
    const input = (number) => ({ body: page(number), contentType: "text/html; charset=utf-8", url: "https://site.example/",
      sourceURL: "https://site.example/", statusCode: 200, rendered: false, options });
    await transform(input(0));
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let number = 1; number <= 40; number++) kept.push(await transform(input(number)));
    gc();
    console.log(Math.round((process.memoryUsage().heapUsed - before) / 1000 / kept.length));
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module"];
  const kilobytesEach = Number(execFileSync(process.execPath, [...flags, "-e", program], { encoding: "utf8" }));
  expect(kilobytesEach).toBeLessThan(100);
});

test("a signal that lives on does not keep the result of a call to which it was given", () => {
  const program = `
    import { once } from "node:events";
    import { createServer } from "node:http";
    import { setImmediate } from "node:timers/promises";
    import { createEngine } from ${source("index.ts")};
    const page = "<!doctype html><html lang=en><title>A page</title><main><p>" + "Some words of a page. ".repeat(50);
    const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(page)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const engine = createEngine({ network: { allowPrivateAddresses: true } });
    const { signal } = new AbortController();
    const url = \`http://127.0.0.1:\${server.address().port}/\`;
    const kept = [];
    for (let count = 0; count < 3; count++) kept.push(new WeakRef(await engine.scrape({ url: url + count }, { signal })));
    for (let count = 0; count < 5; count++) {
      await setImmediate();
      gc();
    }
    console.log(kept.filter((result) => result.deref() !== undefined).length, signal.aborted);
    process.exit();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module"];
  expect(execFileSync(process.execPath, [...flags, "-e", program], { encoding: "utf8" })).toBe("0 false\n");
});
