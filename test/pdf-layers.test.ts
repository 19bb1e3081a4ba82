// Layers of a PDF that its viewer does not show: what is in them is no part of the text.
import { expect, test } from "vitest";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

const headers = { "content-type": "application/pdf" };
const line = (text: string, y: number, x = 72) => `BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET\n`;
const within = (layer: string, content: string) => `/OC /${layer} BDC ${content} EMC\n`;
const form = (content: string, entries = "") =>
  stream(
    content,
    `/Type/XObject/Subtype/Form/BBox[0 0 612 792]${entries}/Resources<</Font<</F1 5 0 R>>/Properties<</Off 6 0 R/On 7 0 R>>>>`,
  );

/** A file whose layer `Off` is hidden and whose layer `On` is not; `Not` is hidden as long as `On` is seen. */
async function markdownOf(content: string, ...forms: string[]): Promise<string> {
  const names = forms.map((_, index) => `/X${index + 1} ${index + 9} 0 R`).join("");
  const [, pages, page] = onePage(`/Font<</F1 5 0 R>>/Properties<</Off 6 0 R/On 7 0 R/Not 8 0 R>>/XObject<<${names}>>`);
  const body = rawPdf([
    "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]>>>>>>",
    pages!,
    page!,
    stream(content),
    helvetica,
    "<</Type/OCG/Name(Off)>>",
    "<</Type/OCG/Name(On)>>",
    "<</Type/OCMD/OCGs[7 0 R]/P/AllOff>>",
    ...forms,
  ]);
  const { url } = await site({ "/layers.pdf": { headers, body: Buffer.from(body) } });
  return (await engineFor().scrape({ url: `${url}/layers.pdf` })).data.markdown ?? "";
}

test("text in hidden layers is left out, also within others, and where a shown one has the same words", async () => {
  const markdown = await markdownOf(
    [
      line("The lamp is lit at dusk.", 720),
      within("Off", line("Die Lampe brennt ab", 700) + within("On", line("der Abendstunde.", 700, 300))),
      within("On", line("The keeper sleeps by day.", 700)),
      within("Not", line("The keeper sleeps by day.", 680)),
      within("Off", "/Span <</Lang(de)>> BDC BT 72 660 Td (Der Turm) Tj 60 0 Td [(ist) -300 (rot.)] TJ ET EMC"),
      line("The tower is red.", 660),
    ].join(""),
  );
  expect(markdown.split(/\s+/).join(" ")).toBe("The lamp is lit at dusk. The keeper sleeps by day. The tower is red.");
});

test("so are forms that are in hidden layers, as a whole or in part, however often they are drawn", async () => {
  const markdown = await markdownOf(
    `${line("Before.", 720)} /X1 Do /X2 Do /X3 Do /X1 Do ${within("Off", "/X3 Do")} ${line("After.", 600)}`,
    form(line("Hidden as a whole.", 700), "/OC 6 0 R"),
    form(line("Hidden in a group.", 690), "/OC 6 0 R/Group<</S/Transparency>>"),
    form(line("Shown in part.", 680) + within("Off", line("Hidden in part.", 660))),
  );
  expect(markdown.split(/\s+/).join(" ")).toBe("Before. Shown in part. After.");
});

test("text beside the page, which is not read, keeps none of it from being told apart", async () => {
  const markdown = await markdownOf(
    [
      line("Beside the page, where nobody looks.", 720, 2_000),
      line("First.", 720),
      within("Off", line("Hidden.", 700)),
      within("Off", line("Beside the page.", 700, 2_000)),
      line("Last.", 680),
    ].join(""),
  );
  expect(markdown.split(/\s+/).join(" ")).toBe("First. Last.");
});

test("lines in hidden layers make no table", async () => {
  const rows = [700, 680, 660].flatMap((y) => [line("amber", y, 72), line("basin", y, 130)]).join("");
  const rules = [
    ...[716, 696, 676, 656].map((y) => `66 ${y} m 190 ${y} l S`),
    ...[66, 124, 190].map((x) => `${x} 716 m ${x} 656 l S`),
  ].join("\n");
  expect(await markdownOf(within("On", rules) + rows)).toContain("| amber | basin |");
  expect(await markdownOf(within("Off", rules) + rows)).toBe(await markdownOf(rows));
});
