// Given that the model takes everything for content: what is apart from a page's text goes, and only that.
import { describe, expect, it, test } from "vitest";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, paragraph, said } from "./main-content-given.ts";

const text = ["the lamp", "the lens", "the stairs", "the harbour wall"].map((what) => paragraph(what)).join("");
const article = `<article>${text}</article>`;
const words = (kept: readonly string[]): string => kept.join(" ");

describe("comments", () => {
  const comment = paragraph("a visitor's own lamp");

  it.each([
    'id="comments"',
    'class="comments-area"',
    'class="x comment-list"',
    'id="disqus_thread"',
    'id="comment-12"',
    'class="wp-block-comments"',
    'class="article__comments"',
  ])("below a text go if they are named so: %s", (name) => {
    const kept = words(keptOf("article", `${article}<div ${name}><div>${comment}</div></div>`));
    expect(kept).toContain("the harbour wall");
    expect(kept).not.toContain("visitor");
  });

  it.each<PageType>(["forum", "product", "documentation"])("are what a page of this type consists of: %s", (type) => {
    expect(words(keptOf(type, `${article}<div id="comments">${comment}</div>`))).toContain("visitor");
  });

  it("stay if they are the page, or if the name is only alike", () => {
    expect(words(keptOf("article", `<p>Open thread.</p><div id="comments">${comment}${comment}</div>`))).toContain(
      "visitor",
    );
    for (const name of ["commentary", "no-comments", "with-comments"]) {
      expect(words(keptOf("article", `${article}<div class="${name}">${comment}</div>`))).toContain("visitor");
    }
  });
});

test("dialogs and tooltips go, and the site's footer", () => {
  const apart = [
    `<div role="dialog">${paragraph("terms")}</div>`,
    `<div role="alertdialog"><div>${paragraph("refunds")}</div></div>`,
    `<dialog open>${paragraph("deliveries")}</dialog>`,
    `<footer>${paragraph("the site")}</footer>`,
  ];
  const table = `<table><tr><td>Height <tool-tip><p>${said("how to measure it")}</p></tool-tip></td><td>42 m</td></tr><tr><td>Weight</td><td>9 t</td></tr></table>`;
  for (const type of ["product", "service", "article"] as const) {
    const kept = words(keptOf(type, `<main>${text}${table}</main>${apart.join("")}`));
    expect(kept).toContain("42 m");
    for (const left of ["terms", "refunds", "deliveries", "the site", "measure"]) expect(kept).not.toContain(left);
  }
});

test("a page that is a dialog keeps its text", () => {
  expect(words(keptOf("service", `<div role="dialog">${text}</div>`))).toContain("the harbour wall");
});

describe("what an article hides", () => {
  const hidden = (what: string): string => `<div style="display:none">${what}</div>`;

  it("goes if it is a copy of what is to be seen", () => {
    const kept = keptOf("article", `${article}${hidden(`<div>${article.replace(/<[^>]+>/g, " ")}</div>`)}`);
    expect(kept).toHaveLength(4);
  });

  it("goes if it is little", () => {
    expect(words(keptOf("article", `${article}${hidden("<p>Copyright of the picture agency.</p>")}`))).not.toContain(
      "agency",
    );
  });

  it("stays if it is much, because a script may show it", () => {
    const rest = ["the bell", "the boat", "the goat", "the crane", "the cistern"]
      .map((what) => paragraph(what))
      .join("");
    expect(words(keptOf("article", `${article}${hidden(rest)}`))).toContain("the cistern");
  });
});

