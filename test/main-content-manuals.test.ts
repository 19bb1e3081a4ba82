import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { blockLine } from "../src/transform/main-content/block-text.ts";
import { completeStructures } from "../src/transform/main-content/complete-structures.ts";
import { contentModel } from "../src/transform/main-content/content-model.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { keepCode } from "../src/transform/main-content/keep-code.ts";
import { keepCodeLabels } from "../src/transform/main-content/keep-code-labels.ts";
import { keepContents } from "../src/transform/main-content/keep-contents.ts";
import { keepIndex } from "../src/transform/main-content/keep-index.ts";
import { PageArrays } from "../src/transform/main-content/page-arrays.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";
import { transformHtml } from "./transform-input.ts";

const PARTS = ["Ropes", "Bends", "Hitches", "Loops", "Splices", "Lashings", "Whippings", "Coils"] as const;

/** A chapter as books are written out by a converter: bars of links, a title page of its own, contents, sections. */
function chapter(): string {
  const bar = `<table width="100%"><tr><td><a accesskey="p" href="tools.html">Prev</a></td><th>&nbsp;</th><td><a accesskey="n" href="care.html">Next</a></td></tr></table>`;
  const anchor = (part: string): string => part.toLowerCase();
  const contents = PARTS.map(
    (part, index) =>
      `<dt><span class="sect1"><a href="chapter.html#${anchor(part)}">${index + 1}. ${part} and where they belong</a></span></dt>
<dd><dl><dt><span class="sect2"><a href="chapter.html#${anchor(part)}-tie">${index + 1}.1. Tying ${anchor(part)}</a></span></dt></dl></dd>`,
  ).join("");
  const sections = PARTS.map(
    (part, index) =>
      `<div class="sect1"><div class="titlepage"><div><div><h2 class="title" style="clear: both"><a id="${anchor(part)}"></a>${index + 1}. ${part} and where they belong</h2></div></div></div>
<p>On board, ${anchor(part)} are made fast before anything else is done, because a line that is loose finds a foot or a propeller. Look at the load, at the rope and at how soon it has to come off again.</p>
<div class="sect2"><div class="titlepage"><div><div><h3 class="title"><a id="${anchor(part)}-tie"></a>${index + 1}.1. Tying ${anchor(part)}</h3></div></div></div>
<p>Work slowly and dress the knot before it is set: turns that cross each other wear the rope and jam.</p><pre class="screen">$ knots show ${anchor(part)}</pre></div></div>`,
  ).join("");
  return `<!doctype html><html lang="en"><head><title>Chapter 4. Working with rope</title><meta name="generator" content="DocBook XSL Stylesheets V1.79">
<link rel="home" href="index.html" title="The Deck Hand's Manual"><link rel="prev" href="tools.html"><link rel="next" href="care.html"></head>
<body><div class="navheader"><table width="100%"><tr><th colspan="3">Chapter 4. Working with rope</th></tr></table>${bar}<hr></div>
<div class="chapter"><div class="titlepage"><div><div><h1 class="title"><a id="rope"></a>Chapter 4. Working with rope</h1></div></div></div>
<div class="toc"><p><strong>Table of Contents</strong></p><dl class="toc">${contents}</dl></div>${sections}</div>
<div class="navfooter"><hr>${bar}<table><tr><td>Chapter 3. Tools</td><td><a accesskey="h" href="index.html">Home</a></td><td>Chapter 5. Care</td></tr></table></div></body></html>`;
}

test("a chapter of a manual keeps its title above its contents", () => {
  const { pageType, html } = keep(chapter(), "https://deck.example/manual/chapter.html");
  expect(pageType).toBe("documentation");
  expect(html).toMatch(/<h1[^>]*>.*Chapter 4\. Working with rope<\/h1>/);
  expect(html).toContain("$ knots show splices");
});

test("a page of a manual without a heading of the first rank keeps the first one, if that is its title", () => {
  const section = chapter().replace(/<h1( class="title">.*?)<\/h1>/, "<h2$1</h2>");
  const { pageType, html } = keep(section, "https://deck.example/manual/chapter.html");
  expect(pageType).toBe("documentation");
  expect(html).toMatch(/<h2[^>]*>.*Chapter 4\. Working with rope<\/h2>/);
});

test("boxes between the paragraphs of a book stay although they are called sidebars; the page's own sidebar goes", () => {
  const box = (heading: string, text: string): string =>
    `<div class="sidebar"><div class="titlepage"><div><p class="title"><strong><em>${heading}</em></strong></p></div></div><div class="para">${text}</div></div>`;
  const paragraph = (text: string): string => `<div class="para">${text}</div>`;
  const boxes = [
    "The harbour office counts every lamp that burns on the mole, and refuses a permit when the list and the count differ by more than one lamp.",
    "Older keepers still trim the wick by hand. Nothing in the rules forbids it, and in frost it is the safer way, since the motor freezes to its plate.",
  ];
  const { text } = keep(
    page(
      "9.6. Lamps on the mole",
      `<div class="layout"><div class="sidebar"><h3>Most read</h3><ul><li><a href="/a">Storm warning</a></li><li><a href="/b">New bakery</a></li></ul></div>
<div class="section"><h2 class="title">9.6. Lamps on the mole</h2>
${paragraph("A lamp on the mole is lit an hour before the sun goes down and burns until the first ferry has left. Whoever lights it writes the time into the book beside the door.")}
${paragraph("The book has seven columns. The first is the number of the lamp, the second the hour, and the others say who lit it, with what oil, and what the weather was.")}
${box("RULE Counting the lamps", boxes[0]!)}
${paragraph("In fog the lamps burn all day. The keeper then fills them twice, once at noon and once before the evening, and never while a ship passes the head of the mole.")}
${paragraph("When a lamp goes out, the nearest one is lowered by a hand's breadth, so that pilots who know the mole can tell from its height which one they do not see.")}
${box("OTHER WAYS Trimming by hand", boxes[1]!)}
<div class="sidebar also-read"><div class="para">Readers of this page also read of the storm that took the old mole, and of the bakery.</div></div></div></div>`,
    ),
    "https://book.example/mole/lamps.html",
  );
  expect(found(text, boxes)).toEqual(boxes);
  expect(text).toContain("In fog the lamps burn all day");
  expect(found(text, [...FRAME_TEXTS, "Storm warning", "Readers of this page"])).toEqual([]);
});

