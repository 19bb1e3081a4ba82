import { expect, test } from "vitest";
import { repairEncoding } from "../src/transform/charset/repair.ts";
import { transform } from "../src/transform/transform.ts";

// "我们的中文网页说明" in GB 2312, each byte taken for a Latin-1 character.
const broken =
  "\u00ce\u00d2\u00c3\u00c7\u00b5\u00c4\u00d6\u00d0\u00ce\u00c4\u00cd\u00f8\u00d2\u00b3\u00cb\u00b5\u00c3\u00f7";

test("Chinese that was once read as Western text is repaired", () => {
  expect(repairEncoding(`<p>${broken}</p>`.repeat(3))).toBe("<p>我们的中文网页说明</p>".repeat(3));
});

test.each(["", "\ufeff"])("a page is repaired, after the mark %j, too", async (mark) => {
  const body = Buffer.from(`${mark}<!doctype html><body><p>${broken.repeat(3)}</p>`);
  const options = {
    formats: ["markdown", "rawHtml"],
    onlyMainContent: false,
    removeBase64Images: true,
    parsePDF: true,
  } as const;
  const result = await transform({
    body,
    contentType: "text/html",
    url: "https://zh.example/",
    rendered: false,
    options,
  });
  expect(result.markdown).toBe("我们的中文网页说明".repeat(3));
  expect(result.rawHtml).toContain("我们的中文网页说明");
});

test("Western text stays as it is", () => {
  for (const text of ["<p>Crème brûlée, façade, naïve</p>", "ÀÉÈÙÂÊÎÔÛÄËÏÖÜ", "plain", "中文", `${broken} — 中`]) {
    expect(repairEncoding(text)).toBe(text);
  }
});