describe("references to other articles", () => {
  const link = (what: string): string => `<a href="/${what.replaceAll(" ", "-")}">What became of ${what}</a>`;
  const before = paragraph("the lamp");
  const after = paragraph("the lens") + paragraph("the stairs");

  it.each(["Read more:", "Lesen Sie auch:", "Czytaj też:", "Читайте также:", "Leia também:", "関連記事："])(
    "between paragraphs go: %s",
    (label) => {
      const kept = words(
        keptOf("article", `<article>${before}<p><b>${label}</b> ${link("the old bell")}</p>${after}</article>`),
      );
      expect(kept).not.toContain("old bell");
      expect(kept).toContain("the stairs");
    },
  );

  it("go if the link is in a script without spaces", () => {
    const link = '<a href="/1">灯台の古い鐘はその後どうなったのか</a>';
    const kept = words(keptOf("article", `<article>${before}<p>関連記事：${link}</p>${after}</article>`));
    expect(kept).not.toContain("古い鐘");
  });

  it("go however their source is indented", () => {
    const indented = `<h3>\n${" ".repeat(80)}Read more\n${" ".repeat(80)}</h3><p>${link("the old bell")}</p>`;
    expect(words(keptOf("article", `<article>${before}${indented}${after}</article>`))).not.toContain("old bell");
  });

  it("go with the label above them", () => {
    const list = `<p>Auch interessant:</p><ul><li>${link("the old bell")}</li><li>${link("the boat")}</li></ul>`;
    const kept = words(keptOf("article", `<article>${before}${list}${after}</article>`));
    for (const left of ["interessant", "old bell", "the boat"]) expect(kept).not.toContain(left);
  });

  it("go with a part of the page that begins with their heading, whatever it shows of them", () => {
    const part = `<section><h3>You may also like…</h3>${paragraph("another island")}<p>${link("the boat")}</p></section>`;
    const kept = words(keptOf("article", `<article>${before}${after}</article>${part}`));
    for (const left of ["also like", "another island", "the boat"]) expect(kept).not.toContain(left);
  });

  it("do not take the article with them that stands in the same part", () => {
    const rest = ["the bell", "the boat", "the goat", "the crane", "the cistern", "the garden"].map((what) =>
      paragraph(what),
    );
    const part = `<main><h3>Trending now</h3><p>${link("the boat")}</p>${after.repeat(6)}${rest.join("")}</main>`;
    const kept = words(keptOf("article", `${before}${paragraph("the log")}${paragraph("the oil")}${part}`));
    expect(kept).toContain("the cistern");
    expect(kept).not.toContain("Trending");
  });

  it("go as a part of lists, manuals and pages of services, too, if its heading says so", () => {
    const cards = ["the boat", "the bell", "the crane"].map(
      (what) => `<div><h4>${link(what)}</h4><p>Its story.</p></div>`,
    );
    const part = `<section><h3>Related posts</h3>${cards.join("")}</section>`;
    const around = before + after + paragraph("the log");
    for (const type of ["listing", "documentation", "service"] as const)
      expect(words(keptOf(type, `<article>${around}</article>${part}`))).not.toMatch(/Related|the boat|story/);
    // Not some of its cards.
    const short = words(keptOf("article", `<article>${before}</article>${part}`));
    for (const kept of ["Related", "the boat", "the crane"]) expect(short).toContain(kept);
  });

  it("go as cards below an article if their heading announces them; sources, members and references stay", () => {
    const card = (what: string) => `<div class="card"><h4>${link(what)}</h4><p>Its story in two lines.</p></div>`;
    const names = ["the boat", "the bell", "the crane", "the goat"];
    const lines = before + after + paragraph("the log") + paragraph("the oil") + paragraph("the garden");
    const text = `<time>3 March 2026</time>${lines}`;
    const cards = `<section><h3>From the archive</h3>${names.map(card).join("")}</section>`;
    const kept = words(keptOf("article", `<article>${text}</article>${cards}`));
    expect(kept).toContain("the garden");
    expect(kept).not.toMatch(/archive|the boat|story/);
    for (const heading of ["最新文章", "その他の記事", "Plus de nouvelles"]) {
      const list = cards.replace("From the archive", heading);
      expect(words(keptOf("article", `<article>${text}</article>${list}`))).not.toContain("the boat");
    }
    const references = `<h3>References</h3><ul>${names.map((name) => `<li>${link(name)}</li>`).join("")}</ul>`;
    expect(words(keptOf("article", `<article>${text}${references}</article>`))).toContain("the goat");
    for (const heading of ["Sources", "Members of the society", "Links of the week"]) {
      const list = cards.replace("From the archive", heading);
      expect(words(keptOf("article", `<article>${text}</article>${list}`))).toContain("the boat");
    }
    const short = words(keptOf("article", `<article>${before}</article>${cards}`));
    expect(short).toContain("the boat");
    // No article: the page of a festival, or of a firm.
    const speakers = cards.replace("From the archive", "Featured speakers");
    expect(words(keptOf("article", `<article>${lines}</article>${speakers}`))).toContain("the boat");
  });

  it("are none in a part without links below a single word, which may be about its own matter", () => {
    const part = (name: string) => `<div><h3>${name}</h3><p>Two wicks and a funnel for each of the lamps.</p></div>`;
    const kept = (name: string) =>
      words(keptOf("article", `<article>${before}${after}${part(name)}${part("Minimum")}${after}</article>`));
    expect(kept("Recommended")).toContain("Recommended Two wicks");
    expect(kept("Recommended reading")).not.toContain("Recommended");
  });

  it("stay on other pages, without a label, and in the words of a sentence", () => {
    const labelled = `<p>Read more: ${link("the old bell")}</p>`;
    expect(words(keptOf("documentation", `<article>${before}${labelled}${after}</article>`))).toContain("old bell");
    expect(words(keptOf("article", `<article>${before}<p>${link("the old bell")}</p>${after}</article>`))).toContain(
      "old bell",
    );
    const sentence = "<p>Related: the keeper also had a goat, which ate the first three pages of the log.</p>";
    expect(words(keptOf("article", `<article>${before}${sentence}${after}</article>`))).toContain("goat");
    expect(words(keptOf("article", `<article>${before}<h2>Related</h2>${after}</article>`))).toContain("Related");
  });
});