test("boxes that begin the sections of a book stay if there are several", () => {
  const box = (text: string): string =>
    `<div class="sidebar"><p class="title">CULTURE</p><div class="para">${text}</div></div>`;
  const paragraph = (text: string): string => `<div class="para">${text}</div>`;
  const boxes = [
    "The word mole does not come from the animal. It is older than the harbour, and meant a heap of stones that nobody had ordered.",
    "The first keeper had no house on the mole. She rowed out every evening for eleven years, and wrote each journey down.",
  ];
  const { text } = keep(
    page(
      "1.1. What is a mole?",
      `<div class="section"><h2 class="title">1.1. What is a mole?</h2>${box(boxes[0]!)}
${paragraph("A mole is a wall of stone in the sea that protects a harbour from the waves. The one described here was built twice, since the first one sank within a year.")}
${paragraph("Its head carries a lamp and a bell. Both belong to the harbour office, which inspects them twice a year and publishes what it finds in the same week.")}</div>
<div class="section"><h2 class="title">1.2. Keepers</h2>${box(boxes[1]!)}
${paragraph("The keeper lives in the house beside the bell. The post is filled for five years, and whoever holds it may not be away for more than two nights.")}</div>`,
    ),
    "https://book.example/mole/what-is-it.html",
  );
  expect(found(text, boxes)).toEqual(boxes);
});

/** A page of a library's reference: a sentence, then signatures and members, as generators write them. */
function reference(main: string, heading: string): string {
  const members = ["haulIn", "payOut", "belay", "coilDown", "takeTurn", "castOff", "heave", "ease", "reeve", "whip"];
  const summary = members
    .map(
      (name) =>
        `<div class="subs"><p class="src"><a id="v:${name}" class="def">${name}</a> :: <a href="Rope.html#t:Rope">Rope</a> -&gt; Int -&gt; <a href="Rope.html#t:Rope">Rope</a></p></div>`,
    )
    .join("");
  const top = members
    .map(
      (name) =>
        `<div class="top"><p class="src"><a id="${name}" class="def">${name}</a> :: <a href="Line.html#t:Line">Line</a> m =&gt; m -&gt; Int -&gt; m</p></div>`,
    )
    .join("");
  return `<!doctype html><html><head><title>Deck.Rope.Internal</title></head><body><div id="package-header"><span class="caption">deck-1.4: Handling of ropes</span>
<ul class="links"><li><a href="src/Rope.html">Source</a></li><li><a href="index.html">Contents</a></li><li><a href="doc-index.html">Index</a></li></ul></div>
<${main}><div id="module-header">${heading}</div><div id="description"><p class="caption">Description</p>
<div class="doc"><p>A rope is held by the hands that haul it, so its length on deck is known only after the last hand has let go.</p>
<p>The "live" part of a rope is the part between the winch and the load. In an empty rope both are at the same place, and it is coiled down before it is used again.</p></div></div>
<div id="interface">${summary}${top}</div></${main.split(" ")[0]}><div id="footer"><p>Produced by a generator, version 2.25.1</p></div></body></html>`;
}

const MEMBERS = ["haulIn :: Rope", "castOff :: Rope", "belay :: Line", "coilDown :: Line"];

test("signatures in the marked main part of a reference stay, links around it go", () => {
  const { pageType, text } = keep(
    reference('div id="content"', '<p class="caption">Deck.Rope.Internal</p>'),
    "https://deck.example/docs/Deck-Rope-Internal.html",
  );
  expect(pageType).toBe("documentation");
  expect(found(text.replace(/\s+/g, " "), MEMBERS)).toEqual(MEMBERS);
  expect(found(text, ["Contents", "Produced by a generator"])).toEqual([]);
});

test("tables of contents around the marked main part go", () => {
  const names = [
    "reef-knot%",
    "reef-knot-base%",
    "bowline%",
    "bowline-on-bight%",
    "sheet-bend%",
    "rolling-hitch%",
    "cleat<%>",
    "cleat-list<%>",
    "fairlead%",
  ];
  const rows = names
    .map(
      (name, index) =>
        `<tr><td align="right">7.${index + 1}&nbsp;</td><td><a href="${index}.html" class="tocviewlink"><span class="RktSym">${name}</span></a></td></tr>`,
    )
    .join("");
  const list = `<div class="tocset"><div class="tocview"><div class="tocviewlist"><table><tr><td>&#9660;</td><td>7&nbsp;</td><td><a href="knots.html">Knot Classes</a></td></tr></table><table cellspacing="0">${rows}</table></div></div>
<div class="tocsub"><table class="tocsublist"><tr><td><div class="tocsubseclinks"><table><tr><td><span>Inherited methods:</span></td></tr><tr><td>from <a href="1.html">reef-knot-base%</a></td></tr></table></div></td></tr></table></div></div>`;
  const { text } = keep(
    `<!doctype html><html><head><title>7.1 reef-knot%</title></head><body>${list}<div class="maincolumn"><div class="main"><div class="navsettop"><a href="i.html">contents</a> <a href="p.html">prev</a> <a href="n.html">next</a></div>
<h4>7.1<tt>&nbsp;</tt><span class="RktSym">reef-knot%</span> : class?</h4><blockquote><p>superclass: <a href="1.html">reef-knot-base%</a></p></blockquote><p>A reef-knot% object can be used to join two ropes of the same thickness. When it is drawn tight, both ropes lie side by side, and neither can be moved without the other.</p>
<p>The methods of this class return the rope that is on top. Use the inherited ones to get the other rope, or to learn how much of it is left behind the knot, which may be nothing.</p>
<blockquote><p>(new reef-knot%) &rarr; (is-a?/c reef-knot%)</p></blockquote><p>Creates a knot that is not drawn tight. Either rope may be #f, in which case the knot is tied into the other one alone, and can be untied from both sides.</p>
<blockquote><p>(send a-reef-knot draw force) &rarr; void?</p></blockquote><p>Draws the knot tight with the given force. An exception is raised if the force is more than the ropes can bear, and the knot then stays as it was before.</p></div></div></body></html>`,
    "https://deck.example/doc/reef-knot_.html",
  );
  expect(text).toContain("Creates a knot that is not drawn tight");
  expect(found(text, ["bowline-on-bight%", "sheet-bend%", "Inherited methods"])).toEqual([]);
});

