/** A program that reads PDF files in its own way, with the same package, changes nothing in how the engine reads them. */
import { definePDFJSModule } from "unpdf";
import { expect, onTestFinished, test } from "vitest";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

const build = await PdfBuilder.start();
build.text("Read by the engine", 60, 80);
const body = Buffer.from(await build.bytes());

/** What an engine that reads on the host's own event loop makes of the file. */
async function markdown(): Promise<string | undefined> {
  const { url } = await site({ "/": { body, headers: { "content-type": "application/pdf" } } });
  return (await engineFor({ limits: { transformThreads: 0 }, browser: false }).scrape({ url })).data.markdown;
}

test("a host may have its own build of PDF.js set for the package that brings ours", async () => {
  await definePDFJSModule(async () => ({ version: "the host's own" }));
  expect(await markdown()).toBe("Read by the engine");
});

test("another PDF.js that makes itself known in the process is not taken for ours", async () => {
  await markdown();
  const known = globalThis as { pdfjsWorker?: unknown };
  const before = known.pdfjsWorker;
  known.pdfjsWorker = { WorkerMessageHandler: { initializeFromPort: () => expect.unreachable() } };
  onTestFinished(() => {
    known.pdfjsWorker = before;
  });
  expect(await markdown()).toBe("Read by the engine");
});
