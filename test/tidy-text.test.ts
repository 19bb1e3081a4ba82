/** White space in running text, beside the two replacements that say what is meant. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { tidy } from "../src/transform/markdown/tidy-text.ts";

const meant = (text: string): string => text.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ");

it("treats every character as meant, alone and between others", () => {
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character} b`, ` ${character}${character}`]) {
      if (tidy(text) !== meant(text)) expect([code, tidy(text)]).toEqual([code, meant(text)]);
    }
  }
});

it("treats any text as meant", () => {
  const unit = fc.constantFrom("a", "é", "漢", " ", "\n", "\t", "\r", "\u00a0", "\u00ad", "\u200b", "\u3000", "\0");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => tidy(text) === meant(text)),
    { numRuns: 5000 },
  );
});
