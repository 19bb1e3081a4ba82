/** Which keys a document has: those that were asked for, whatever kind of body the page turned out to have. */
import { expect, test } from "vitest";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("each format that was asked for is there, and nothing else", async () => {
  const pdf = await (await PdfBuilder.start()).text("Words", 60, 80).bytes();
  const { url } = await site({
    "/html": page("home"),
    "/empty": "",
    "/text": { headers: { "content-type": "text/plain" }, body: "words" },
    "/json": { headers: { "content-type": "application/json" }, body: "{}" },
    "/missing": { status: 404, body: page("missing") },
    "/pdf": { headers: { "content-type": "application/pdf" }, body: pdf },
  });
  const engine = engineFor();
  const formats = ["markdown", "html", "rawHtml", "links"] as const;
  for (const path of ["/html", "/empty", "/text", "/json", "/missing", "/pdf"]) {
    for (const parsePDF of [true, false]) {
      const keys = async (asked: readonly (typeof formats)[number][]) => {
        const { data } = await engine.scrape({ url: url + path, formats: [...asked], parsePDF });
        return Object.keys(data).filter((key) => key !== "warning");
      };
      expect(await keys(formats), path).toEqual([...formats, "metadata"]);
      expect(await keys([]), path).toEqual(["metadata"]);
      for (const format of formats) expect(await keys([format]), path).toEqual([format, "metadata"]);
    }
  }
});

test("a scrape names its page as the caller wrote it, a batch by the URL that was made of it", async () => {
  const { url } = await site({ "/": page("home") });
  const written = url.replace("http://", "");
  const engine = engineFor({ browser: false });
  const { data } = await engine.scrape({ url: written });
  expect(data.metadata).toMatchObject({ sourceURL: written, url: `${url}/` });
  const batch = await (await engine.batchScrape({ urls: [written] })).wait();
  expect(batch.data[0]?.metadata).toMatchObject({ sourceURL: url, url: `${url}/` });
});
