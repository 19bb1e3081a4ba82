/** The pages of programs that show a repository: lists of tags, changes, documents, as a scrape gives them. */
import { expect, test } from "vitest";
import { scraped, scrapedWhole } from "./scraped.ts";

const tags = `<!DOCTYPE html><html lang="en-US"><head><title>lamp: tags</title></head><body><div class="container"><div class="menu">
<ul><li><a href="/shortlog">log</a></li><li><a href="/graph">graph</a></li><li class="active">tags</li><li><a href="/bookmarks">bookmarks</a></li><li><a href="/branches">branches</a></li></ul></div>
<div class="main"><h2 class="breadcrumb"><a href="/">Mercurial</a></h2><h3>tags</h3>
<form class="search" action="/log"><p><input name="rev" id="search1" type="text"></p><div id="hint">Find changesets by keywords (author, files, the commit message), revision
number or hash, or <a href="/help/revsets">revset expression</a>.</div></form>
<table class="bigtable"><thead><tr><th>tag</th><th>node</th></tr></thead><tbody class="stripes2">
<tr class="tagEntry"><td><a href="/rev/tip">tip</a></td><td class="node"><a href="/rev/16137396bc5b">16137396bc5b</a></td></tr>
<tr class="tagEntry"><td><a href="/rev/v1.0">v1.0</a></td><td class="node"><a href="/rev/42ecd74479cb">42ecd74479cb</a></td></tr></tbody></table></div></div></body></html>`;

test("a short list of tags keeps its rows of links, whose columns have names", async () => {
  expect(await scraped(tags, {}, "/tags")).toContain(
    "| tag | node |\n| --- | --- |\n| [tip](/rev/tip) | [16137396bc5b](/rev/16137396bc5b) |\n| [v1.0](/rev/v1.0) |",
  );
});

test("a diff of which only style sheets tell what was added and removed says so by signs", async () => {
  const row = (from: string, to: string, kind: string, line: string): string => `<tr><td class=linenos>${from}</td>
<td class=linenos>${to}</td><td class="${kind}">
                  <span id="0-L-${from}"><a name="0-L-${from}"></a><span class=line>${line}
</span>
                  </span>
                </td></tr>`;
  const rows = [
    row("3", "3", "unmod", "static int level = 0;"),
    row("4", "4", "unmod", ""),
    row("5", "", "del", '  <span class="k">return</span> 1;'),
    row("", "5", "add", '  <span class="k">return</span> 2;'),
    row("6", "6", "unmod", "}"),
  ];
  const diff = "```diff\n static int level = 0;\n\n-  return 1;\n+  return 2;\n }\n```";
  expect(await scrapedWhole(`<table>${rows.join("")}</table>`)).toBe(diff);
  const cells = ["+  return 2;", "}"].map(
    (line, index) =>
      `<tr><td class="blob-num">${index}</td><td class="blob-code ${index ? "" : "add"}">${line}</td></tr>`,
  );
  expect(await scrapedWhole(`<table>${cells.join("")}</table>`)).toBe("```\n+  return 2;\n}\n```");
});

test("what lies between two versions of a file in a table is no code: numbers of lines, bars and arrows", async () => {
  const cell = (kind: string, lines: string): string => `<td class="${kind}"><pre>\n${lines}\n</pre></td>`;
  const versions = `<table class="diff splitdiff"><tr id="chunk1">${[
    cell("diffln difflnl", "1\n<del>2\n</del>3"),
    cell("difftxt difftxtl", "level = 1\n<del>print(level)\n</del>end"),
    cell("diffsep", "\n|\n"),
    cell("diffln difflnr", "1\n<ins>2\n</ins>3"),
    cell("difftxt difftxtr", "level = 1\n<ins>show(level)\n</ins>end"),
  ].join("")}</tr></table>`;
  expect(await scrapedWhole(versions)).toBe(
    "```\nlevel = 1\nprint(level)\nend\n```\n\n```\nlevel = 1\nshow(level)\nend\n```",
  );
  expect(await scrapedWhole(`<table><tr>${cell("sums", "1\n2\n3")}</tr></table>`)).toBe("```\n1\n2\n3\n```");
});

test("an anchor between the rows of a table, written as if it were empty, does not take them out of it", async () => {
  const entry = (number: number, summary: string): string =>
    `<a name="entry-${number}"/>\n<tr class="revision_log"><td>${number}</td><td><a href="/revision/${number}">${summary}</a></td></tr>\n`;
  const log = `<table id="logentries"><tr><th>Rev</th><th>Summary</th></tr>
${entry(2, "Another error code")}${entry(1, "First version")}</table>`;
  expect(await scrapedWhole(log)).toBe(
    "| Rev | Summary |\n| --- | --- |\n| 2 | [Another error code](/revision/2) |\n| 1 | [First version](/revision/1) |",
  );
});
