// PDF files made to take all memory or time: the page fails before they do, and the engine goes on.
import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type Taker, withinBounds } from "../src/transform/thread-bounds.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, page, site } from "./start-engine.ts";

const text = "BT /F1 12 Tf 72 720 Td (and so it goes on) Tj ET";

function packed(content: Uint8Array, times: number, entries = ""): string {
  let bytes = content;
  for (let time = 0; time < times; time++) bytes = deflateSync(bytes);
  return stream(Buffer.from(bytes).toString("latin1"), `${entries}/Filter[${"/FlateDecode".repeat(times)}]`);
}

const pdf = (content: string): Uint8Array => rawPdf([...onePage("/Font<</F1 5 0 R>>"), content, helvetica]);

const spaces = (count: number): Buffer => Buffer.alloc(count, " ");

/** Packed once, a file of hundreds of kilobytes; three times, of one. */
const bombs: Readonly<Record<string, () => Uint8Array>> = {
  "a page's drawing": () => pdf(packed(Buffer.concat([Buffer.from(text), spaces(400_000_000)]), 1)),
  "a page's drawing, packed three times": () => pdf(packed(Buffer.concat([Buffer.from(text), spaces(400_000_000)]), 3)),
  "one string": () => pdf(packed(Buffer.from(`BT /F1 12 Tf 72 720 Td (${"a".repeat(60_000_000)}) Tj ET`), 1)),
  metadata: () => {
    const [, ...rest] = onePage("/Font<</F1 5 0 R>>");
    const catalogue = "<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>";
    const xmp = packed(spaces(400_000_000), 3, "/Type/Metadata/Subtype/XML");
    return rawPdf([catalogue, ...rest, stream(text), helvetica, xmp]);
  },
};

const known = new Map<string, Buffer>();

/** To pack one takes seconds: once is enough. */
function made(what: string): Buffer {
  const body = known.get(what) ?? Buffer.from(bombs[what]!());
  known.set(what, body);
  return body;
}

const headers = { "content-type": "application/pdf" };

test.each(Object.keys(bombs))("a PDF that unpacks to far more than it is fails: %s", async (what) => {
  const { url } = await site({
    "/bomb.pdf": { headers, body: made(what) },
    "/plain.pdf": { headers, body: Buffer.from(pdf(stream(text))) },
  });
  const engine = engineFor();
  const read = (path: string) => engine.scrape({ url: url + path, timeout: 90_000 });
  // The second waits for the thread that the first one has.
  const [bomb, plain] = await Promise.allSettled([read("/bomb.pdf"), read("/plain.pdf")]);
  expect(bomb).toMatchObject({
    reason: {
      name: "ScrapeError",
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      // On a busy machine, unpacking it may take more of the processor's time than there is while others wait.
      message: expect.stringMatching(/too (?:large|long)/),
      retryable: false,
    },
  });
  expect(plain).toMatchObject({ value: { data: { markdown: "and so it goes on" } } });
  expect((await read("/plain.pdf")).data.markdown).toBe("and so it goes on");
});

/** States of the drawing that are saved and never restored: for each one the reader takes longer than for the last. */
const slow = (): Uint8Array => pdf(packed(Buffer.from("q ".repeat(200_000)), 1));

test("a PDF that takes far longer than its size explains fails if others wait for the thread", async () => {
  expect(slow().byteLength).toBeLessThan(1024);
  const { url } = await site({
    "/slow.pdf": { headers, body: Buffer.from(slow()) },
    "/plain.pdf": { headers, body: Buffer.from(pdf(stream(text))) },
  });
  const engine = engineFor();
  const read = (path: string, team: string) => engine.scrape({ url: url + path, timeout: 90_000 }, { team });
  const [first, second] = await Promise.allSettled([read("/slow.pdf", "one"), read("/plain.pdf", "two")]);
  expect(first).toMatchObject({
    reason: {
      name: "ScrapeError",
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("too long"),
      retryable: false,
    },
  });
  expect(second).toMatchObject({ value: { data: { markdown: "and so it goes on" } } });
});

test.each([
  ["others are waiting", true],
  ["nobody is waiting", false],
])("how long a PDF may take when %s", async (_, isAwaited) => {
  let asked = 0;
  // A second passes with each question.
  const thread = { threadId: 7, cpuUsage: async () => ({ user: ++asked * 1_000_000, system: 0 }) };
  const work = (taker: Taker, signal: AbortSignal) => {
    Atomics.store(taker, 0, thread.threadId);
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      const timer = setInterval(() => asked >= 10 && resolve("read"), 1);
      onTestFinished(() => clearInterval(timer));
    });
  };
  const result = withinBounds(
    () => [thread],
    1024,
    () => isAwaited,
    work,
  );
  if (!isAwaited) return expect(await result).toBe("read");
  await expect(result).rejects.toThrow("too long");
  expect(asked).toBe(6);
});

test("pages in other threads are read to their end meanwhile", async () => {
  const rows = 40_000;
  const { url } = await site({
    "/bomb.pdf": { headers, body: made("one string") },
    "/long": page("Long").replace("</main>", `${"<p>and so it goes on</p>".repeat(rows)}</main>`),
  });
  const engine = engineFor({ limits: { transformThreads: 2 } });
  const [bomb, long] = await Promise.allSettled([
    engine.scrape({ url: `${url}/bomb.pdf`, timeout: 90_000 }),
    engine.scrape({ url: `${url}/long`, timeout: 60_000 }),
  ]);
  expect(bomb).toMatchObject({ reason: { code: "SCRAPE_UNSUPPORTED_FILE_ERROR" } });
  if (long.status === "rejected") throw long.reason;
  expect(long.value.data.markdown?.split("and so it goes on")).toHaveLength(rows + 1);
});

test("a job records it as the error of its page, and reads the others", async () => {
  const { url } = await site({
    "/bomb.pdf": { headers, body: made("a page's drawing, packed three times") },
    "/plain.pdf": { headers, body: Buffer.from(pdf(stream(text))) },
  });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [`${url}/bomb.pdf`, `${url}/plain.pdf`] });
  expect(await job.wait()).toMatchObject({ status: "completed", completed: 1 });
  const { errors } = await engine.getBatchScrapeErrors(job.id);
  expect(errors).toMatchObject([{ url: `${url}/bomb.pdf`, error: expect.stringContaining("too large") }]);
});
