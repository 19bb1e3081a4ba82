/** A PDF of very many streams is looked through for the text that it states without holding the event loop. */
import { expect, test } from "vitest";
import { withNamedTexts } from "../src/transform/pdf/actual-text.ts";

test("streams that draw nothing give others a turn, too", async () => {
  const start = `%PDF-1.4\n${"1 0 obj<</Subtype/Image/Length 0>>stream\n\nendstream endobj\n".repeat(300_000)}`;
  const end = `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 5>>\nstartxref\n${start.length}\n%%EOF\n`;
  let turns = 0;
  let isReading = true;
  const count = (): void => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  expect(await withNamedTexts(Buffer.from(start + end, "latin1"))).toBeUndefined();
  isReading = false;
  expect(turns).toBeGreaterThan(5);
}, 30_000);
