// Pages of some hundred words, written by hand or nearly so: what stands beside their text.
import { expect, test } from "vitest";
import { found } from "./main-content-frame.ts";
import { engineFor, site } from "./start-engine.ts";

const TITLE = "Notice of water restrictions in District 7";
const paragraphs = [
  "Under section 41 of the Water Supply Ordinance, the following restrictions apply in District 7 from 00:00 on 3 August until further notice. They were ordered because the reservoir stands at 38 per cent of its capacity.",
  "Nurseries, hospitals and holders of a permit under section 44 are exempt. Permits are issued by the water office within three working days of the application, and are valid until the end of the season.",
  "Whoever breaks this order may be fined up to 2,000 crowns. Repeated offences can lead to the supply being throttled for a week, and the costs of the measure are to be borne by the owner of the premises.",
  "This notice was displayed at the district office on 1 August and takes effect on the third day after its display.",
];
const text = `<p>${paragraphs[0]}</p><h2>Exceptions</h2><p>${paragraphs[1]}</p><h2>Penalties</h2><p>${paragraphs[2]}</p><p>${paragraphs[3]}</p>`;
const ESSAY = "Why I stopped alphabetising my bookshelves";
const essay = [
  "For eleven years every novel in our flat stood in strict order of surname, and for eleven years nobody but me could find anything. Last winter I took all four hundred of them down, dusted the boards, and put them back by the season in which I had first read them.",
  "It sounds precious. It is, a little. But a strange thing happened within a week: visitors began to pull books out. They did not know the system, so they simply looked, and looking turns out to be the whole point of having shelves in a living room.",
  "My sister, who is a trained cataloguer, finds the scheme indefensible. She asked what happens to a book I have read twice. I said it moves. She asked what happens to the ones I have not read at all, and I showed her the lowest shelf, which is longer than I would like.",
]
  .map((paragraph) => `<p>${paragraph}</p>`)
  .join("");
const elsewhere = [
  "Ten gardens worth the detour",
  "What the ferrymen know about fog",
  "A short history of the paper clip",
  "Interview: the woman who tunes bells",
];
const links = (before: string, after: string): string =>
  elsewhere.map((name, index) => `${before}<a href="/more/${index}">${name}</a>${after}`).join("");
const menu = `<ul class="navbar-nav">${["News", "Offices", "Forms", "Contact us"].map((name, index) => `<li><a href="/${index}">${name}</a></li>`).join("")}</ul>`;

async function read(body: string, title = `${TITLE} | Kesselburg`): Promise<string> {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
  const { url } = await site({ "/": html });
  const { data } = await engineFor({ browser: false }).scrape({ url });
  expect(data.warning).toBeUndefined();
  return data.markdown ?? "";
}

test.each([
  [
    "in a column beside it",
    `<nav class="navbar">${menu}</nav><div class="container"><div class="row"><div class="col-md-8"><h1>${TITLE}</h1>${text}</div>
    <div class="col-md-4"><div class="card"><h2 class="card-header">Also interesting</h2><div class="card-body"><ul>${links("<li>", "</li>")}</ul></div></div></div></div></div>`,
  ],
  [
    "in a grid behind it",
    `<div class="sticky top-0 flex gap-4">${menu}</div><div class="mx-auto max-w-3xl"><h1 class="text-4xl font-bold">${TITLE}</h1><div class="prose">${text}</div></div>
    <div class="grid grid-cols-2 gap-4 max-w-3xl mx-auto">${links('<div class="block rounded border p-4">', "</div>")}</div>`,
  ],
  [
    "in a cell of a table that lays out the page",
    `<table width="100%"><tr><td width="160" valign="top">${menu}<hr>${links("", "<br>")}</td><td valign="top"><h1>${TITLE}</h1>${text}</td></tr></table>`,
  ],
])("links to other pages that stand apart from the text are left out: %s", async (_, body) => {
  const markdown = await read(body);
  expect(found(markdown, [TITLE, ...paragraphs])).toEqual([TITLE, ...paragraphs]);
  expect(found(markdown, [...elsewhere, "Also interesting"])).toEqual([]);
});

test("links within the text stay, and so do those that a page is for", async () => {
  const list = `<ul>${links("<li>", "</li>")}</ul>`;
  const within = await read(
    `<nav>${menu}</nav><main><h1>${TITLE}</h1><p>${paragraphs[0]}</p>${list}<p>${paragraphs[1]}</p></main>`,
  );
  expect(found(within, elsewhere)).toEqual(elsewhere);
  const index = await read(
    `<nav>${menu}</nav><main><h1>All articles</h1><p>${paragraphs[3]}</p><div class="list">${list}</div></main>`,
    "All articles | Kesselburg",
  );
  expect(found(index, elsewhere)).toEqual(elsewhere);
});

