// A page made to take long, by its elements or by a caller's selectors: the rest of the process goes on meanwhile.
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** So deep that the text is read hundreds of times when each level is asked what it contains. */
const deep = (levels: number, paragraphs: number): string =>
  `<!doctype html><title>Deep</title>${"<div>".repeat(levels)}${"<p>and so it goes on</p>".repeat(paragraphs)}<p id="end">The end</p>`;

/** A page of much drawing, which is read in one go, after bytes that are no part of the file, as some servers send. */
function pdfAfterJunk(): Buffer {
  const drawing = deflateSync(`BT /F1 12 Tf 72 720 Td (and so it goes on) Tj ET ${" 0 0 m".repeat(1_500_000)}`);
  const pdf = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(drawing.toString("latin1"), "/Filter/FlateDecode"),
    helvetica,
  ]);
  return Buffer.concat([Buffer.from("\r\n<!-- served by a proxy -->\r\n"), pdf]);
}

let site: TestSite;
let engine: Engine;
let withConverter: Engine;

beforeAll(async () => {
  const html = { "content-type": "text/html" };
  site = await startTestSite({
    "/many-elements": { headers: html, body: deep(400, 5000) },
    "/much-text": { headers: html, body: deep(100, 9000) },
    "/dense": { headers: html, body: `<table>${"<tr><td>x<td>y".repeat(18_000)}</table>` },
    "/late.pdf": { headers: { "content-type": "application/pdf" }, body: pdfAfterJunk() },
    "/small": { headers: html, body: "<p>One.</p><p class='x'>Two.</p>" },
  });
  const network = { allowPrivateAddresses: true };
  engine = createEngine({ network });
  withConverter = createEngine({ network, turndown: { turndown: () => "and so it goes on" } });
});

afterAll(async () => {
  await Promise.all([engine.close(), withConverter.close()]);
  await site.close();
});

/** The longest time that nothing else got to run during the work, in milliseconds. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const tick = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const ticks = setInterval(tick, 2);
  await work();
  tick();
  clearInterval(ticks);
  return longest;
}

// They go to a thread; with a host's own converter, which cannot, they are interrupted between elements.
test.each([
  ["/many-elements", "a thread"],
  ["/much-text", "a thread"],
  ["/many-elements", "turns"],
])("selectors on %s let others in between, in %s", async (path, where) => {
  const reader = where === "turns" ? withConverter : engine;
  let markdown: string | undefined;
  let took = 0;
  const longest = await longestWait(async () => {
    const began = performance.now();
    const { data } = await reader.scrape({
      url: site.url + path,
      onlyMainContent: false,
      excludeTags: ["div:contains(nowhere)", "#end"],
      timeout: 60_000,
    });
    took = performance.now() - began;
    markdown = data.markdown;
  });
  expect(markdown).toMatch(/^and so it goes on/);
  expect(markdown).not.toContain("The end");
  expect(longest).toBeLessThan(took / 3);
});

test("a page of 54,000 elements lets others in between", async () => {
  let rows = 0;
  let took = 0;
  const longest = await longestWait(async () => {
    const began = performance.now();
    const { data } = await engine.scrape({ url: `${site.url}/dense`, onlyMainContent: false, timeout: 60_000 });
    took = performance.now() - began;
    rows = data.markdown?.split("\n").length ?? 0;
  });
  expect(rows).toBeGreaterThan(18_000);
  expect(longest).toBeLessThan(took / 3);
});

test("they end with the call", async () => {
  const controller = new AbortController();
  const call = engine.scrape(
    { url: `${site.url}/many-elements`, excludeTags: ["div:contains(never)", "p ~ div:contains(never)"] },
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(new Error("enough")), 100);
  await expect(call).rejects.toThrow("enough");
});

test.each(["/many-elements", "/much-text"])("other pages are read while selectors take long on %s", async (path) => {
  const ended: string[] = [];
  const read = async (asked: string): Promise<void> => {
    await engine.scrape({ url: site.url + asked, excludeTags: ["div:contains(elsewhere)", ".x"], timeout: 60_000 });
    ended.push(asked);
  };
  const long = read(path);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([long, read("/small")]);
  expect(ended).toEqual(["/small", path]);
});

test.each(["the engine's own markdown", "a host's converter"])(
  "a PDF behind other bytes goes to a thread, with %s",
  async (what) => {
    const reader = what === "the engine's own markdown" ? engine : withConverter;
    // Loading the reader of PDF files is none of its work.
    await reader.scrape({ url: `${site.url}/late.pdf`, timeout: 60_000 });
    let took = 0;
    let markdown: string | undefined;
    const longest = await longestWait(async () => {
      const began = performance.now();
      markdown = (await reader.scrape({ url: `${site.url}/late.pdf`, timeout: 60_000 })).data.markdown;
      took = performance.now() - began;
    });
    expect(markdown).toContain("and so it goes on");
    expect(longest).toBeLessThan(took / 3);
  },
);