describe("lists of other articles beside an article", () => {
  const teaser = (what: string, end: string): string =>
    `<li><a href="/${what}">What became of the ${what} after the storm</a><span>ISLAND: The ${what} had been there for a hundred years when the storm took it and ${end}</span></li>`;
  const list = (end: string, names: readonly string[]): string =>
    `<div><ul>${names.map((name) => teaser(name, end)).join("")}</ul></div>`;
  const rest = `<article>${text}${paragraph("the garden")}${paragraph("the well")}</article>`;

  it("go if each is a link and the beginning of a text", () => {
    const kept = words(keptOf("article", `${list("may soon...", ["bell", "boat", "crane"])}${rest}`));
    expect(kept).not.toContain("hundred years");
    expect(kept).toContain("the garden");
  });

  it("stay if the texts are whole, if there are two only, and on pages of lists", () => {
    expect(words(keptOf("article", `${list("nobody wept.", ["bell", "boat", "crane"])}${rest}`))).toContain(
      "hundred years",
    );
    expect(words(keptOf("article", `${list("may soon...", ["bell", "boat"])}${rest}`))).toContain("hundred years");
    expect(words(keptOf("listing", `${list("may soon...", ["bell", "boat", "crane"])}${rest}`))).toContain(
      "hundred years",
    );
  });
});

test("other products below a product go, up to the next heading of that rank", () => {
  const card = (name: string): string =>
    `<div class="card"><h3><a href="/${name}">${name} lantern</a></h3><p>$40</p></div>`;
  const others = `<div>${card("Brass")}${card("Copper")}</div>`;
  for (const label of [
    "Related products",
    "Products related to this item",
    "Similar items you may like",
    "Customers who viewed this lamp also bought",
    "You may also like",
    "Ähnliche Produkte",
    "Productos relacionados",
  ]) {
    const kept = words(
      keptOf("product", `<h1>Storm lantern</h1>${text}<h2>${label}</h2>${others}<h2>Care</h2>${paragraph("polish")}`),
    );
    for (const left of [label, "Brass", "Copper"]) expect(kept).not.toContain(left);
    expect(kept).toContain("polish");
  }
  expect(words(keptOf("product", `<h1>Storm lantern</h1>${text}<h2>In the box</h2>${others}`))).toContain("Brass");
});

