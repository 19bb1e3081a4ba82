// Forms on pages that are shown turned: the text of their fields is turned with them.
import { expect, test } from "vitest";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

const labels = ["Surname:", "Given names:", "Street:", "Town:"];
const values = ["Lightkeeper", "Anna Maria", "Harbour Street 12", "Bergen"];

/** For each turn, where the label in this row begins, its direction, and the area of its field. */
const turns: Readonly<Record<number, (row: number) => { matrix: string; area: readonly number[] }>> = {
  0: (row) => ({ matrix: `1 0 0 1 72 ${700 - row * 30}`, area: [160, 694 - row * 30, 360, 714 - row * 30] }),
  90: (row) => ({ matrix: `0 1 -1 0 ${72 + row * 30} 72`, area: [58 + row * 30, 160, 78 + row * 30, 360] }),
  180: (row) => ({ matrix: `-1 0 0 -1 540 ${72 + row * 30}`, area: [252, 58 + row * 30, 452, 78 + row * 30] }),
  270: (row) => ({ matrix: `0 -1 1 0 ${540 - row * 30} 720`, area: [534 - row * 30, 432, 554 - row * 30, 632] }),
};

test.each([0, 90, 180, 270])("what is filled in is beside its label on a page turned by %i degrees", async (turn) => {
  const rows = labels.map((label, row) => ({ label, value: values[row]!, ...turns[turn]!(row) }));
  const content = rows.map(({ label, matrix }) => `BT /F1 12 Tf ${matrix} Tm (${label}) Tj ET`).join("\n");
  const fields = rows.map(
    ({ label, value, area }) =>
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${label})/V(${value})/Rect[${area.join(" ")}]/MK<</R ${turn}>>>>`,
  );
  const [, pages, page] = onePage("/Font<</F1 5 0 R>>");
  const body = rawPdf([
    "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>",
    pages!,
    page!.replace(/>>$/, `/Rotate ${turn}/Annots[${fields.join("")}]>>`),
    stream(content),
    helvetica,
  ]);
  const headers = { "content-type": "application/pdf" };
  const { url } = await site({ "/form.pdf": { headers, body: Buffer.from(body) } });
  const { data } = await engineFor().scrape({ url: `${url}/form.pdf` });
  const cells = data.markdown!.split("\n").filter((line) => !line.startsWith("| ---"));
  expect(cells).toEqual(rows.map(({ label, value }) => `| ${label} | ${value} |`));
});