test("a manual's title that is no heading stays if it is right above the text", () => {
  const chapterOf = (title: string): string =>
    `<!doctype html><html><head><title>Deck: Trouble with ropes</title></head><body><div id="top"><div id="titlearea"><div id="projectname">Deck</div></div>
<div id="main-nav"><ul><li><a href="index.html">Main page</a></li><li><a href="pages.html">Related pages</a></li><li><a href="annotated.html">Classes</a></li></ul></div></div>
<div class="header"><div class="headertitle"><div class="${title}">Trouble with ropes </div></div></div><div class="contents"><div class="textblock">
<h1><a class="anchor" id="known"></a>Known problems</h1><ul>
<li>A rope that was wet and froze is stiff, and breaks where it is bent. Let it thaw for an hour before it is used, and do not pull at it while it is hard.</li>
<li>The program does not know ropes of more than twelve strands. It reads the first twelve, and says nothing about the others in its report.</li>
<li>When two ropes have the same name, the second one is written over the first, which is lost. Names are compared without regard to case.</li></ul>
<h1><a class="anchor" id="bugs"></a>How to report a problem</h1><p>Send the smallest rope that shows the problem, the version of the program, and what you expected to happen. Reports without a rope are closed.</p></div></div>
<hr class="footer"/><address class="footer"><small>Generated by a tool, version 1.9.4</small></address></body></html>`;
  const url = "https://deck.example/docs/trouble.html";
  expect(keep(chapterOf("title"), url).text).toContain("Trouble with ropes");
  expect(keep(chapterOf("site-slogan"), url).text).not.toContain("Trouble with ropes");
  expect(keep(chapterOf('title" hidden="'), url).text).not.toContain("Trouble with ropes");
});

test("the header of a small page's main part keeps the title in it, a header around the page goes", () => {
  const small = (header: string, main: string): string =>
    `<!doctype html><html><head><title>Knot (Deck API)</title></head><body>${header}<nav><ul><li><a href="i.html">Overview</a></li><li><a href="p.html">Package</a></li></ul></nav><main>${main}
<section class="class-description"><div class="type-signature">public interface Knot</div><div class="block">A knot that can be tied and untied without the end of the rope.</div></section></main></body></html>`;
  const url = "https://deck.example/api/Knot.html";
  const inMain =
    '<div class="header"><div class="sub-title">Package deck.knots</div><h1 class="title">Interface Knot</h1></div>';
  const kept = keep(small("", inMain), url).text;
  expect(found(kept, ["Package deck.knots", "Interface Knot", "A knot that can be tied"])).toHaveLength(3);
  const around = keep(
    small('<div class="header"><p>The Deck Company, makers of rope</p></div>', "<h1>Interface Knot</h1>"),
    url,
  ).text;
  expect(found(around, ["Deck Company", "Interface Knot"])).toEqual(["Interface Knot"]);
});

test("a row of a table keeps all of its cells when one of them is kept", () => {
  const rows = ["keeps child", "ratio", "x align", "y align"].map(
    (name) =>
      `<tr><td>float</td><td><a href="#${name}">${name} of the frame</a></td><td>Read / Write / Construct</td></tr>`,
  );
  const { document } = readHtml(`<body><table>${rows.join("")}</table><p>Behind it</p></body>`);
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const sizes = Float32Array.from("1 4 3 1 4 3 1 4 3 1 4 3 2".split(" ").map(Number));
  // The types of the last three properties are the only texts that look like content.
  const keep = Uint8Array.from("0 0 0 1 0 0 1 0 0 1 0 0 0".split(" ").map(Number));
  completeStructures(table, keep, new Float32Array(keep.length), sizes);
  expect(Array.from(keep).join(" ")).toBe("0 0 0 1 1 1 1 1 1 1 1 1 0");
});

test("a table whose rows are no elements keeps all of its cells when most of them are kept", () => {
  const cell = (place: string, text: string): string => `<div class="col-${place} even-row-color">${text}</div>`;
  const rows = ["haul", "ease"].map((name) => cell("first", name) + cell("last", `Makes the rope ${name}.`));
  const table = `<div class="summary-table two-column-summary"><div class="table-header col-first">Name</div><div class="table-header col-last">Description</div>${rows.join("")}</div>`;
  const { document } = readHtml(`<body>${table}<p>Behind it</p></body>`);
  const built = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const sizes = Float32Array.from("1 1 1 4 1 4 2".split(" ").map(Number));
  const chances = new Float32Array(sizes.length);
  const keepOf = (kept: string): string => {
    const keep = Uint8Array.from(kept.split(" ").map(Number));
    completeStructures(built, keep, chances, sizes);
    return Array.from(keep).join(" ");
  };
  expect(keepOf("1 0 0 1 1 1 0")).toBe("1 1 1 1 1 1 0");
  expect(keepOf("0 0 0 0 0 1 0")).toBe("0 0 0 0 0 1 0");
});

