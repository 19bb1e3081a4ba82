/** Writes annual-report.pdf. Run it after a change of the text: `node examples/demo-site/make-annual-report.ts`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";

const pages: readonly (readonly [heading: string, ...paragraphs: readonly string[]])[] = [
  [
    "Annual report 2024",
    "Tarn Hill Observatory Society",
    "The year had 63 clear nights, four more than the year before and eleven fewer than we should have liked. On 41 of them the dome was open to visitors, of whom 2,914 signed the book and perhaps as many did not.",
    "The robotic telescope worked on 118 nights, since it is content with half a night, and made 31,420 exposures. The meteor cameras recorded 4,077 meteors, nine fireballs and one balloon.",
    "Membership stands at 307. Three members died this year, and eleven were born to members; the rules are silent on whether the latter count.",
  ],
  [
    "Accounts",
    "Income: subscriptions 6,140; box by the door 4,388; shop 3,902; grants 12,000. Sum: 26,430 pounds.",
    "Expenditure: roof and dome 9,775; instruments 5,210; heating and tea 2,064; insurance 3,150; postage 611. Sum: 20,810 pounds.",
    "The surplus of 5,620 pounds was put aside for the ramp to the dome floor, which is to be built in the summer by the people who built the dome, or rather by their great-grandchildren.",
  ],
  [
    "Next year",
    "We mean to wash nothing, to aluminise nothing, and to look through everything.",
    "The exchange with Kurotani will be extended to two observers. The second edition of the meteor logbook goes to the printer in February. The church clock will be kept right.",
    "Ruth Pellow, secretary",
  ],
];

/** Breaks a paragraph into lines of at most `width` characters. */
function lines(text: string, width: number): string[] {
  const result = [""];
  for (const word of text.split(" ")) {
    const last = result.at(-1) ?? "";
    if (last.length + word.length + 1 > width) result.push(word);
    else result[result.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return result;
}

const document = await PDFDocument.create();
const made = new Date("2025-01-31T12:00:00Z");
document.setTitle("Annual report 2024");
document.setAuthor("Tarn Hill Observatory Society");
document.setCreationDate(made);
document.setModificationDate(made);
const serif = await document.embedFont(StandardFonts.TimesRoman);
const bold = await document.embedFont(StandardFonts.TimesRomanBold);
for (const [heading, ...paragraphs] of pages) {
  const page = document.addPage([595, 842]);
  let y = 760;
  page.drawText(heading, { x: 70, y, size: 24, font: bold });
  for (const paragraph of paragraphs) {
    y -= 20;
    for (const line of lines(paragraph, 78)) {
      y -= 18;
      page.drawText(line, { x: 70, y, size: 12, font: serif });
    }
  }
}
await writeFile(join(import.meta.dirname, "annual-report.pdf"), await document.save());
