import { describe, expect, it } from "vitest";
import { transformHtml } from "./transform-input.ts";

const article = `<!doctype html><html><head><title>Kettles</title></head><body>
  <nav><a href="/home">Home</a><a href="/shop">Shop</a><a href="/about">About us</a></nav>
  <main><article><h1>Kettles</h1><p>A kettle boils water, and most of them do it in less than four minutes these days.</p>
  <p>Read more in <a href="guide">the guide</a>, which explains how they work and what to look for when buying one.</p></article></main>
  <footer><a href="/imprint">Imprint</a> Copyright 2024</footer></body></html>`;

describe("formats", () => {
  it("gives only what was asked for", async () => {
    const { metadata, kind, ...fields } = await transformHtml(article, { formats: [] });
    expect(metadata["title"]).toBe("Kettles");
    expect(kind).toBe("html");
    expect(fields).toEqual({});
  });

  it("gives the page as it came as rawHtml, and the main content as the rest", async () => {
    const formats = ["markdown", "html", "rawHtml", "links"];
    const result = await transformHtml(article, { formats, onlyMainContent: true });
    expect(result.rawHtml).toBe(article);
    expect(result.markdown).toContain("# Kettles");
    expect(result.markdown).not.toContain("Imprint");
    expect(result.html).toContain('<a href="https://example.test/section/guide">the guide</a>');
    expect(result.html).not.toContain("<nav>");
    expect(result.links).toEqual(["https://example.test/section/guide"]);
  });

  it("leaves out what is hidden, also where that is longer than what is shown, unless nothing to read is left", async () => {
    const hidden = "This text is in the page and on nobody's screen, however long it may be.";
    const page = (shown: string) => `${shown}<div style="display:none"><p>${hidden}</p></div>`;
    const { markdown } = await transformHtml(page("<h1>Kettles</h1><p>Open from ten to six.</p>"));
    expect(markdown).toBe("# Kettles\n\nOpen from ten to six.");
    const menu = '<nav><a href="/a">All kettles by size</a> <a href="/b">All kettles by colour</a></nav>';
    expect((await transformHtml(page(menu))).markdown).toContain(hidden);
  });

  it("gives html in which nothing of the page runs, and rawHtml as it came", async () => {
    const page = `<p onclick="one()" title="javascript: a title">Text</p><img src="/a.png" onerror="two()" alt="a">
      <form action="java\nscript:three()"><button formaction=" javascript:four()" class="b">Go</button></form>
      <iframe src="/f" srcdoc="<script>five()</script>"></iframe><svg><a xlink:href="javascript:six()"><text>t</text></a></svg>
      <b title="a &quot; onmouseover=&quot;seven(7)">b</b>`;
    const { html, rawHtml } = await transformHtml(page, { formats: ["html", "rawHtml"] });
    expect(html).not.toMatch(/(?:one|two|three|four|five|six)\(\)/);
    for (const kept of [
      '<p title="javascript: a title">Text</p>',
      '<img src="https://example.test/a.png" alt="a">',
      '<form><button class="b">Go</button></form>',
      '<iframe src="https://example.test/f">',
      '<b title="a &quot; onmouseover=&quot;seven(7)">',
    ]) {
      expect(html).toContain(kept);
    }
    expect(rawHtml).toBe(page);
  });

  it("gives html whose frames hold no document in their address, but pictures and print", async () => {
    const page = `<p>Text</p><iframe src="data:text/html,<script>one()</script>"></iframe>
      <object data=" da&#10;ta:image/svg+xml,<svg onload='two()'/>"></object><embed src="DATA:,three()">
      <object data="data:image/png;base64,AAAA"></object><embed src="data:application/pdf;base64,JVBE">`;
    const { html } = await transformHtml(page, { formats: ["html"], onlyMainContent: false });
    expect(html).not.toMatch(/(?:one|two|three)\(\)/);
    expect(html).toContain("<iframe></iframe>");
    expect(html).toContain('<object data="data:image/png;base64,AAAA">');
    expect(html).toContain('<embed src="data:application/pdf;base64,JVBE">');
  });

  it("gives html in which nothing runs where browsers read text, not markup, up to an end tag in an attribute", async () => {
    const hidden = (name: string) => `<${name}><p title="</${name}><img src=x onerror=one()>">inner</p></${name}>`;
    const page = `<p>Text</p>${["iframe", "noframes", "noembed"].map(hidden).join("")}<noembed><xmp></noembed><img src=x onerror=one()></xmp></noembed>`;
    const { html, markdown } = await transformHtml(page, { formats: ["html", "markdown"] });
    expect(html).toContain("<iframe></iframe><noframes></noframes><span><p");
    expect(html).not.toContain("<noembed>");
    expect(markdown).toBe((await transformHtml(page, { formats: ["markdown"] })).markdown);
  });

  it("keeps everything visible, in order, without onlyMainContent", async () => {
    const { markdown, links } = await transformHtml(article, { formats: ["markdown", "links"] });
    const places = ["Home", "# Kettles", "the guide", "Imprint"].map((text) => markdown!.indexOf(text));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(links).toHaveLength(5);
  });

  it("falls back to the whole page, with a warning, where there is no main content", async () => {
    const { markdown, warning } = await transformHtml(
      `<nav><a href="/a">Alpha</a></nav><footer><a href="/b">Beta</a></footer>`,
      { onlyMainContent: true },
    );
    expect(markdown).toContain("Alpha");
    expect(warning).toContain("main content");
  });

  it("says that an empty page is empty", async () => {
    expect((await transformHtml("")).markdown).toBe("");
    expect((await transformHtml("<script>start()</script>", { onlyMainContent: true })).markdown).toBe("");
  });

  it("finds what a page says of the pages it links to, wherever it says it", async () => {
    const html = `<nav><a href="/a"><img src="i" alt="A kettle"></a><a href="/b" title="About us"></a></nav><a href="/c"></a>
      <h2><a href="/a">The <b>steel</b> kettle</a></h2><a href="/a">more</a><map><area href="/d" alt="Here"></map><link rel="next" href="/e">
      <a href="/f"><script>x</script>${"word ".repeat(1000)}</a>`;
    const { discovered, linkTexts } = await transformHtml(html, { formats: [], discoverLinks: true, linkTexts: true });
    const said = Object.fromEntries((discovered ?? []).map((url, index) => [url.slice(-1), linkTexts?.[index]]));
    const f = expect.stringMatching(/^(word )*w?o?r?d?$/);
    expect(said).toEqual({ a: "A kettle The steel kettle more", b: "About us", c: "", d: "Here", e: "", f });
    expect(said["f"]?.length).toBeLessThanOrEqual(200);
  });

  it("finds the links of the whole page for crawling", async () => {
    const { discovered, links } = await transformHtml(article, {
      formats: ["links"],
      onlyMainContent: true,
      discoverLinks: true,
    });
    expect(links).toHaveLength(1);
    expect(discovered).toEqual(
      ["home", "shop", "about", "section/guide", "imprint"].map((path) => `https://example.test/${path}`),
    );
  });

  it("leaves out of a rendered page what is there for readers without scripts", async () => {
    const html = `<body><p>Loaded.</p><noscript><p>${"The page for readers without scripts. ".repeat(10)}</p></noscript>`;
    expect((await transformHtml(html, {}, { rendered: true })).markdown).toBe("Loaded.");
    expect((await transformHtml(html)).markdown).toContain("without scripts");
  });

  it("takes a late picture from the part without scripts, but not the pixel that counts readers", async () => {
    const late = `<div class="late"> <img src="/grey.gif" alt="The mill"> </div><noscript><img src="/mill.jpg" alt=""></noscript>`;
    expect((await transformHtml(`<body>${late}`)).markdown).toBe("![The mill](https://example.test/mill.jpg)");
    const pixel = `<noscript><img src="/count?site=1" alt=""></noscript>`;
    const { markdown } = await transformHtml(
      `<body><main><p>Grain.</p><img src="/mill.jpg" alt="The mill"></main>${pixel}`,
    );
    expect(markdown).toContain("![The mill](https://example.test/mill.jpg)");
  });

  it.each([
    ['<img src="/b.gif" style="height:0px;width:0px">'],
    ['<img src="//counter.test/p?site=1&amp;kind=2">'],
    ['<img src="//meter.test/meter.gif">'],
    ['<img src="//counter.test/photo.png" alt="web counter">'],
    ['<img src="//counter.test/cgi-bin/m?site=1" alt="">'],
    ['<a href="//adverts.test/jump/7"><img src="//adverts.test/show/7" width="300" height="250" alt=""></a>'],
  ])("leaves out what only counts or advertises without scripts: %s", async (picture) => {
    const noscript = `<noscript>${picture}</noscript>`;
    expect((await transformHtml(`<body><p>Grain.</p>${noscript}<p>Flour.</p>`)).markdown).toBe("Grain.\n\nFlour.");
    const beside = await transformHtml(`<body><figure><img src="/mill.jpg"></figure>${noscript}<p>Flour.</p>`);
    expect(beside.markdown).toBe("![](https://example.test/mill.jpg)\n\nFlour.");
  });

  it.each([
    ['<img src="/count?site=1" style="width: 1px; height: 1px">'],
    ['<img src="/line.gif" style="width:150px;height:1px" alt="line">'],
    ['<iframe src="https://counter.test/relay" style="width: 1px; height: 1px"></iframe>'],
  ])("leaves out pictures and frames that a style makes a pixel: %s", async (pixel) => {
    expect((await transformHtml(`<body><p>Grain.</p>${pixel}<p>Flour.</p>`)).markdown).toBe("Grain.\n\nFlour.");
    const wide = pixel.replace(/1px"/, '1px; min-width: 100%"');
    expect((await transformHtml(`<body><p>Grain.</p>${wide}<p>Flour.</p>`)).markdown).toMatch(/\]\(https/);
  });

  it.each([
    ['<img src="/mill.jpg">', "![](https://example.test/mill.jpg)"],
    ['<img src="/picture?id=7" alt="The mill">', "![The mill](https://example.test/picture?id=7)"],
    ['<img src="/7.webp" style="width:0;height:0;min-width:100%;max-width:100%">', "![](https://example.test/7.webp)"],
    ['<img src="/picture/7" width="700" height="400">', "![](https://example.test/picture/7)"],
    [
      '<a href="/mills"><img src="/mill.webp?w=300"></a>',
      "[![](https://example.test/mill.webp?w=300)](https://example.test/mills)",
    ],
  ])("keeps a picture for readers without scripts: %s", async (picture, markdown) => {
    expect((await transformHtml(`<body><p>Grain.</p><noscript>${picture}</noscript>`)).markdown).toBe(
      `Grain.\n\n${markdown}`,
    );
    const late = await transformHtml(
      `<body><p>Grain.</p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><noscript>${picture}</noscript>`,
    );
    expect(late.markdown).toContain(/\]\((.*?)\)/.exec(markdown)![1]);
  });

  it("opens shadow trees that the page declares, with what is slotted into them", async () => {
    const card = (inner: string) =>
      `<x-card><template shadowrootmode="open"><style>p{}</style><h2><slot name="title">No title</slot></h2><p>Says: <slot>nothing</slot></p><p>The end</p></template>${inner}</x-card>`;
    const html = `<body><template><p>For scripts</p></template>${card('<b slot="title">First</b> one')}${card(card("two"))}`;
    const { markdown } = await transformHtml(html);
    expect(markdown?.split("\n\n")).toEqual([
      "## First",
      "Says: one",
      "The end",
      "## No title",
      "Says:",
      "## No title",
      "Says: two",
      "The end",
      "The end",
    ]);
  });

  it("fills the slots of a shadow tree once, each with what is for it", async () => {
    const tree = (inner: string) => `<template shadowrootmode="open">${inner}</template>`;
    const slotted = async (inner: string, own: string) =>
      (await transformHtml(`<body><x-card>${tree(inner)}${own}</x-card>`)).markdown;
    expect(await slotted("<p><slot>default</slot></p>", " <!-- --> ")).toBe("default");
    expect(await slotted("<p>1 <slot></slot></p><p>2 <slot></slot></p>", "own")).toBe("1 own\n\n2");
    expect(await slotted(`<x-b>${tree("<p>b <slot></slot></p>")}inner</x-b><p>a <slot></slot></p>`, "own")).toBe(
      "b inner\n\na own",
    );
  });

  it("opens of several shadow trees the first, as browsers do", async () => {
    const tree = (text: string) => `<template shadowrootmode="open"><p>${text}</p></template>`;
    expect((await transformHtml(`<body><x-card>${tree("one")}${tree("two")}</x-card>`)).markdown).toBe("one");
  });

  it("reads slides that are drawn, with main content only too, and no labels of diagrams", async () => {
    const slide = (number: number, inner: string) =>
      `<svg data-marpit-svg="" viewBox="0 0 1280 720"><rect width="9"/><foreignObject width="1280" height="720"><section id="${number}" class="lead">${inner}</section></foreignObject></svg>`;
    const label = `<svg viewBox="0 0 9 9"><g><foreignObject><div><span class="nodeLabel"><p>Start</p></span></div></foreignObject><text>End</text></g></svg>`;
    const html = `<title>A crane</title><body><div class="bespoke-marp-osc"><button title="Previous slide">Previous slide</button><button title="Next slide">Next slide</button></div><div id="p">${slide(
      1,
      '<h1 id="crane">A crane</h1>\n<p>Forty volunteers took it apart in two winters.</p>',
    )}${slide(2, `<h2>The ring</h2><ul><li>42 rollers</li><li>7 of them cracked</li></ul>${label}`)}</div></body>`;
    const slides =
      "# A crane\n\nForty volunteers took it apart in two winters.\n\n## The ring\n\n- 42 rollers\n- 7 of them cracked";
    expect((await transformHtml(html)).markdown).toBe(`Previous slide Next slide\n\n${slides}`);
    expect((await transformHtml(html, { onlyMainContent: true })).markdown).toBe(slides);
    const hidden = `${html}<svg style="display:none"><foreignObject><h2>Notes for the speaker</h2></foreignObject></svg>`;
    expect((await transformHtml(hidden, { onlyMainContent: true })).markdown).toBe(slides);
  });

  it("reads XHTML, where any element may be closed at once", async () => {
    const html = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><div/><p>one</p><script src="x"/><p>two</p></body></html>`;
    const { markdown } = await transformHtml(html, {}, { contentType: "application/xhtml+xml" });
    expect(markdown).toBe("one\n\ntwo");
  });

  it("reads XHTML that declares entities, of which nothing is shown", async () => {
    const type = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "xhtml11.dtd"';
    const html = `<?xml version="1.0"?>${type} [ <!ENTITY tea "<b>tea</b>"> ]><html><body><p>one</p></body></html>`;
    const page = await transformHtml(html, { formats: ["markdown", "html"] }, { contentType: "application/xhtml+xml" });
    expect(page.markdown).toBe("one");
    expect(page.html).toBe(`${type}><html><body><p>one</p></body></html>`);
  });

  it("reads XHTML whose declarations end with white space, or not at all", async () => {
    const read = async (end: string) => {
      const html = `<!DOCTYPE html [ <!ENTITY x "y">${end}<html><body><p>one</p><p>two</p></body></html>`;
      return (await transformHtml(html, {}, { contentType: "application/xhtml+xml" })).markdown;
    };
    expect(await read("\n] >")).toBe("one\n\ntwo");
    expect(await read("")).toContain("one\n\ntwo");
  });
});