test("so do those in a part with a label that is no heading, but not what is recommended to use the product", () => {
  const part = (label: string, what: string): string =>
    words(keptOf("product", `<h1>Storm lantern</h1>${text}<section><p>${label}</p><ul>${what}</ul></section>`));
  const others = '<li><a href="/brass">Brass lantern</a> $40</li><li><a href="/copper">Copper lantern</a> $50</li>';
  expect(part("Vous aimerez aussi", others)).not.toMatch(/Vous|Brass/);
  expect(part("In the box", others)).toContain("Brass");
  // Also if the label alone was left out.
  const unlabelled = (label: string): string => {
    const part = `<section><p data-sum="-9">${label}</p><ul>${others}</ul></section>`;
    return words(keptOf("product", `<h1>Storm lantern</h1>${text}${part}`));
  };
  expect(unlabelled("Customers also viewed")).not.toContain("Brass");
  expect(unlabelled("In the box")).toContain("Brass");
  expect(part("Recommended:", "<li>Oil: paraffin</li><li>Wick: 12 mm</li>")).toContain("paraffin");
});

describe("what a page contains again for other screens", () => {
  const description = `${paragraph("the glass")}<p>Height: 30 cm</p>`;
  const twice = `<div class="text hidden-sm-down">${description}</div><div class="text hidden-md-up">${description}</div>`;

  it("goes", () => {
    const kept = keptOf("product", `<h1>Storm lantern</h1>${twice}`);
    expect(kept.filter((one) => one.includes("the glass"))).toHaveLength(1);
    expect(kept.filter((one) => one.includes("30 cm"))).toHaveLength(1);
  });

  it("is recognised by names of classes only: parts of the same class are about different things", () => {
    const same = twice.replace("hidden-sm-down", "hidden-md-up");
    expect(keptOf("product", `<h1>Storm lantern</h1>${same}`).filter((one) => one.includes("30 cm"))).toHaveLength(2);
    expect(
      keptOf("product", `<h1>Storm lantern</h1>${twice.replaceAll("hidden", "column")}`).filter((one) =>
        one.includes("30 cm"),
      ),
    ).toHaveLength(2);
  });
});

test("notices of copyright go, and a licence as the last thing that is said; a manual keeps them", () => {
  const notice = "<p>Copyright © 2026 Harbour Lights Ltd. All rights reserved.</p>";
  const licence = '<p>Our texts are under <a href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>.</p>';
  const credit = "<p>© Ada Keeper, Island Press</p>";
  const kept = words(keptOf("article", `<article>${text}${credit}${notice}${licence}</article>`));
  for (const left of ["All rights", "CC BY"]) expect(kept).not.toContain(left);
  expect(kept).toContain("Ada Keeper");
  expect(words(keptOf("documentation", `<article>${text}${notice}</article>`))).toContain("All rights");
  expect(words(keptOf("article", `<article>${licence}${text}</article>`))).toContain("CC BY");
});

test("a box that gives the article's own title or address and its licence goes; one about something else stays", () => {
  const licence = '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>';
  const own = "https://lights.example/posts/fog/";
  const long = text + paragraph("the boats") + paragraph("the fog");
  const page = (box: string, head = "") =>
    words(keptOf("article", `<head><title>Fog horns | Lights</title>${head}</head><article>${long}${box}</article>`));
  const box = (line: string) =>
    `<ul><li>Author: Ada Keeper</li><li>${line}</li><li>Licence: ${licence}</li></ul><p>Thanks to all.</p>`;
  const titled = page(box("<b>Title:</b> Fog horns"));
  for (const left of ["Ada Keeper", "Fog horns"]) expect(titled).not.toContain(left);
  for (const kept of ["the harbour wall", "Thanks to all"]) expect(titled).toContain(kept);
  const canonical = `<link rel="canonical" href="${own}">`;
  const shared = `<meta property="og:url" content="${own}">`;
  const linked = box(`Link: <a href="${own}">${own}</a>`);
  for (const head of [canonical, shared]) expect(page(linked, head)).not.toContain("Ada Keeper");
  expect(page(linked)).toContain("Ada Keeper");
  expect(page(box("Title: Picture of a lamp"), canonical)).toContain("Ada Keeper");
  const picture = `<head><title>Fog horns</title></head><p>A picture.</p>${box("Title: Fog horns")}`;
  expect(words(keptOf("article", picture))).toContain("Ada Keeper");
});

