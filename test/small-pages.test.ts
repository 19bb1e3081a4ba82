import { expect, test } from "vitest";
import { engineFor, site } from "./start-engine.ts";

const nav = '<nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/contact">Contact</a></nav>';
const footer = "<footer>Copyright 2026</footer>";
const body = (html: string): string => `<!doctype html><title>Page</title><body>${html}</body>`;

/** The answer for a page of such a body; the site's own address is left out. */
async function read(html: string): Promise<{ markdown: string | undefined; warning: string | undefined }> {
  const { url } = await site({ "/": body(html) });
  const { data } = await engineFor({ browser: false }).scrape({ url });
  return { markdown: data.markdown?.replaceAll(url, ""), warning: data.warning };
}

test.each([
  [
    "a header and an aside",
    `<header>The best shop</header><h1>Tea</h1><p>Green and black.</p><aside><p>See our cups.</p></aside>`,
    "# Tea\n\nGreen and black.",
  ],
  [
    "a site's title outside of the main part",
    `<header><h1>The best shop</h1><p>Since 1900</p></header><main><h2>Tea</h2><p>Green and black.</p></main>`,
    "## Tea\n\nGreen and black.",
  ],
  [
    "parts named by their roles",
    `<div role="banner">Shop</div><div role="main"><p>Tea.</p></div><div role="complementary">Cups</div>`,
    "Tea.",
  ],
  [
    "a menu, links to share and comments that stand there once",
    `<ul class="menu"><li><a href="/">Home</a></li><li><a href="/a">About</a></li></ul><h1>Tea</h1><p>Green and black, from the hills in the south.</p>
    <div class="share"><a href="https://social.example/">Share</a></div><div id="comments"><h2>Comments</h2><p>Nice!</p></div>`,
    "# Tea\n\nGreen and black, from the hills in the south.",
  ],
  [
    "what a wiki says of a page, and its contents",
    `<h1>Tea</h1><div class="page-metadata"><ul><li>Created by Ann</li></ul></div><div class="toc-macro"><ul><li><a href="#g">Green</a></li></ul></div>
    <h2 id="g">Green</h2><p>From the hills in the south of the island.</p><div id="likes-and-labels-container">Be the first to like this</div>`,
    "# Tea\n\n## Green\n\nFrom the hills in the south of the island.",
  ],
  [
    "what a wiki shows only on paper or only on the screen, and the heading of its menu",
    `<div class="mw-body" role="main"><h1>Category:Ships</h1><div id="bodyContent"><div id="siteSub" class="noprint">From the wiki of the harbour</div>
    <div id="mw-content-text"><p>All ships that have been seen in the harbour.</p><h2>Pages in category "Ships"</h2><p>The following 2 pages are in this category.</p>
    <h3>S</h3><ul><li><a href="/wiki/Sirius">Sirius</a></li></ul><h3>V</h3><ul><li><a href="/wiki/Vega">Vega</a></li></ul></div>
    <div class="printfooter" data-nosnippet="">Retrieved from "<a href="/index.php?oldid=2">the page's address</a>"</div></div></div>
    <div id="mw-navigation"><h2>Navigation menu</h2><nav><h3>Personal tools</h3><ul><li><span title="A page for you">Not logged in</span></li><li><a href="/t">Talk to all from this address</a></li><li><a href="/c">Contributions from this address</a></li><li><a href="/l">Log in</a></li></ul></nav>
    <nav><h3>Navigation</h3><ul><li><a href="/m">Main page</a></li><li><a href="/r">Recent changes</a></li><li><a href="/x">Random page</a></li><li><a href="/h">Help about the software</a></li><li><a href="/w">What links here to this page</a></li><li><a href="/s">Special pages of the wiki</a></li></ul></nav></div>`,
    `# Category:Ships\n\nAll ships that have been seen in the harbour.\n\n## Pages in category "Ships"\n\nThe following 2 pages are in this category.\n\n### S\n\n- [Sirius](/wiki/Sirius)\n\n### V\n\n- [Vega](/wiki/Vega)`,
  ],
  [
    "what stands behind the site's footer",
    `<h1>Tea</h1><p>Green and black, from the hills in the south of the island, where it rains every day.</p>
    <div class="sharedaddy sd-sharing-enabled">Like it</div><div id="footer">Shop</div><div><span>2 readers like this:</span></div>`,
    "# Tea\n\nGreen and black, from the hills in the south of the island, where it rains every day.",
  ],
])("a small page loses %s", async (_, html, expected) => {
  expect(await read(html)).toEqual({ markdown: expected, warning: undefined });
});

