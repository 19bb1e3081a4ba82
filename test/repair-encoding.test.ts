import { expect, test } from "vitest";
import { repairEncoding } from "../src/transform/charset/repair.ts";

// "我们的中文网页说明" in GB 2312, each byte taken for a Latin-1 character.
const broken =
  "\u00ce\u00d2\u00c3\u00c7\u00b5\u00c4\u00d6\u00d0\u00ce\u00c4\u00cd\u00f8\u00d2\u00b3\u00cb\u00b5\u00c3\u00f7";

test("Chinese that was once read as Western text is repaired", () => {
  expect(repairEncoding(`<p>${broken}</p>`.repeat(3))).toBe("<p>我们的中文网页说明</p>".repeat(3));
});

test("Western text stays as it is", () => {
  for (const text of ["<p>Crème brûlée, façade, naïve</p>", "ÀÉÈÙÂÊÎÔÛÄËÏÖÜ", "plain", "中文", `${broken} — 中`]) {
    expect(repairEncoding(text)).toBe(text);
  }
});