test("links in the first column of a table apart from the text stay if something is said about them", () => {
  const cell = (place: string, text: string): string => `<div class="col-${place} even-row-color">${text}</div>`;
  const parts = ["deck.ropes", "deck.knots", "deck.winches", "deck.blocks"];
  const packages = parts.map(
    (part) =>
      cell("first", `<a href="#${part}">${part}</a>`) +
      cell("last", `<div class="block">Provides what is used with ${part.slice(5)} on deck.</div>`),
  );
  const methods = ["haul", "ease", "belay", "coil", "reeve", "whip"].map(
    (name) =>
      cell("first", "<code>abstract Rope</code>") +
      cell("second", `<code><a href="Rope.html#${name}">${name}</a>(Rope rope, int force)</code>`) +
      cell(
        "last",
        `<div class="block">Returns the rope after the crew had the time to ${name} it with the given force, or null if it was not made fast before.</div>`,
      ),
  );
  const html = `<!doctype html><html><head><title>Uses of Interface deck.Rope</title></head><body><div class="top-nav"><ul><li><a href="i.html">Overview</a></li><li><a href="p.html">Package</a></li><li>Use</li></ul></div>
<main><div class="header"><h1 class="title">Uses of Interface<br>deck.Rope</h1></div><div class="caption"><span>Packages that use <a href="Rope.html">Rope</a></span></div>
<div class="summary-table two-column-summary"><div class="table-header col-first">Package</div><div class="table-header col-last">Description</div>${packages.join("")}</div>
<section class="class-uses"><ul class="block-list">${parts
    .map(
      (
        part,
      ) => `<li><section class="detail" id="${part}"><h2>Uses of <a href="Rope.html">Rope</a> in <a href="${part}.html">${part}</a></h2><div class="caption"><span>Methods in ${part} that return Rope</span></div>
<div class="summary-table three-column-summary"><div class="table-header col-first">Modifier and Type</div><div class="table-header col-second">Method</div><div class="table-header col-last">Description</div>${methods.join("")}</div></section></li>`,
    )
    .join("")}</ul></section></main></body></html>`;
  const { text } = keep(html, "https://deck.example/api/deck/class-use/Rope.html");
  expect(found(text, parts)).toEqual(parts);
  expect(text.indexOf("deck.winches")).toBeLessThan(text.indexOf("used with winches"));
});

test("a table of contents is kept whole or not at all, and links to other pages are judged one by one", () => {
  const list = (address: string): string =>
    `<ul>${PARTS.slice(0, 5)
      .map((part) => `<li><a href="${address}${part}">${part}</a></li>`)
      .join("")}</ul>`;
  const keptOf = (address: string, kept: readonly number[]): string => {
    const { document } = readHtml(`<body><p>What is in here:</p>${list(address)}<p>Behind it</p></body>`);
    const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
    const keep = Uint8Array.from([1, ...kept, 1]);
    completeStructures(table, keep, new Float32Array(keep.length), new Float32Array(keep.length).fill(1));
    return keep.join("");
  };
  expect(keptOf("#", [0, 1, 0, 1, 0])).toBe("1000001");
  expect(keptOf("#", [1, 1, 0, 1, 0])).toBe("1111111");
  expect(keptOf("/", [0, 1, 0, 1, 0])).toBe("1010101");
});

test("code between kept texts of a page, with headings or not, and right below one is kept with them, and no other", () => {
  const { document } = readHtml(
    `<body><pre>menu</pre><p>Set the plugin up so:</p><div><pre><code><p>plugin</p> query</code></pre>Then start it.</div>
<h2>Installation</h2><div><pre>install it</pre></div><h2>Removal</h2><p>Then take it out:</p><div class="code"><pre>remove it</pre></div>
<footer><p>Related</p><pre>more</pre><p>All rights reserved</p></footer></body>`,
  );
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const texts = Array.from(table.blockElement, (_, block) => table.texts[table.firstText[block]!]!.data.trim());
  const keep = Uint8Array.from(texts, (text) => (/^(?:Set|Then|Removal)/.test(text) ? 1 : 0));
  keepCode(table, "documentation", keep);
  expect(texts.filter((_, block) => keep[block] === 1)).toEqual([
    "Set the plugin up so:",
    "plugin",
    "query",
    "Then start it.",
    "Installation",
    "install it",
    "Removal",
    "Then take it out:",
    "remove it",
  ]);
});

test("code that a table sets beside the numbers of its lines is kept right below a kept text", () => {
  const listing = (numbers: string): string => `<p>Sample code:</p><div class="highlight"><table><tbody><tr>
<td><div><pre>${numbers}</pre></div></td><td><div><pre>light(lamp)</pre></div></td></tr></tbody></table></div>`;
  const { document } = readHtml(
    `<body><div>${listing("1 2")}<p>More:</p>${listing("3 4")}</div><pre>menu</pre></body>`,
  );
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const texts = Array.from(table.blockElement, (_, block) => table.texts[table.firstText[block]!]!.data.trim());
  const keep = Uint8Array.from(texts, (text) => (text === "Sample code:" ? 1 : 0));
  keepCode(table, "documentation", keep);
  const kept = ["Sample code:", "1 2", "light(lamp)", "Sample code:", "3 4", "light(lamp)"];
  expect(texts.filter((_, block) => keep[block] === 1)).toEqual(kept);
});

test("a page keeps code between its paragraphs whatever the code says", () => {
  const { text } = keep(
    page(
      "Sending lamps to others",
      `<div class="sect1"><h2>Sending lamps to others</h2>
<p>A pattern says which messages a command is for. It is written behind the command, and an empty one means all messages of the mailbox that is open at the moment.</p>
<p>Patterns may be joined with a bar, and then a message has to fit one of them. For what is left the program then prints, in one line:</p>
<div class="informalexample"><pre class="screen">Share on: Facebook Twitter</pre></div>
<p>The list is drawn again at once. Messages that do not fit are not deleted: they come back as soon as the pattern is taken away.</p>
<p>A pattern that is used often can be given a name in the file of settings, and from then on the name stands for it in each command.</p></div>`,
    ),
    "https://mail.example/manual/search.html",
  );
  expect(text).toContain("Share on: Facebook Twitter");
  expect(found(text, FRAME_TEXTS)).toEqual([]);
});

