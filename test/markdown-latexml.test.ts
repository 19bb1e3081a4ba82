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
    expect(await markdownOf(`<p>One${note("3", "")}.</p>`)).toBe("One <sup>3</sup>.");
  });
});

describe("items with a marker of their own", () => {
  const item = (mark: string, text: string) =>
    `<li style="list-style-type:none;"><span class="ltx_tag">${mark}</span> <div class="ltx_para"><p>${text}</p></div></li>`;

  it("have it once", async () => {
    expect(await markdownOf(`<ol>${item("1.", "First.")}${item("2.", "Second.")}</ol>`)).toBe("1. First.\n2. Second.");
    expect(await markdownOf(`<ol>${item("(4)", "Fourth.")}${item("5", "Fifth.")}</ol>`)).toBe("4. Fourth.\n5. Fifth.");
    expect(await markdownOf(`<ol>${item("(a)", "First.")}${item("(b)", "Second.")}</ol>`)).toBe(
      "1. First.\n2. Second.",
    );
    expect(await markdownOf(`<ul>${item("•", "Bullet.")}${item("–", "Dash.")}</ul>`)).toBe("- Bullet.\n- Dash.");
  });

  it("keep what is more than a marker", async () => {
    const items = "<li><span>1.</span> shown as well</li>";
    expect(await markdownOf(`<ol>${items}</ol>`)).toBe("1. 1\\. shown as well");
    const counts = '<li style="list-style: none"><b>12</b> kettles</li>';
    expect(await markdownOf(`<ol>${counts}</ol>`)).toBe("1. **12** kettles");
    expect(await markdownOf(`<ul>${counts}</ul>`)).toBe("- **12** kettles");
  });
});

describe("tables of equations", () => {
  const math = (tex: string) => `<math alttext="${tex}" display="block"><mi>x</mi></math>`;
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const number = (text: string) => `<span class="ltx_tag">(${text})</span>`;

  it("are blocks of TeX with their numbers", async () => {
    const html = `<table class="ltx_equation">${row("", math("E=mc^{2}"), "", number("1"))}</table>`;
    expect(await markdownOf(html)).toBe("$$\nE=mc^{2} \\tag{1}\n$$");
    const aligned = row(math("\\displaystyle a"), math("\\displaystyle=b,"), number("2.a")) + row("", math("=c"), "");
    expect(await markdownOf(`<table>${aligned}</table>`)).toBe("$$\na =b, \\tag{2.a}\n$$\n\n$$\n=c\n$$");
  });

  it("are tables when they say more", async () => {
    const grid = await markdownOf(`<table>${row(math("a"), math("b"))}${row(math("c"), math("d"))}</table>`);
    expect(grid).toContain("| $a$ | $b$ |");
    expect(await markdownOf(`<table>${row("Energy", math("E"))}</table>`)).toContain("| Energy | $E$ |");
  });
});