test("a notice of copyright below a manual goes, as does the line that leads to its other pages", () => {
  const turn = (rel: string, name: string) => `<a href="${rel}.html" rel="${rel}">${name}</a>`;
  const line = `<p>Next: ${turn("next", "Fog horns")}, Previous: ${turn("prev", "Lenses")}, Up: ${turn("up", "Lights")}</p>`;
  const notice = "<div><p>© 2026 Harbour Lights Ltd. The names of the lights are their trademarks.</p></div>";
  const kept = words(keptOf("documentation", `<div>${line}<hr><div>${text}</div></div>${notice}`));
  for (const left of ["Fog horns", "Lenses", "Harbour Lights"]) expect(kept).not.toContain(left);
  expect(kept).toContain("the harbour wall");
  const layout = `<table><tr><td>${text}${line}<p>${turn("next", "Weiter")} ${said("the wind").repeat(3)}</p></td></tr></table>`;
  const within = words(keptOf("documentation", layout));
  expect(within).not.toContain("Fog horns");
  expect(within).toContain("about the wind");
  const keyed = `<p>Ask the <a accesskey="p" href="/press">press office</a> about the lights.</p>`;
  expect(words(keptOf("documentation", `<div>${keyed}<div>${text}</div></div>`))).toContain("press office");
  const unmarked = line
    .replaceAll(/ rel="\w+"/g, "")
    .replaceAll("Next", "See")
    .replaceAll("Previous", "Then");
  expect(words(keptOf("documentation", `<div>${unmarked}<div>${text}</div></div>`))).toContain("Lenses");
});

test("that nothing is advice goes if it is apart; beside the text it stays", () => {
  const disclaimer = "<p>Nothing here should be construed as legal, tax or other advice.</p>";
  const apart = `<p data-sum="-6">All of our lights</p>${disclaimer}<p data-sum="-6">Terms</p>`;
  expect(words(keptOf("article", `<article>${text}</article>${apart}`))).not.toContain("construed");
  expect(words(keptOf("article", `<article>${text}${disclaimer}${text}</article>`))).toContain("construed");
});

test("a link below an example that runs it goes, other links by themselves stay", () => {
  const example = (link: string) => `<pre>lamp.light();</pre><p><a href="/try">${link}</a></p>${text}`;
  for (const link of ["Try it Yourself »", "Run example", "运行实例"]) {
    expect(words(keptOf("documentation", `<h1>Lamps</h1>${text}${example(link)}`))).not.toContain(link.slice(0, 4));
  }
  expect(words(keptOf("documentation", `<h1>Lamps</h1>${text}${example("Lamp reference")}`))).toContain("reference");
});

test("a title that is there again for other screens is written once; other headings may repeat it", () => {
  const page = `<h1>Storm lantern</h1><p>$98</p><h1>Storm lantern</h1>${text}<h2>Storm lantern</h2>${paragraph("oil")}`;
  expect(keptOf("product", page).filter((one) => one === "Storm lantern")).toHaveLength(2);
});

test("a label stays with its value", () => {
  const facts = `<div>${["Fibre", "Care"].map((name) => `<div><div data-sum="0.3">${name}:</div><div>Wash it as you would wash a sail of your own boat.</div></div>`).join("")}</div>`;
  expect(words(keptOf("product", `<h1>Blanket</h1>${text}${facts}`))).toContain("Fibre:");
});

test("an address to write to or to call is no link to another page, nor is a file", () => {
  const beside = (href: string): string =>
    `${article}<div><p>Harbour office</p><div data-sum="1"><a href="${href}">Ask the keeper</a></div></div>`;
  const files = ["/files/keeper.PDF", "keeper.tar.gz", "https://lights.example/keeper.zip?v=2"];
  for (const href of ["tel:+31715550101", "mailto:keeper@lights.example", ...files]) {
    expect(words(keptOf("service", beside(href)))).toContain("Ask the keeper");
  }
  for (const href of ["/keeper", "https://keeper.zip", "https://keeper.zip/", "/pdf", "/keeper.html?as=keeper.pdf"]) {
    expect(words(keptOf("service", beside(href))), href).not.toContain("Ask the keeper");
  }
});

