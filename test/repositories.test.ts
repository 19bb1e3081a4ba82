/** The pages of programs that show a repository: lists of tags, changes, documents, as a scrape gives them. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";

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