test("code keeps the empty lines that are elements of their own", async () => {
  const lines = ["let ropes = 2;", "", "", "coil(ropes);"];
  const code = lines
    .map((line) => `<div class="token-line"><span class="token plain">${line}</span><br></div>`)
    .join("");
  const html = page(
    "Coiling ropes",
    `<article><h1>Coiling ropes</h1>
<p>Before a rope is put away it is coiled, so that it can be thrown at once the next time and does not kink while it dries.</p>
<div class="codeBlock"><pre><code>${code}</code></pre></div>
<p>The number says how many ropes lie ready. They are coiled one after the other, and each is tied with its own end before the next.</p></article>`,
  );
  const { markdown } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toContain(`\`\`\`\n${lines.join("\n")}\n\`\`\``);
  expect(found(markdown ?? "", FRAME_TEXTS)).toEqual([]);
});

test("what a manual says for each system in tabs has the system's name above it", async () => {
  const systems = { macOS: "brew install lamp", Windows: "winget install Lamp", Debian: "apt install lamp" };
  const names = Object.keys(systems);
  const commands = Object.values(systems);
  const sets = {
    "with roles": `<div class="tabs-container"><ul role="tablist" aria-orientation="horizontal" class="tabs">${names.map((name) => `<li role="tab" class="tabs__item">${name}</li>`).join("")}</ul><div class="margin-top--md">${commands.map((command, index) => `<div role="tabpanel"${index > 0 ? ' hidden=""' : ""}><pre><code>${command}</code></pre></div>`).join("")}</div></div>`,
    "without them": `<div class="tabbed-set tabbed-alternate"><div class="tabbed-labels">${names.map((name, index) => `<label for="t${index}">${name}</label>`).join("")}</div><div class="tabbed-content">${commands.map((command) => `<div class="tabbed-block"><div class="highlight"><pre><code>${command}</code></pre></div></div>`).join("")}</div></div>`,
    "with links": `<ul class="nav nav-tabs" role="tablist">${names.map((name, index) => `<li role="presentation"><a href="#p${index}" role="tab">${name}</a></li>`).join("")}</ul><div class="tab-content">${commands.map((command, index) => `<div role="tabpanel" class="tab-pane" id="p${index}"><pre>${command}</pre></div>`).join("")}</div>`,
  };
  for (const [kind, set] of Object.entries(sets)) {
    const html = page(
      "Installing the lamp",
      `<main><article><h1>Installing the lamp</h1>
<p>The lamp is installed with the package manager of the system, or built from its parts. Choose what fits your harbour best.</p>
${set}
<p>After that the lamp is ready. Fill it with oil before it is lit for the first time, and keep the glass closed while it burns.</p></article></main>`,
    );
    const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
    for (const [name, command] of Object.entries(systems)) {
      expect(markdown, kind).toContain(`**${name}**\n\n\`\`\`\n${command}\n\`\`\``);
    }
    expect(found(markdown, FRAME_TEXTS)).toEqual([]);
  }
});

const LIGHTING = `<p>The command lights the lamp on the mole and waits until it burns. It fails when there is no oil, and then says how much is missing. The options are read from left to right.</p>
<p>With an hour, the lamp is lit at that hour of the day. Without one it is lit at once, and burns until it is put out or the first ferry has left the harbour.</p>`;

test("a manual page keeps its title, its name and how it is called", async () => {
  const html = `<!DOCTYPE html><html lang="en"><head><meta name="generator" content="AsciiDoc 10.2.0"><title>lamp-light(1)</title></head><body class="manpage">
<div id="header"><h1>lamp-light(1) Manual Page</h1><h2>NAME</h2><div class="sectionbody"><p>lamp-light - Lights the lamp on the mole</p></div></div>
<div id="content"><div class="sect1"><h2 id="_synopsis">SYNOPSIS</h2><div class="sectionbody"><div class="verseblock"><pre class="content"><em>lamp light</em> [-q | --quiet] [&lt;hour&gt;]</pre><div class="attribution"></div></div></div></div>
<div class="sect1"><h2 id="_description">DESCRIPTION</h2><div class="sectionbody">${LIGHTING}</div></div>
<div class="sect1"><h2 id="_options">OPTIONS</h2><div class="sectionbody"><div class="dlist"><dl><dt class="hdlist1">-q</dt><dt class="hdlist1">--quiet</dt><dd><p>Says nothing, not even when the lamp is out of oil.</p></dd></dl></div></div></div></div>
<div id="footnotes"><hr></div><div id="footer"><div id="footer-text">Last updated 2024-05-31 00:35:55 UTC</div></div></body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toMatch(
    /^# lamp-light\(1\) Manual Page\n\n## NAME\n\nlamp-light - Lights the lamp on the mole\n\n## SYNOPSIS\n\n```\nlamp light \[-q \| --quiet\] \[<hour>\]\n```\n\n## DESCRIPTION/,
  );
  expect(markdown).not.toContain("Last updated");
});

test("a document keeps what is written around its title, and leaves its contents out", async () => {
  const contents = `<nav id="TOC" role="doc-toc"><ul><li><a href="#lighting">Lighting</a></li><li><a href="#care">Care</a></li></ul></nav>`;
  const sections = `<h1 id="lighting">Lighting</h1>${LIGHTING}<h1 id="care">Care</h1>${LIGHTING.replaceAll("lamp", "lantern")}`;
  const html = `<!DOCTYPE html><html lang="en"><head><meta name="generator" content="pandoc"><title>Lamps on the mole</title></head><body>
<header id="title-block-header"><h1 class="title">Lamps on the mole</h1><p class="subtitle">A report</p><p class="author">Jane Doe</p><p class="author">John Roe</p><p class="date">4 March 2024</p>
<div class="abstract"><div class="abstract-title">Abstract</div><p>We count the lamps of twelve harbours, and find that each has one too few.</p></div></header>
${contents}${sections}</body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toMatch(
    /^# Lamps on the mole\n\nA report\n\nJane Doe\n\nJohn Roe\n\n4 March 2024\n\nAbstract\n\nWe count the lamps of twelve harbours, and find that each has one too few.\n\n/,
  );
  expect(markdown).not.toContain("#care");
});

