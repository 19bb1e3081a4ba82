// What is left of a page's frame when the rest of it is gone.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { keptOf, paragraph, said } from "./main-content-given.ts";
import { scraped, scrapedKind } from "./scraped.ts";

it("links to answer a post are left out, whatever the list of posts is taken for", async () => {
  const markdown = await scrapedKind("link-board", "/item");
  expect(markdown).toContain("I had to add a second buffer for mine.");
  expect(markdown).not.toContain("reply");
});

it("rules that separate nothing any more go, at the end of a page and between two of them", async () => {
  const markdown = await scrapedKind("readme", "/docs/rate-limits");
  expect(markdown).toContain("X-Limit-Reset: 3");
  expect(markdown).not.toContain("---\n\n");
  expect(markdown).not.toMatch(/---$/);
});

it("rules between texts stay", async () => {
  const texts = ["one", "two"].map((name) => `<p>Of the lamps, number ${name} burns until the first ferry leaves.</p>`);
  const html = `<main><hr><h1>Lamps of the mole</h1>${texts[0]}<hr><div><hr></div>${texts[1]}<hr></main>`;
  const markdown = await scraped(`<title>Lamps of the mole</title>${html}`);
  expect(markdown.match(/^---$/gm)).toHaveLength(1);
  expect(markdown).toMatch(/ferry leaves\.\n\n---\n\nOf the lamps/);
});

it("a rule above a picture that only counts visitors goes", async () => {
  const text = "<p>Of the lamps, the last burns until the first ferry leaves.</p>";
  const counter = '<div><img src="/lib/exe/task.php?id=mole" width="2" height="1" alt=""></div>';
  const html = `<main><h1>Lamps of the mole</h1>${text}<hr></main>${counter}`;
  expect(await scraped(`<title>Lamps of the mole</title>${html}`)).toMatch(/ferry leaves\.$/);
});

it("who is visiting a board is left out, with the heading above; what is below the next heading stays", async () => {
  const board = readFileSync(new URL("fixtures/kinds/board-index.html", import.meta.url), "utf8");
  // Where names do not say so, the words do.
  const page = board.replace(/ class="[^"]*"/g, "");
  for (const heading of ["Who is online", "Wer ist online?"]) {
    const markdown = await scraped(page.replace("Who is online", heading), {}, "/index.php");
    expect(markdown).toContain("Planks, glass, steel");
    expect(markdown).toContain("### Statistics\n\nTotal posts **14430**");
    for (const left of ["online", "Registered users", "Legend"]) expect(markdown).not.toContain(left);
  }
});

it("an arrow behind what a letter asks its reader to do makes no pager of the table around it", async () => {
  const table = (inner: string): string => `<table width="100%"><tr><td align="center">${inner}</td></tr></table>`;
  const letter = `<table width="100%"><tr><td>${table("<h1>Hi Ada Kvam,</h1><p>Your crossing on 4 May is booked, with two berths on the lower deck. Breakfast is served from six in the saloon, and is paid for on board, with coins or a card.</p>")}</td></tr>
<tr><td>${table(`<p>To see or change your booking, click here:</p>${table('<a href="/b/1">See booking →</a>')}<p>Be at the pier ten minutes before departure.</p>`)}</td></tr></table>`;
  const markdown = await scraped(`<html><head><title>Booked</title></head><body>${letter}</body></html>`);
  expect(markdown).toContain("To see or change your booking");
  expect(markdown).toContain("Be at the pier");
  const chapter = paragraph("the lamp") + paragraph("the log");
  const pager = table('<a href="/manual/">Contents</a> <a href="/manual/2">The Lamp →</a>');
  expect(keptOf("documentation", `<main><h1>Preface</h1>${chapter}${pager}</main>`).join(" ")).not.toContain(
    "The Lamp →",
  );
});

it("a name that is also what one clicks below a post stays in a list of other names", async () => {
  const names = ["build", "fetch", "help", "import", "load", "render", "save", "top", "version"];
  const list = (items: readonly string[]) =>
    `<ul>${items.map((name) => `<li><a href="/${name}">${name}</a></li>`).join("")}</ul>`;
  const about = paragraph("the commands of the lamp") + paragraph("how the lamp is told what to do");
  const kept = keptOf(
    "article",
    `<main><h1>Commands</h1>${about}${list(names)}${about}${list(["reply", "save", "edit", "source"])}</main>`,
  );
  expect(kept.filter((text) => names.includes(text))).toEqual(names);
  expect(kept).not.toContain("reply");
  const posts = names.map((name) => `<li>${paragraph(name)}<a href="/reply">reply</a></li>`);
  expect(keptOf("article", `<main><ul>${posts.join("")}</ul></main>`)).not.toContain("reply");
});

it("and in the cells of a table and the terms of a glossary, where it leads to a document or is a word", () => {
  const rows = ["first", "second"].map(
    (name) => `<tr><td>The ${name} year</td><td><a href="/${name}">Report</a></td></tr>`,
  );
  const table = `<table><tr><th>Year</th><th>To read</th></tr>${rows.join("")}</table>`;
  for (const pageType of ["article", "listing"] as const) {
    const kept = keptOf(pageType, `<main><h1>The society</h1>${paragraph("the society")}${table}</main>`);
    expect(kept.filter((text) => text === "Report")).toHaveLength(2);
  }
  const terms = ["Quote", "Report", "Share"].map(
    (name) => `<dt><a href="/${name}">${name}</a></dt><dd>${said(name)}</dd>`,
  );
  expect(keptOf("article", `<main>${paragraph("words")}<dl>${terms.join("")}</dl></main>`)).toContain("Share");
});

it("what a manual says one can do to a page stays in a list or a table of such things, but not the way to its own source", () => {
  const link = (name: string) => `<a href="/${name}">${name}</a>`;
  const list = (names: readonly string[]) => `<ul>${names.map((name) => `<li>${link(name)}</li>`).join("")}</ul>`;
  const calls = ["Create page", "Edit page", "Move page", "Delete page", "Restore page"];
  const row = (name: string) => `<tr><td>${link(name)}</td><td>The call</td></tr>`;
  const about = paragraph("the pages") + paragraph("their writers");
  const keptOfAll = (html: string) => keptOf("documentation", `<main><h1>Pages</h1>${about}${html}</main>`);
  expect(keptOfAll(list(calls))).toContain("Edit page");
  expect(keptOfAll(`<table>${calls.map(row).join("")}</table>`)).toContain("Edit page");
  expect(keptOfAll(list(["Edit page", "View source", "Report an issue"]))).not.toContain("Edit page");
  expect(keptOfAll(`<p>${link("Edit page")}</p>`)).not.toContain("Edit page");
});

it("a link that begins with a way stays in a table of facts, if there is no other; a lone way to a page goes", () => {
  const fact = (label: string) =>
    `<table><tr><td>Place</td><td>Mole</td></tr><tr><td>Details</td><td><a href="/n">${label}</a></td></tr></table>`;
  const kept = (label: string) =>
    keptOf("article", `<main>${paragraph("the tour").repeat(3)}${fact(label)}${paragraph("the mole")}</main>`);
  for (const label of ["Next tour", "Back issues"]) expect(kept(label)).toContain(label);
  for (const label of ["Next", "Next page", "Next: The mole", "« The mole", "Zurück"]) {
    expect(kept(label)).not.toContain(label);
  }
});
