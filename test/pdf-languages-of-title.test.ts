import { expect, test } from "vitest";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

async function metadataOf(title: string) {
  const [, ...page] = onePage("/Font<</F1 5 0 R>>");
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description><dc:title><rdf:Alt>${title}</rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;
  const body = rawPdf([
    "<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>",
    ...page,
    stream("BT /F1 12 Tf 72 720 Td (text) Tj ET"),
    helvetica,
    stream(packet, "/Type/Metadata/Subtype/XML"),
  ]);
  const headers = { "content-type": "application/pdf" };
  const { url } = await site({ "/titled.pdf": { headers, body: Buffer.from(body) } });
  return (await engineFor().scrape({ url: `${url}/titled.pdf` })).data.metadata;
}

test("a PDF with its title in several languages has that of its default language, or the first", async () => {
  const [english, german] = ["Lamps &amp; Wicks", "Lampen &amp; Dochte"];
  const item = (language: string, text: string) => `<rdf:li xml:lang="${language}">${text}</rdf:li>`;
  expect(await metadataOf(item("de", german) + item("x-default", english))).toMatchObject({ title: "Lamps & Wicks" });
  expect(await metadataOf(item("de", german) + item("en", english))).toMatchObject({ title: "Lampen & Dochte" });
  expect(await metadataOf(item("x-default", english))).toMatchObject({ title: "Lamps & Wicks" });
});