test("a notice of copyright right below the title of a licence stays", () => {
  const notice = "<p>Copyright (c) 2026 Ada Keeper</p>";
  expect(keptOf("article", `<main><h1>Licence</h1>${notice}${text}</main>`)).toContain("Copyright (c) 2026 Ada Keeper");
});

test("a notice of copyright that is a section among others stays", () => {
  const notice = "<h2>3. Copyright</h2><p>© Harbour Lights. All rights reserved. No part may be sold.</p>";
  const kept = words(keptOf("article", `<article><h1>Terms</h1>${text}${notice}<h2>4. Ends</h2>${text}</article>`));
  expect(kept).toContain("No part may be sold.");
});

test("cells of tables stay, whatever they are called", () => {
  const row = (name: string) => `<tr><td>The word of ${name}</td><td class="${name}">a value called ${name}</td></tr>`;
  const names = ["comments", "ad", "popup", "sidebar", "cookie"];
  for (const type of ["article", "listing"] as const) {
    const kept = words(keptOf(type, `<article>${text}<table>${names.map(row).join("")}</table></article>`));
    for (const name of names) expect(kept).toContain(`a value called ${name}`);
  }
});

test("a box that leads to a form goes like one that has it; a list of letters is none", () => {
  const box = (name: string) =>
    `<div class="${name}"><p>The stories of the harbour, every evening.</p><a href="/nl">Get it by mail</a></div>`;
  expect(words(keptOf("article", `<article>${text}${box("newsletter-signup")}${text}</article>`))).not.toContain(
    "every evening",
  );
  expect(words(keptOf("article", `<article>${text}${box("newsletter-item")}${text}</article>`))).toContain(
    "every evening",
  );
  const how = box("signup").replace('href="/nl"', 'href="mailto:a@x.example"');
  expect(words(keptOf("article", `<article>${text}${how}${text}</article>`))).toContain("every evening");
});

describe("what a page asks of its readers about itself", () => {
  it.each([
    "Was this page helpful?",
    "War dieser Artikel hilfreich?",
    "¿Le resultó útil esta página?",
    "この記事は役に立ちましたか？",
    "12 out of 14 people found this helpful",
    "Last updated 2 months ago",
  ])("goes: %s", (line) => {
    const kept = words(keptOf("documentation", `<article>${text}<p>${line}</p></article>`));
    expect(kept).toContain("the harbour wall");
    expect(kept).not.toContain(line);
    expect(words(keptOf("forum", `<article>${text}<p>${line}</p></article>`))).toContain(line);
  });

  it("stays as the heading of a text", () => {
    const kept = words(keptOf("documentation", `<article>${text}<h2>Did this help?</h2>${text}</article>`));
    expect(kept).toContain("Did this help?");
  });

  it.each(["Edit this page on GitHub", "View page source", "Report an issue with this page", "Suggest edits"])(
    "goes as a link below a manual: %s",
    (line) => {
      const link = `<p><a href="https://git.example/edit">${line}</a></p>`;
      expect(words(keptOf("documentation", `<article>${text}${link}</article>`))).not.toContain(line);
      expect(words(keptOf("documentation", `<article>${text}<p>${line}</p></article>`))).toContain(line);
    },
  );

  it.each(["Last updated: 4 March 2026", "Was this page helpful to the keeper? Nobody knows.", "Edit the page"])(
    "is not this: %s",
    (line) => {
      expect(words(keptOf("documentation", `<article>${text}<p>${line}</p></article>`))).toContain(line);
    },
  );
});

test("headings of filters go with them, and in manuals those of a list of contents; others stay", () => {
  const box = (name: string) => `<label data-sum="-9"><input type="checkbox"><span>${name}</span></label>`;
  const filters = `<div><h3>Filters</h3><div><h4>Rooms</h4>${box("One")}${box("Two")}</div></div>`;
  const kept = words(keptOf("collection", `<h1>Flats</h1>${filters}<div>${text}</div>`));
  expect(kept).not.toMatch(/Filters|Rooms/);
  const entries = ["the lamp", "the lens", "the stairs"].map((name) => `<li><a href="#x">About ${name}</a></li>`);
  const contents = `<div><h2>Contents</h2><ul data-sum="-9">${entries.join("")}</ul></div>`;
  expect(words(keptOf("documentation", `${contents}<div>${text}</div>`))).not.toContain("Contents");
  expect(words(keptOf("service", `${contents}<div>${text}</div>`))).toContain("Contents");
  expect(words(keptOf("forum", `<h1>Flats</h1>${filters}<div>${text}</div>`))).toContain("Filters");
});

