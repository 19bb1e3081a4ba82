// PDF files whose content is not on their pages: forms that a program lays out, and collections of other files.
import { expect, test } from "vitest";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

async function scraped(catalogue: string, ...objects: string[]) {
  const [, pages, page] = onePage("/Font<</F1 5 0 R>>");
  const content = stream("BT /F1 12 Tf 72 720 Td (Please wait for another program.) Tj ET");
  const body = rawPdf([`<</Type/Catalog/Pages 2 0 R${catalogue}>>`, pages!, page!, content, helvetica, ...objects]);
  const headers = { "content-type": "application/pdf" };
  const { url } = await site({ "/notice.pdf": { headers, body: Buffer.from(body) } });
  const { data, warning } = await engineFor().scrape({ url: `${url}/notice.pdf` });
  return { markdown: data.markdown, warning: data.warning ?? warning };
}

const field = "<</FT/Tx/T(name)/V(Jane)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]>>";

test("a form in XFA has a warning, unless it has fields of the usual kind as well", async () => {
  const markdown = "Please wait for another program.";
  const form = stream("<xdp/>");
  const alone = await scraped("/NeedsRendering true/AcroForm<</XFA 6 0 R/Fields[]>>", form);
  expect(alone).toMatchObject({ markdown, warning: expect.stringContaining("XFA") });
  const both = await scraped("/AcroForm<</XFA 6 0 R/Fields[7 0 R]>>", form, field);
  expect(both).toEqual({ markdown, warning: undefined });
});

test("a portfolio has a warning, unlike a file with attachments", async () => {
  const attached = ["<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>", stream("words", "/Type/EmbeddedFile")];
  const names = "/Names<</EmbeddedFiles<</Names[(a.txt) 6 0 R]>>>>";
  const portfolio = await scraped(`${names}/Collection<</Type/Collection>>`, ...attached);
  expect(portfolio.warning).toContain("portfolio");
  expect((await scraped(names, ...attached)).warning).toBeUndefined();
});
