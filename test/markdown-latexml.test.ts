// Papers as LaTeXML makes pages of them.

import { describe, expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

describe("notes in their places", () => {
  const note = (mark: string, text: string) =>
    `<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">${mark}</sup><span class="ltx_note_outer"><span class="ltx_note_content">
      <sup class="ltx_note_mark">${mark}</sup><span class="ltx_tag ltx_tag_note">${mark}</span>${text}</span></span></span>`;

  it("are footnotes", async () => {
    const html = `<p>One${note("1", "This <i>is</i> a note.")} and two${note("2", "Another.")} and${note("1", "")} the end${note("†", "Sign.")}.</p>
      <p>Below.</p>`;
    expect(await markdownOf(html)).toBe(
      "One[^1] and two[^2] and[^1] the end[^note].\n\nBelow.\n\n[^1]: This _is_ a note.\n\n[^2]: Another.\n\n[^note]: Sign.",
    );
  });

  it("leave only the mark where they say nothing", async () => {
    expect(await markdownOf(`<p>One${note("3", "")}.</p>`)).toBe("One<sup>3</sup>.");
  });
});