test("the authors of a paper stay below its title if its head names them", () => {
  const head = ["Sato, Keiko", "Rossi, Marco"]
    .map((name) => `<meta name="citation_author" content="${name}">`)
    .join("");
  const list = '<ul data-sum="-9"><li><a href="/a">Keiko Sato</a></li><li>Marco Rossi</li><li>Search</li></ul>';
  const paper = `<article><h1>Salt and sleep</h1>${list}<h2>Abstract</h2>${text}</article>`;
  const kept = words(keptOf("article", `<head>${head}</head><body>${paper}`));
  expect(kept).toContain("Salt and sleep Keiko Sato Marco Rossi Abstract");
  expect(words(keptOf("article", `<head></head><body>${paper}`))).not.toContain("Keiko");
  // The first heading of the rank may be that of the collection.
  const listed = `<h1>Natural sciences</h1><p>2601.01234</p>${paper}`;
  expect(words(keptOf("article", `<head>${head}</head><body>${listed}`))).toContain("Keiko Sato Marco Rossi Abstract");
  // Not what merely has the letters of a name in it, nor what stands below the text.
  const li = '<meta name="citation_author" content="Li An">';
  const others = '<p data-sum="-9">Licensing and reprints</p>';
  const after = '<p data-sum="-9">Search for Li An elsewhere</p>';
  const page = `<h1>Salt</h1>${others}<div>${text}</div>${after}`;
  expect(words(keptOf("article", `<head>${li}</head><body>${page}`))).not.toMatch(/Licensing|Search/);
});

test("what is said between a manual's title and its marked main part stays, other texts around that part go", () => {
  const aside = (what: string): string => `<p data-sum="1.5">Creates ${what} with the given scopes</p>`;
  const title = `<header><h1>Create token</h1>${aside("a token")}<p data-sum="1.5"><a href="/list">List all tokens</a></p></header>`;
  const body = `${aside("a menu")}<div id="area">${title}<div id="content">${text}</div></div>${aside("a footer")}`;
  const kept = words(keptOf("documentation", `<title>Create token</title><body>${body}</body>`));
  expect(kept).toContain("Create token Creates a token with the given scopes The keeper");
  for (const left of ["a menu", "a footer", "List all"]) expect(kept, left).not.toContain(left);
});

test("buttons to vote on a review go, with their counts; a text that says so stays", () => {
  const review = (what: string, count: number): string =>
    `<li>${paragraph(what)}<div><button>Helpful ${count}</button><button>Love this (${count})</button><span>Helpful</span></div></li>`;
  for (const type of ["article", "product", "service"] as const) {
    const kept = keptOf(type, `<h1>Lamp cafe</h1><ul>${review("the soup", 0)}${review("the tea", 12)}</ul>`);
    expect(kept.filter((one) => /^(?:Helpful \d|Love)/.test(one))).toEqual([]);
    expect(words(kept)).toMatch(/the soup.*Helpful.*the tea/);
  }
});

test("the heading of a menu goes with it, although a few of its words lead nowhere", () => {
  const menu = (state: string): string => `<div><h2>Navigation menu</h2><div data-sum="-3"><ul><li>${state}</li>
<li><a href="/news">Recent changes of this site</a></li><li><a href="/help">Help for those who write</a></li>
<li><a href="/all">All pages of this site</a></li><li><a href="/new">Create an account here</a></li></ul></div></div>`;
  const manual = (state: string): string =>
    `<h1>Lights</h1>${paragraph("the lamp")}${paragraph("the stairs")}${menu(state)}`;
  expect(keptOf("documentation", manual("Visitor"))).not.toContain("Navigation menu");
  expect(keptOf("documentation", manual(said("the menu")))).toContain("Navigation menu");
});