test.each([
  [
    "the title in the header of an article",
    `<article><header><h1>Tea</h1><time>January 15, 2026</time></header><p>The first paragraph of the post.</p><p>The second one.</p></article><aside><h3>Recent posts</h3></aside>`,
    "# Tea\n\nJanuary 15, 2026\n\nThe first paragraph of the post.\n\nThe second one.",
  ],
  [
    "the source of a quotation",
    `<main><h1>Words</h1><blockquote><p>Be bold.</p><footer>Ann</footer></blockquote></main>`,
    "# Words\n\n> Be bold.\n>\n> Ann",
  ],
  [
    "a note of a manual",
    `<main><h1>Setup</h1><p>Run it.</p><aside class="note"><p>As root.</p></aside></main>`,
    "# Setup\n\nRun it.\n\nAs root.",
  ],
  [
    "the header of a card",
    `<h1>People</h1><div class="card"><div class="header">Ann</div><div class="text">She sings.</div></div>`,
    "# People\n\nAnn\n\nShe sings.",
  ],
  [
    "a menu to eat from",
    `<h1>Inn</h1><div class="menu"><h2>Soups</h2><p>Leek 5 €</p></div>`,
    "# Inn\n\n## Soups\n\nLeek 5 €",
  ],
  [
    "what names speak against when nothing but its title would be left",
    `<div class="header"><h1>Opening hours</h1></div><div id="top"><p>Monday to Friday: 9 to 5</p></div><div class="widget"><p>Call us on 555-1234</p></div>`,
    "# Opening hours\n\nMonday to Friday: 9 to 5\n\nCall us on 555-1234",
  ],
  [
    "all of its text in a part that is called the sidebar",
    `<h1>Rules</h1><div class="sidebar"><p>Nobody swims after dark, and dogs stay on the lead.</p></div>`,
    "# Rules\n\nNobody swims after dark, and dogs stay on the lead.",
  ],
  [
    "the header of a table",
    `<h1>Prices</h1><p>All of them with tax, and without the postage.</p>
    <table><thead><tr class="header"><th>Tea</th><th>Price</th></tr></thead><tbody><tr><td>Green</td><td>4</td></tr></tbody></table>`,
    "# Prices\n\nAll of them with tax, and without the postage.\n\n| Tea | Price |\n| --- | --- |\n| Green | 4 |",
  ],
  [
    "a heading that is called a header",
    `<h1>Prices</h1><h2 class="header">In euro</h2><p>All of them with tax, and without the postage.</p>`,
    "# Prices\n\n## In euro\n\nAll of them with tax, and without the postage.",
  ],
  ["the second of two main parts", `<main></main><main><p>Tea.</p></main>`, "Tea."],
  ["a picture that is all there is", `<main><img src="/tea.png" alt="Tea"></main>`, "![Tea](/tea.png)"],
  ["a picture behind the title", `<h1>Tea</h1><p><img src="/tea.png" alt="Tea"></p>`, "# Tea\n\n![Tea](/tea.png)"],
  ["a link that is all there is", `<p><a href="/tea">Tea</a></p>`, "[Tea](/tea)"],
])("a small page keeps %s", async (_, html, expected) => {
  expect(await read(nav + html + footer)).toEqual({ markdown: expected, warning: undefined });
});

test("a page of nothing but such parts is given whole", async () => {
  const { markdown } = await read("<header><h1>Tea</h1></header><footer>Bye</footer>");
  expect(markdown).toContain("# Tea");
});

test("a small page loses what is hidden, unless a click shows it or nothing else is there", async () => {
  const hidden = '<p hidden>Not yet</p><div style="display: none"><p>Nor this</p></div>';
  const shown = "# Tea\n\nGreen and black.";
  expect((await read(`<main><h1>Tea</h1><p>Green and black.</p>${hidden}</main>`)).markdown).toBe(shown);
  const tabs = `<main><h1>Tea</h1><p>Green and black.</p><h2>Where is it from?</h2><p hidden>The south.</p>
    <button aria-controls="price">Price</button><p id="price" hidden>5 €</p><div role="tabpanel" hidden>In bags.</div></main>`;
  const { markdown } = await read(tabs);
  expect(["The south.", "5 €", "In bags."].filter((text) => !markdown?.includes(text))).toEqual([]);
  const application = '<main style="display:none"><h1>Tea</h1><p>Shown by a script.</p></main>';
  expect((await read(application)).markdown).toBe("# Tea\n\nShown by a script.");
});