test("the values around a title stay, though they are named as contents", async () => {
  const value = (name: string, text: string): string =>
    `<div><div class="quarto-title-meta-heading">${name}</div><div class="quarto-title-meta-contents"><p>${text}</p></div></div>`;
  const values = `<div class="quarto-title-meta">${value("Author", "Jane Doe")}${value("Published", "4 March 2024")}</div>`;
  const html = `<html><head><title>Lamps on the mole</title></head><body><header id="title-block-header"><h1 class="title">Lamps on the mole</h1>
${values}<div class="toc"><a href="#care">Care of lamps</a></div></header><div><h2 id="care">Care</h2>${LIGHTING}</div></body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toMatch(/^# Lamps on the mole\n\nAuthor\n\nJane Doe\n\nPublished\n\n4 March 2024\n\n## Care/);
});

test("the name of the file that code belongs in stays above it, and so does that of its language", () => {
  const { document } = readHtml(
    `<body><p>Where it is set:</p><div>Filename: config/lamp.toml</div><pre>hour = 18</pre><p>What it does:</p>
<div><span>src/</span><span>light.ts</span></div><button>Copy</button><pre>light(lamp)</pre>
<div>Python</div><pre>light()</pre><div>Run this snippet</div><pre>wait(lamp)</pre><div>See also harbour.example, Inc.</div><pre>ask(lamp)</pre><div>more.txt</div><p>End</p></body>`,
  );
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const texts = Array.from(table.blockElement, (_, block) => table.texts[table.firstText[block]!]!.data.trim());
  const keep = Uint8Array.from(table.blockElement, (element) =>
    /^(?:p|pre)$/.test(table.elements[element]!.name) ? 1 : 0,
  );
  keepCodeLabels(table, keep);
  expect(
    texts.filter((_, block) => keep[block] === 1 && table.elements[table.blockElement[block]!]!.name === "div"),
  ).toEqual(["Filename: config/lamp.toml", "src/", "Python"]);
});

/** A bar of links as Texinfo writes it, above and below a page. */
function bar(cells: readonly (readonly [label: string, href: string])[], gap = ""): string {
  const linked = cells.map(
    ([label, href]) => `<td valign="middle" align="left">[<a href="${href}"> ${label} </a>]</td>`,
  );
  return `<table class="header" cellpadding="1" border="0"><tr>${linked.join(gap)}</tr></table>`;
}

test("bars of links to the pages before and after go, with the rules that set them apart", async () => {
  const ways = [
    ["&lt;&lt;", "oil.html"],
    ["&lt;", "wick.html"],
    ["Up", "index.html"],
    ["&gt;", "#options"],
    ["&gt;&gt;", "storms.html"],
  ] as const;
  const places = [
    ["Top", "index.html"],
    ["Contents", "toc.html"],
    ["Index", "terms.html"],
    ["?", "about.html"],
  ] as const;
  const signals = `<table><tr><td><a href="one.html">One flash</a></td><td>the next ship may enter</td></tr><tr><td><a href="two.html">Two flashes</a></td><td>all ships wait</td></tr></table>`;
  const html = `<!DOCTYPE html><html lang="en"><head><meta name="Generator" content="texi2any"><title>4 Lighting (lamp)</title></head><body lang="en">
<div class="chapter" id="Lighting">${bar([...ways, ...places], `<td valign="middle"> &nbsp; </td>`)}<hr><h1 class="chapter">4 Lighting</h1>${LIGHTING}
<hr><div class="section" id="options"><h2 class="section">4.1 Signals</h2>${LIGHTING.replaceAll("lamp", "lantern")}${signals}</div></div>
<hr><table class="nav_table"><tr><td>[<a href="wick.html">&lt;&lt; The wick</a>]</td><td>[<a href="index.html">Top</a>]</td><td>[<a href="toc.html">Contents</a>]</td><td>[<a href="storms.html">Storms &gt;&gt;</a>]</td></tr></table></body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toMatch(/^# 4 Lighting\n/);
  expect(markdown).toMatch(/\n\n---\n\n## 4\.1 Signals\n/);
  expect(markdown.endsWith("all ships wait |")).toBe(true);
});

test("so do those with the titles of page and chapter between the links", async () => {
  const header = `<div class="navheader"><table width="100%"><tr><th colspan="3" align="center">7.14. Light the Next Lamp</th></tr>
<tr><td width="20%" align="left"><a accesskey="p" href="previous.html"><img src="images/prev.png" alt="Prev"></a></td><th width="60%" align="center">7. The “Lamp” Menu</th><td width="20%" align="right"><a accesskey="n" href="top.html"><img src="images/next.png" alt="Next"></a></td></tr></table><hr></div>`;
  const note = `<div class="note"><table border="0"><tr><td rowspan="2" align="center" valign="top" width="25"><img alt="[Note]" src="images/note.png"></td><th align="left">Note</th></tr><tr><td align="left" valign="top"><p>On a lamp from before the war, the handle at the door does not turn the wick but the whole head of the lamp, and the next lamp stays dark.</p></td></tr></table></div>`;
  const html = `<html><head><title>7.14. Light the Next Lamp</title><meta name="generator" content="DocBook XSL Stylesheets"></head><body>${header}
<div class="sect2"><div class="titlepage"><h3 class="title">7.14. Light the Next Lamp</h3></div><p>The command lights the lamp right behind the one that burns, and makes it the one that counts. If that is the last lamp on the mole, nothing happens.</p>${note}
<div class="sect3"><div class="titlepage"><h4 class="title">7.14.1. Giving the Command</h4></div><div class="itemizedlist"><ul class="itemizedlist"><li class="listitem"><p>You can give it from the desk of the keeper,</p></li><li class="listitem"><p>or with the bell at the door.</p></li></ul></div></div></div></body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toMatch(/^### 7\.14\. Light the Next Lamp\n\nThe command lights/);
  expect(markdown).not.toContain("Menu");
});

test("pictures that lead around a manual go", async () => {
  const arrows = `<div style="text-align: center;"><a href="up.html"><img class="arrow" src="left.jpg" alt="[Up]"></a> <a href="index.html"><img class="arrow" src="up.jpg" alt="[Top]"></a></div>`;
  const picture = `<a role="button" href="mole.html"><img src="mole.jpg" width="975" alt="«Mole at night» and «Up the lamp»"></a>`;
  const rows = ["Light", "Put out", "Trim", "Fill", "Count", "Lower", "Raise", "Clean"].map(
    (name) =>
      `<tr><td style="width: 25%;"><a href="${name}.html">${name}</a></td><td>What a keeper does to a lamp on the mole before the ferry comes</td></tr>`,
  );
  const html = `<html><head><title>Help for the lamps on the mole</title></head><body><div class="container"><h1>Help for the lamps on the mole <img class="toplogo" src="lamp.svg" alt="[A lamp]"></h1><hr>${arrows}${picture}<h2>Help Pages</h2><table style="width: 100%;">${rows.join("")}</table></div></body></html>`;
  const { markdown = "" } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toContain("| [Trim](");
  expect(markdown).toContain("![«Mole at night» and «Up the lamp»](");
  expect(markdown).not.toMatch(/\[Up|Top/);
});

test("a table of links right below a heading of a manual stays with it", async () => {
  const functions = ["light", "put_out", "trim", "fill", "count", "lower"].map(
    (name) =>
      `<tr><td class="function_type"><span class="returnvalue">void</span></td><td class="function_name"><a class="link" href="lamp.html#lamp-${name}" title="lamp_${name} ()">lamp_${name}</a> <span class="c_punctuation">()</span></td></tr>`,
  );
  const details = ["light", "put_out", "trim"].map(
    (name) =>
      `<div class="refsect2"><h3>lamp_${name} ()</h3><pre class="programlisting">void lamp_${name} (Lamp *lamp, int hour);</pre>${LIGHTING}</div><hr>`,
  );
  const html = `<!DOCTYPE html><html><head><title>Lamp: Harbour Reference Manual</title><meta name="generator" content="GTK-Doc V1.33"></head><body>
<table class="navigation" id="top" width="100%"><tr valign="middle"><td width="100%" class="shortcuts"><a href="#" class="shortcut">Top</a><span> | <a href="#lamp.description" class="shortcut">Description</a></span></td><td><a accesskey="h" href="index.html"><img src="home.png" alt="Home"></a></td><td><a accesskey="n" href="next.html"><img src="right.png" alt="Next"></a></td></tr></table>
<div class="refentry"><div class="refnamediv"><table width="100%"><tr><td valign="top"><h2><span class="refentrytitle">Lamp</span></h2><p>Lamp — A lamp on the mole</p></td></tr></table></div>
<div class="refsect1"><h2>Functions</h2><div class="informaltable"><table class="informaltable" width="100%" border="0"><tbody>${functions.join("")}</tbody></table></div></div>
<div class="refsect1"><h2>Description</h2>${LIGHTING}</div><div class="refsect1"><h2>Functions</h2>${details.join("")}</div></div></body></html>`;
  const { markdown = "" } = await transformHtml(
    html,
    { onlyMainContent: true },
    { url: "https://harbour.example/manual/lamp.html" },
  );
  expect(markdown).toMatch(/## Functions\n\n\|.*\|\n\|.*\|\n\| void \| \[lamp_light\]\(.*\) \(\) \|\n/);
  expect(markdown).not.toMatch(/Home|shortcut/);
});

test("a list that the text above it announces stays, although it is full of links", async () => {
  const kinds = ["Oil", "Gas", "Kerosene", "Petroleum", "Electric light"];
  const list = kinds.map(
    (kind) => `<li><a class="reference internal" href="#${kind}"><span class="std std-ref">${kind}</span></a></li>`,
  );
  const sections = kinds.map(
    (kind) =>
      `<div class="section" id="${kind}"><h2>${kind}<a class="headerlink" href="#${kind}" title="Permalink">¶</a></h2>${LIGHTING}</div>`,
  );
  const html = page(
    "Lamps",
    `<div class="section" id="lamps"><h1>Lamps<a class="headerlink" href="#lamps">¶</a></h1><p>The harbour officially supports the following lamps:</p><ul class="simple">${list.join("")}</ul>
<p>There are also a number of lamps that other harbours have built, with rules of their own.</p>${sections.join("")}</div>`,
  );
  const { markdown = "" } = await transformHtml(
    html,
    { onlyMainContent: true },
    { url: "https://harbour.example/manual/lamps.html" },
  );
  expect(markdown).toContain("following lamps:\n\n- [Oil](");
  expect(markdown.match(/^- \[/gm)).toHaveLength(kinds.length);
});

test("the title of a manual's page is a heading, also if its generator wrote none", async () => {
  for (const title of [
    '<div class="headertitle"><div class="title">Sieve Class Reference</div></div>',
    '<div id="module-header"><p class="caption">Sieve Class Reference</p></div>',
  ]) {
    const { markdown } = await transformHtml(`${title}<p>Lets through what is smaller than its mesh.</p>`);
    expect(markdown).toBe("# Sieve Class Reference\n\nLets through what is smaller than its mesh.");
  }
  const box = '<div class="box"><div class="title">Sieve</div><p class="caption">A sieve</p></div>';
  expect((await transformHtml(box)).markdown).toBe("Sieve\n\nA sieve");
});

const DIRECTIVES = ["Angle", "Beacon", "Colour", "Depth", "Echo", "Fog", "Gate", "Horn"].flatMap((part) =>
  ["Default", "Limit", "Name", "Timeout", "Unit"].map((end) => part + end),
);
const MENU = ["Modules", "Glossary", "Report a bug", "Downloads", "Mailing lists"];

/** An index of a manual, with a menu before and behind it and, in it, a link to itself. */
function index(title: string, heading: string): string {
  const menu = `<ul>${MENU.map((text) => `<li><a href="/${text}.html">${text}</a></li>`).join("")}</ul>`;
  const letters = `<p class="letters">${DIRECTIVES.map((name) => name[0])
    .map((letter) => `<a href="#${letter}"> ${letter} </a>`)
    .join("|")}</p>`;
  const entries = [...DIRECTIVES, heading].map(
    (text, at) => `<li><a href="${text === heading ? "part5" : `part${at % 5}`}.html">${text}</a></li>`,
  );
  return `<html><head><title>${title}</title></head><body><div id="page-header"><div class="menu">${menu}</div></div>
<div id="preamble"><h1>${heading}</h1><p>Each directive of the harbour is listed here. They are described in one form, and a dictionary of the terms in it is available.</p></div>
${letters}<div id="directive-list"><ul>${entries.join("")}</ul></div><div id="footer" class="footer">${menu}</div></body></html>`;
}

test("an index of a manual keeps all of its entries, and none of the menus around it", () => {
  const address = "https://harbour.example/docs/part5.html";
  for (const [title, heading] of [
    ["Directive Index - Harbour 2.4", "Directive Index"],
    ["Harbour Site Map", "Permuted Index"],
    ["Index of new directives in 2.4", "Index of new directives in 2.4"],
    ["Harbour documentation contents", "Documentation contents"],
  ]) {
    const { text } = keep(index(title!, heading!), address);
    expect(found(text, DIRECTIVES)).toEqual(DIRECTIVES);
    expect(found(text, MENU)).toEqual([]);
  }
});

test("the pages of a chapter stay below its text if nothing follows them, and those beside it do not", () => {
  const list = (class_: string, names: readonly string[]): string =>
    `<div class="${class_}"><ul>${names.map((text) => `<li><a href="${text}.html">${text}</a></li>`).join("")}</ul></div>`;
  const { document } = readHtml(
    `<body><div><h1>Lamps</h1><div><p>Lamps burn.</p></div>${list("toctree-wrapper compound", DIRECTIVES)}</div>
<div>${list("toc", MENU)}</div>${list("toc", MENU)}</body>`,
  );
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const texts = Array.from(table.blockElement, (_, block) => table.texts[table.firstText[block]!]!.data.trim());
  const keep = Uint8Array.from(texts, (text) => (text.startsWith("Lamps") ? 1 : 0));
  keepContents(table, keep);
  expect(texts.filter((_, block) => keep[block] === 1)).toEqual(["Lamps", "Lamps burn.", ...DIRECTIVES]);
});

test("a list of pages beside the column that a text is in is no contents of a chapter", () => {
  const entries = DIRECTIVES.map((text) => `<li><a href="${text}.html">${text}</a></li>`).join("");
  const { document } = readHtml(
    `<body><div><div><h1>Lamps</h1><p>Lamps burn.</p></div><div class="toc"><ul>${entries}</ul></div></div></body>`,
  );
  const table = buildPageTable(document, finish(contentModel()).rateName, new PageArrays());
  const texts = Array.from(table.blockElement, (_, block) => table.texts[table.firstText[block]!]!.data.trim());
  const keep = Uint8Array.from(texts, (text) => (text.startsWith("Lamps") ? 1 : 0));
  keepContents(table, keep);
  expect(texts.filter((_, block) => keep[block] === 1)).toEqual(["Lamps", "Lamps burn."]);
});

/** The texts that are kept as parts of an index, if nothing else is. */
function indexed(title: string, html: string): string[] {
  const table = buildPageTable(readHtml(html).document, finish(contentModel()).rateName, new PageArrays());
  const keep = new Uint8Array(table.blockElement.length);
  keepIndex(table, totalElements(table), title, keep);
  return Array.from(keep, (_, block) => blockLine(table, block)).filter((_, block) => keep[block] === 1);
}

test("an article about an index is none, however many links are below it", () => {
  const list = DIRECTIVES.map((text) => `<li><a href="/${text}.html">${text}</a></li>`).join("");
  const text = "The price of each of the lamps is counted again, and it has changed since the harbour was built. ";
  const html = (around: string): string => `<body><div><h1>Lamp Price Index</h1>${around}</div><ul>${list}</ul></body>`;
  expect(indexed("Lamp Price Index rises", html(`<p>${text}</p>`))).toEqual([]);
  expect(indexed("Lamp Price Index", html("<p>All of our lamps.</p>"))).toEqual([
    "Lamp Price Index",
    "All of our lamps.",
    ...DIRECTIVES,
  ]);
  const related = html("").replace("<ul>", '<ul class="related">');
  expect(indexed("Lamp Price Index", related)).toEqual([]);
});

test("the letters above an index, which lead to its parts, are none of its entries", () => {
  const html = index("Directive Index", "Directive Index").replaceAll('href="#', 'href="part5.html#');
  const kept = indexed("Directive Index", html);
  expect(found(kept.join("\n"), DIRECTIVES)).toEqual(DIRECTIVES);
  expect(kept.filter((text) => text.includes("|"))).toEqual([]);
});
