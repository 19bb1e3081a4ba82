// Tabs: each panel has its label above it, however the page marks them.
import { describe, expect, it } from "vitest";
import { scrapedKind, scrapedWhole } from "./scraped.ts";

const panels = (name: string): string =>
  `<div class="${name}" id="one"><p>Berths on the mole.</p></div><div class="${name}" id="two"><p>Berths in the bay.</p></div>`;
const labelled = "**First**\n\nBerths on the mole.\n\n**Second**\n\nBerths in the bay.";

describe("tabs without roles", () => {
  it.each([
    [
      "links to their panels",
      `<div><ul class="nav nav-tabs"><li class="active"><a href="#one" data-toggle="tab">First</a></li><li><a href="#two">Second</a></li></ul></div>
       <div class="tab-content">${panels("tab-pane fade")}</div>`,
    ],
    [
      "items that panels name",
      `<div class="ulist tablist"><ul><li id="a" class="tab"><p>First</p></li><li id="b" class="tab"><p>Second</p></li></ul></div>
       <div class="tabpanel" aria-labelledby="a"><p>Berths on the mole.</p></div><div class="tabpanel" aria-labelledby="b"><p>Berths in the bay.</p></div>`,
    ],
    [
      "links to nothing, in the order of the panels",
      `<div class="wds-tabber"><div class="wds-tabs__wrapper"><ul class="wds-tabs"><li><div><a href="#">First</a></div></li><li><div><a href="#">Second</a></div></li></ul></div>
       ${panels("wds-tab__content").replaceAll(/ id="\w+"/g, "")}</div>`,
    ],
    [
      "buttons above an element with a child for each",
      `<div><div class="CodeTabs-toolbar"><button>First</button><button>Second</button></div>
       <div class="CodeTabs-inner">${panels("x").replaceAll(/ id="\w+"/g, "")}</div></div>`,
    ],
  ])("%s", async (_, html) => {
    expect(await scrapedWhole(html)).toBe(labelled);
  });

  it("are none where they lead to other pages, or where there are no panels", async () => {
    const menu = '<ul class="tabs primary"><li><a href="/view">View</a></li><li><a href="/edit">Edit</a></li></ul>';
    expect(await scrapedWhole(`${menu}${panels("content")}`)).toContain("- [View](/view)\n- [Edit](/edit)");
    const alone = '<ul class="tabs"><li><a href="#x">View</a></li><li><a href="#y">Edit</a></li></ul><p>One text.</p>';
    expect(await scrapedWhole(alone)).toContain("- [View](/page#x)");
  });

  it("are none where they filter or change what is below them", async () => {
    const cards = ["Pool opens", "Concert", "New hours"].map(
      (name) => `<article><h3>${name}</h3><p>A text.</p></article>`,
    );
    const filters = ["All", "News", "Events"].map((name) => `<li><a href="#">${name}</a></li>`);
    const html = `<ul class="tabs">${filters.join("")}</ul><div class="grid">${cards.join("")}</div>`;
    expect(await scrapedWhole(html)).not.toContain("**News**");
    const shown = html.replace("<article>", '<article class="active">');
    expect(await scrapedWhole(shown)).toContain("**News**");
  });

  it("are kept with main content", async () => {
    const markdown = await scrapedKind("fan-wiki", "/wiki/Mira_Holt");
    expect(markdown).toContain("**Season 2**\n\nMira burns the book and keeps one page of it.");
  });
});

it("the link in an item with the role of a tab leads to its panel, also where a label has none", async () => {
  const item = (id: string, label: string): string => `<li role="tab"><a href="#${id}">${label}</a></li>`;
  const html = `<ul role="tablist">${item("one", "First")}${item("two", "Second")}${item("three", "Third")}</ul>${panels("panel").replaceAll(" id=", ' role="tabpanel" id=')}`;
  expect(await scrapedWhole(html)).toBe(`- [Third](/page#three)\n\n${labelled}`);
});

it("tabs that only filter the rows of one panel are left out", async () => {
  const tab = (name: string): string => `<button role="tab" aria-controls="rows">${name}</button>`;
  const html = `<div role="tablist">${tab("All Methods")}${tab("Static Methods")}</div><div id="rows" role="tabpanel"><p>void add()</p></div>`;
  expect(await scrapedWhole(html)).toBe("void add()");
});

it("a link that opens the text right after it is the label of that text", async () => {
  const item = (id: string, label: string, text: string): string =>
    `<div class="data item title"><a class="data switch" href="#${id}">${label}</a></div><div class="data item content" id="${id}"><p>${text}</p></div>`;
  const html = `<div class="product data items">${item("d", "Details", "Of canvas.")}${item("m", "More", "Of oak.")}</div>
    <p>See <a href="#end">the end</a></p><p id="end">There it is.</p>`;
  expect(await scrapedWhole(html)).toBe(
    "**Details**\n\nOf canvas.\n\n**More**\n\nOf oak.\n\nSee [the end](/page#end)\n\nThere it is.",
  );
});
