// Each folder of fixtures/markdown is a page and the markdown a person would write for it.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { transform } from "../src/transform/transform.ts";

const folder = fileURLToPath(new URL("fixtures/markdown/", import.meta.url));

describe("markdown", () => {
  it.each(readdirSync(folder))("%s", async (name) => {
    const result = await transform({
      body: readFileSync(`${folder}${name}/page.html`),
      contentType: "text/html; charset=utf-8",
      url: "https://example.test/page",
      rendered: false,
      options: { formats: ["markdown"], onlyMainContent: false, removeBase64Images: true, parsePDF: true },
    });
    expect(`${result.markdown}\n`).toBe(readFileSync(`${folder}${name}/expected.md`, "utf8"));
  });
});
