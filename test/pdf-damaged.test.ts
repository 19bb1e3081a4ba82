// PDF files that are damaged in ways of which pdf.js rejects what nobody waits for, or says no numbers where there should be.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

const headers = { "content-type": "application/pdf" };
const drawn = (text: string) => stream(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`);
const pageOf = (content: number) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${content} 0 R/Resources<</Font<</F1 5 0 R>>>>>>`;

/** Both pages are not where the table says, as in a file that has lost some bytes before them. */
function shifted(): Buffer {
  const file = rawPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[6 0 R 7 0 R]/Count 2>>",
    drawn("the first page"),
    drawn("the second page"),
    helvetica,
    pageOf(3),
    pageOf(4),
  ]);
  const text = Buffer.from(file).toString("latin1");
  const places = [6, 7].map((number) => String(text.indexOf(`${number} 0 obj`)).padStart(10, "0"));
  const wrong = places.reduce((rest, place) => rest.replace(place, String(Number(place) + 3).padStart(10, "0")), text);
  return Buffer.from(wrong, "latin1");
}

test("pages that are not where the file says are found", async () => {
  const { url } = await site({ "/shifted.pdf": { headers, body: shifted() } });
  const { data } = await engineFor().scrape({ url: `${url}/shifted.pdf` });
  expect(data.markdown).toBe("the first page the second page");
});

test("they do not end a process that reads them in its own thread, which hears of its own rejections as before", async () => {
  const { url } = await site({ "/shifted.pdf": { headers, body: shifted() } });
  const program = `
    const { createEngine } = await import(${JSON.stringify(fileURLToPath(new URL("../src/index.ts", import.meta.url)))});
    const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] }, limits: { transformThreads: 0 } });
    const { data } = await engine.scrape({ url: ${JSON.stringify(`${url}/shifted.pdf`)} });
    await engine.close();
    console.log(data.markdown);
    process.once("uncaughtException", ({ message }) => console.log(message));
    Promise.reject(new Error("of the host"));`;
  const ran = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(ran.stdout).toBe("the first page the second page\nof the host\n");
});

test("text whose place is no number is still text", async () => {
  const content = stream(`
    BT /F1 12 Tf 72 /X Td (word) Tj ET
    BT /F1 12 Tf 72 700 Td (somewhere) Tj ET
    BT /F1 12 Tf 72 680 Td (and below) Tj ET`);
  const body = Buffer.from(rawPdf([...onePage("/Font<</F1 5 0 R>>"), content, helvetica]));
  const { url } = await site({ "/odd.pdf": { headers, body } });
  const { data } = await engineFor().scrape({ url: `${url}/odd.pdf` });
  expect(data.markdown).toContain("word");
  expect(data.markdown).toContain("somewhere and below");
});