test.each([
  [
    "in a header of the article",
    `<main class="site-main"><article class="post hentry"><header class="entry-header"><h1 class="entry-title">${ESSAY}</h1>
    <div class="entry-meta"><time>14 March</time> by Maren</div></header><div class="entry-content">${essay}</div></article></main>`,
  ],
  [
    "in a header with the article's picture and tag",
    `<main><article class="gh-article post"><header class="gh-article-header"><div class="gh-article-tag"><a href="/notes">Notes</a></div><h1 class="gh-article-title">${ESSAY}</h1>
    <p class="gh-article-excerpt">A small experiment in order</p></header><section class="gh-content">${essay}</section></article></main>`,
  ],
  [
    "in the site's header",
    `<header><div class="hero"><h1>${TITLE}</h1><p>From 3 August</p></div></header><main>${text}</main>`,
  ],
  [
    "in a bar before the text",
    `<div class="page-title-bar"><div class="container"><h1>${TITLE}</h1><div class="breadcrumbs"><a href="/">Home</a> › Notices</div></div></div><div class="container"><div class="article-body">${text}</div></div>`,
  ],
])("the title that the page's head names stays: %s", async (_, body) => {
  const title = body.includes(ESSAY) ? ESSAY : TITLE;
  const markdown = await read(`<nav>${menu}</nav>${body}<footer>Town of Kesselburg</footer>`, `${title} | Kesselburg`);
  expect(markdown).toContain(`# ${title}\n`);
  expect(found(markdown, ["Contact us", "Town of Kesselburg"])).toEqual([]);
});

test.each([
  ["the site's name, which is not the page's", "Water office", `${TITLE} | Kesselburg`],
  [
    "the site's name, far from the text",
    "Kesselburg",
    `${TITLE} | Kesselburg`,
    "",
    "<p>The town between the two lakes, with a market on each day but Sunday and ferries to both shores every half hour from March until the first ice, weather permitting.</p>",
  ],
  ["a title that is hidden", "Water restrictions", "Water restrictions | Kesselburg", ' style="display:none"'],
])("a heading outside of the text is not kept: %s", async (_, heading, title, attributes = "", motto = "") => {
  const body = `<header><h1${attributes}>${heading}</h1>${motto}<nav>${menu}</nav></header><main><h2>${TITLE}</h2>${text}</main>`;
  const markdown = await read(body, title);
  expect(markdown).not.toContain(`# ${heading}\n`);
  expect(markdown).toContain(`# ${TITLE}\n`);
});

test("what stands under a picture in the text stays, also when it names who took it", async () => {
  const caption = "The northern span was last inspected in 2019. Photograph: Ilse Brandt";
  const title = "Harbour bridge to close for nine weeks from June";
  const markdown = await read(
    `<header><nav>${menu}</nav></header><main><article><header><h1>${title}</h1></header>
    <p>The harbour bridge will be shut to all vehicles for nine weeks from 2 June while engineers replace the bearings under its northern span, the city council confirmed on Tuesday.</p>
    <figure><img src="/bridge.jpg" alt="The bridge at dusk"><figcaption>${caption}</figcaption></figure>
    <p>Some 31,000 vehicles use the crossing on a working day. They will be sent through the Victoria tunnel, which the council says can take two thirds of that number without delay.</p>
    <p>"We know this is going to hurt," said Petra Vaas, who leads the roads department. "But the alternative is an unplanned closure in the middle of winter, and that would hurt a great deal more."</p>
    <p>Pedestrians and cyclists may use the eastern walkway throughout, except on four nights in July when cranes will stand above it. Buses 14 and 22 will end at Fishmarket.</p></article>
    <aside><h2>Related stories</h2><ul>${links("<li>", "</li>")}</ul></aside></main><footer>Town of Kesselburg</footer>`,
    `${title} | Kesselburg`,
  );
  expect(markdown).toContain(caption);
  expect(found(markdown, elsewhere)).toEqual([]);
});

test.each([
  ["the attribute", " hidden"],
  ["its style", ' style="display: none"'],
  ["its visibility", ' style="visibility:hidden"'],
])("what is hidden within the text goes, and what a button opens stays: by %s", async (_, attributes) => {
  const markdown = await read(
    `<nav>${menu}</nav><main><article><h1>${ESSAY}</h1>${essay}<div${attributes}><p>An earlier version of the text that nobody shall read any more.</p></div>
    <p>${paragraphs[3]}</p><button aria-controls="more">More</button><div id="more"${attributes}><p>${paragraphs[1]}</p></div></article></main>`,
    `${ESSAY} | Kesselburg`,
  );
  expect(found(markdown, [ESSAY, paragraphs[3]!, paragraphs[1]!])).toEqual([ESSAY, paragraphs[3], paragraphs[1]]);
  expect(markdown).not.toContain("An earlier version");
});
