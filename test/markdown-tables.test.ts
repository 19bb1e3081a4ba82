import { describe, expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

const cells = (...texts: string[]) => `<tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr>`;
const grid = (...rows: string[][]) => rows.map((row) => `| ${row.join(" | ")} |`).join("\n");

describe("tables", () => {
  it("grow with the page, however wide one of their rows is", async () => {
    const wide = cells(...Array<string>(2000).fill("a"));
    const markdown = await markdownOf(`<table>${wide}${cells("a", "b").repeat(2000)}</table>`);
    expect(markdown!.length).toBeLessThan(200_000);
    const spans = `<tr><td colspan="9999" rowspan="9999">a</td></tr>${cells("b").repeat(500)}`;
    expect((await markdownOf(`<table>${spans}</table>`))!.length).toBeLessThan(200_000);
  });

  it("have before them what is in a row without cells, as one text", async () => {
    const rows = "<tr>Kettles of <b>steel</b>, <i>not</i> iron</tr><tr><td>1 l</td><td>20</td></tr>";
    expect(await markdownOf(`<table>${rows}</table>`)).toBe(
      "Kettles of **steel**, _not_ iron\n\n|  |  |\n| --- | --- |\n| 1 l | 20 |",
    );
  });

  it("that say they are for the layout only, or have one row with a section in it, are no tables", async () => {
    for (const role of ["presentation", "none"]) {
      const html = `<table role="${role}">${cells("a", "b")}${cells("c", "d")}</table>`;
      expect(await markdownOf(html)).toBe("a\n\nb\n\nc\n\nd");
    }
    const label = "<table><tr><th>Name</th><td><h2>Kettle</h2><p>It boils.</p></td></tr></table>";
    expect(await markdownOf(label)).toBe("Name\n\n## Kettle\n\nIt boils.");
  });

  it("have no rows without content", async () => {
    const html = `<table>${cells("a", "b")}${cells("", " ")}${cells("c", "d")}</table>`;
    expect(await markdownOf(html)).toBe(grid(["", ""], ["---", "---"], ["a", "b"], ["c", "d"]));
  });

  it("keep the indentation of code in a cell, without the margin that all of it has", async () => {
    const html = `<table><tr><th>x</th><th>y</th></tr>${cells("a", "<pre>  if a:\n\n      b() | c()\n  else:\n    d()</pre>")}</table>`;
    const lines = "`if a:`<br>`    b() \\| c()`<br>`else:`<br>`  d()`";
    expect(await markdownOf(html)).toBe(grid(["x", "y"], ["---", "---"], ["a", lines]));
  });

  it("with headings in rows of their own are tables below these headings", async () => {
    const heading = (text: string) => `<tr class="heading"><td colspan="2"><h2><a id="m"></a>${text}</h2></td></tr>`;
    const gap = '<tr><td class="separator" colspan="2">&nbsp;</td></tr>';
    const members = `${cells("int", "<b>count</b>")}${cells("&nbsp;", "How many there are.")}${gap}${cells("float", "mean")}`;
    const html = `<table>${heading("Attributes")}${members}${heading("Types")}${cells("enum", "Kind")}</table>`;
    const attributes = grid(
      ["", ""],
      ["---", "---"],
      ["int", "**count**"],
      ["", "How many there are."],
      ["float", "mean"],
    );
    const types = grid(["", ""], ["---", "---"], ["enum", "Kind"]);
    expect(await markdownOf(html)).toBe(`## Attributes\n\n${attributes}\n\n## Types\n\n${types}`);
  });

  it("with a heading above the parts of a page are no tables", async () => {
    const page = `<tr><td colspan="2"><h2>News</h2></td></tr>${cells("<ul><li>One</li><li>Two</li></ul>", "A sentence.")}`;
    expect(await markdownOf(`<table>${page}</table>`)).toBe("## News\n\n- One\n- Two\n\nA sentence.");
    const long = "The mill was sold in spring and sold again in autumn. ".repeat(12).trim();
    const text = `<tr><td colspan="2"><h2>News</h2></td></tr>${cells("By the mill", long)}${cells("", "More.")}`;
    expect(await markdownOf(`<table>${text}</table>`)).toBe(`## News\n\nBy the mill\n\n${long}\n\nMore.`);
  });

  it("with a header stay tables, also if each row says one thing only", async () => {
    const html = `<table><tr><th>Tea</th><th>Note</th></tr>${cells("Green", "")}${cells("", "none")}</table>`;
    const narrow = `<table><tr><th>Tea</th><th></th></tr>${cells("Green", "")}</table>`;
    expect(await markdownOf(html)).toBe(grid(["Tea", "Note"], ["---", "---"], ["Green", ""], ["", "none"]));
    expect(await markdownOf(narrow)).toBe(grid(["Tea", ""], ["---", "---"], ["Green", ""]));
  });

  it("without a header that hold lists lay out the page", async () => {
    const html = `<table>${cells("<ul><li>one</li><li>two</li></ul>", "Text")}</table>`;
    expect(await markdownOf(html)).toBe("- one\n- two\n\nText");
  });

  it("with a single cell that says something lay out the page, whatever rows keep it apart", async () => {
    const text = ["lamp", "lens"]
      .map((what) => `<p>Of the ${what} nothing is left but a log of its repairs.</p>`)
      .join("");
    const spacer = "<tr><td>&nbsp;</td><td></td></tr>";
    const table = `<table>${spacer}<tr><td></td><td>${text.repeat(6)}</td></tr>${spacer}</table>`;
    expect(await markdownOf(table)).toMatch(/^Of the lamp .*\n\nOf the lens /);
  });

  it("have spans as browsers read them", async () => {
    const html =
      '<table><tr><td rowspan=" +2;">a</td><td colspan="2px">b</td></tr><tr><td>c</td><td>d</td></tr></table>';
    expect(await markdownOf(html)).toBe(grid(["", "", ""], ["---", "---", "---"], ["a", "b", ""], ["", "c", "d"]));
  });

  it("whose first column is empty are no code, whatever their classes are called", async () => {
    const row = (zip: string) => `<tr><td></td><td class="zip-code">${zip}</td><td class="zip-code">x</td></tr>`;
    expect(await markdownOf(`<table>${row("12345")}${row("67890")}</table>`)).toContain("|  | 12345 | x |");
  });
});

describe("lists", () => {
  it("have numbers that are numbers in markdown", async () => {
    const numbered = (start: string) => markdownOf(`<ol start="${start}"><li>a</li><li>b</li></ol>`);
    expect(await numbered("999999999")).toBe("999999999. a\n0. b");
    expect(await numbered("99999999999")).toBe("1. a\n2. b");
    expect(await numbered("-1")).toBe("0. a\n0. b");
  });

  it("do not go on where a quotation has ended", async () => {
    const html = '<blockquote><ol><li>a</li></ol></blockquote><ol start="2"><li>b</li></ol>';
    expect(await markdownOf(html)).toBe("> 1. a\n\n2. b");
  });

  it("have each marker once, also in a cell, and no marker of an item without content", async () => {
    const written = '<ol style="list-style: none"><li><b>4.</b> four</li><li><b>5.</b> five</li></ol>';
    expect(await markdownOf(written)).toBe("4. four\n5. five");
    const html = `<table>${cells("a", `${written}after`)}${cells("b", "<ul><li>x</li><li></li></ul>after")}</table>`;
    expect(await markdownOf(`<table><tr><th>A</th><th>B</th></tr>${html.slice(7)}`)).toBe(
      grid(["A", "B"], ["---", "---"], ["a", "4. four<br>5. five<br>after"], ["b", "- x<br>after"]),
    );
  });

  it("have one marker for each item, and nothing at the ends of lines", async () => {
    expect(await markdownOf("<ul><li><ul><li>a</li></ul><p>b</p></li></ul>")).toBe("- - a\n\n  b");
    expect(await markdownOf("<ul><li><pre>a\n\nb</pre></li></ul>")).toBe("- ```\n  a\n\n  b\n  ```");
  });

  it("have boxes where the items are tasks, and those inside are others", async () => {
    const inner = '<ul><li><input type="checkbox"> b</li></ul>';
    expect(await markdownOf(`<ul class="task-list"><li class="done">a${inner}</li></ul>`)).toBe("- [x] a\n  - [ ] b");
    expect(await markdownOf('<p><input type="checkbox"> Remember me</p>')).toBe("Remember me");
  });

  it("keep what is more than a marker", async () => {
    const item = (content: string) => `<ol style="list-style: none"><li>${content}</li></ol>`;
    expect(await markdownOf(item('<a href="https://a.test/">1.</a> one'))).toBe("1. [1.](https://a.test/) one");
    expect(await markdownOf('<ul style="list-style: none"><li><b>–</b></li><li>one</li></ul>')).toBe("- **–**\n- one");
  });
});
