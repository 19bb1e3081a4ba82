// What pages put beside their text for screen readers, for machines and for the mouse.
import { describe, expect, it } from "vitest";
import { markdownOf, transformHtml } from "./transform-input.ts";

describe("what is read out instead of what is shown", () => {
  it("is left out where it says the same at the end of an inner element", async () => {
    const html = `<p><span class="time"><span>10<span class="sr-only screen-reader-text"> minutes</span></span>
      <span aria-hidden="true">minutes</span></span></p>`;
    expect(await markdownOf(html)).toBe("10 minutes");
  });

  it("is left out where a sentence says the price", async () => {
    const html = `<p class="price"><del aria-hidden="true">£48.00</del> <span class="screen-reader-text">Original price
      was: £48.00.</span> <ins aria-hidden="true">£39.00</ins><span class="screen-reader-text">Current price is:
      £39.00.</span></p>`;
    expect(await markdownOf(html)).toBe("~~£48.00~~ £39.00");
    const text = "<p>The blade is forged from one piece of steel and hardened twice before it is ground.</p>".repeat(3);
    const page = `<html><head><title>Knife</title></head><body><main><h1>Knife</h1>${html}${text}</main></body></html>`;
    const { markdown } = await transformHtml(page, { onlyMainContent: true });
    expect(markdown).toContain("~~£48.00~~ £39.00\n");
  });

  it.each([
    "(opens in a new tab)",
    "opens in new window",
    "(öffnet in neuem Tab)",
    "(s’ouvre dans une nouvelle fenêtre)".replace("’", "'"),
  ])("is left out where it tells what a link does to the browser: %s", async (note) => {
    const link = (name: string) => `<a href="https://x.example/">Report<span class="${name}"> ${note}</span></a>`;
    expect(await markdownOf(`<p>${link("sr-only")}</p>`)).toBe("[Report](https://x.example/)");
    expect(await markdownOf(`<p>${link("css-1x9")}</p>`)).toBe("[Report](https://x.example/)");
    expect(await markdownOf(`<p>The shop ${note}.</p>`)).toBe(`The shop ${note}.`);
  });

  it("is left out where it describes an icon, or names a box to tick", async () => {
    const button = `<button><svg><path d="M1 1"/></svg><span class="visually-hidden">Focus to learn more</span></button>`;
    expect(await markdownOf(`<p>10.1000/182 ${button}<div role="tooltip">A number for a paper</div></p>`)).toBe(
      "10.1000/182",
    );
    expect(await markdownOf('<button><span class="sr-only">Open the</span> menu</button>')).toBe("Open the menu");
    const item = `<li><span><input type="checkbox"><label><span class="sr-only">▢ </span></label></span>200 g lentils</li>`;
    expect(await markdownOf(`<ul>${item}</ul>`)).toBe("- [ ] 200 g lentils");
  });
});

describe("controls", () => {
  it("are left out where they fold a comment, or lead a reader who sees them to the next", async () => {
    const html = `<p><a href="/u/1">marten</a> <a href="#7" aria-hidden="true">next</a> <a
      href="javascript:void(0)">[–]</a></p>`;
    expect(await markdownOf(html)).toBe("[marten](https://example.test/u/1)");
  });

  it("are left out where they lead from a definition to its source", async () => {
    const html = `<dl><dt>build() <a href="_modules/kelp.html"><span>[source]</span></a><a href="#build">¶</a></dt>
      <dd>Builds the site. See the <a href="/s">[source]</a> of it.</dd></dl>`;
    expect(await markdownOf(html)).toBe(
      "**build()**\n- Builds the site. See the [\\[source\\]](https://example.test/s) of it.",
    );
  });
});

describe("a label that ends with a colon", () => {
  it("is apart from its value, although only a style sheet says so", async () => {
    expect(await markdownOf("<h1><span>Title:</span>Slow mixing</h1>")).toBe("# Title: Slow mixing");
    expect(await markdownOf("<p><b>Price:</b>$5, <i>SKU:</i><span>123</span></p>")).toBe("**Price:** $5, _SKU:_ 123");
  });

  it("is none in an address, a path or the time of day", async () => {
    expect(await markdownOf("<p><span>http:</span>//a.test, <b>12:</b>30, <b>std::</b>vector</p>")).toBe(
      "http://a.test, **12**:30, **std**::vector",
    );
  });
});

it("a list that is numbered by its style, or that of its items, has numbers", async () => {
  const items = ["Peel.", "Cook."];
  const list = (style: string, item: string): string =>
    `<ul${style}>${items.map((text) => `<li${item}>${text}</li>`).join("")}</ul>`;
  for (const html of [
    list("", ' style="list-style-type: decimal;"'),
    list(' style="list-style: decimal inside"', ""),
  ]) {
    expect(await markdownOf(html)).toBe("1. Peel.\n2. Cook.");
  }
  expect(await markdownOf(list("", ' style="list-style-type: disc"'))).toBe("- Peel.\n- Cook.");
});

it("a row whose other cells hold a spacer and a control without words is no table", async () => {
  const row = `<table><tr><td><img src="s.gif" width="40" height="1"></td>
    <td><a href="vote"><div title="upvote"></div></a></td><td>What somebody says.</td></tr></table>`;
  expect(await markdownOf(row)).toBe("What somebody says.");
  const mark = `<table><tr><td><span title="yes"></span></td><td>Wind</td></tr></table>`;
  expect(await markdownOf(mark)).toContain("| yes | Wind |");
});

it("hidden words in a shown line of the main content stay hidden, the rest of a text does not", async () => {
  const rest = "The rest of the paragraph, which the page shows after a click, says how the two halves are read.";
  const text = "<p>Most ring buffers give you the two halves of what they hold, and the parser reads them in turn.</p>";
  const html = `<html><head><title>Rings</title></head><body><main><h1>Rings</h1>${text}
    <h2>2 Answers <span style="display:none" itemprop="answerCount">2</span></h2>${text}
    <p>Some buffers are mapped twice.<span style="display:none"> ${rest}</span></p>${text}</main></body></html>`;
  const { markdown } = await transformHtml(html, { onlyMainContent: true });
  expect(markdown).toContain("## 2 Answers\n");
  expect(markdown).toContain(`mapped twice. ${rest}`);
});

it("a value of one sign is apart from the label before it", async () => {
  const fact = (label: string, value: string): string =>
    `<div class="fact grid"><span class="fact__label">${label}</span><span class="fact__value">${value}</span></div>`;
  expect(await markdownOf(`${fact("Rooms", "3")}${fact("Energy class", "D")}`)).toBe("Rooms 3\n\nEnergy class D");
  expect(await markdownOf('<p><span class="a">H</span><span class="b">2</span> is a gas.</p>')).toBe("H2 is a gas.");
});

it("a small picture without alternative text is an ornament", async () => {
  const icon = '<img src="/code.svg" alt="" width="24" height="24">';
  expect(await markdownOf(`<h2><a href="#d">${icon}</a> Documentation</h2><p>${icon} Text</p>`)).toBe(
    "## Documentation\n\nText",
  );
  const shot = '<img src="/shot.png" alt="" width="240" height="160">';
  expect(await markdownOf(`<p>${shot}</p>`)).toBe("![](https://example.test/shot.png)");
});

it("a picture that shows nothing until a script sets its address is left out, unless something describes it", async () => {
  const gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const svg = (inner: string): string =>
    `data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2080%2060'%3E${inner}%3C/svg%3E`;
  const encoded = `data:image/svg+xml;base64,${Buffer.from('<svg width="8"><rect width="8"/></svg>').toString("base64")}`;
  const picture = (src: string, rest = 'alt=""'): string => `<p>Before</p><div><img src="${src}" ${rest}></div>`;
  for (const src of [gif, svg(""), svg("%3Crect%20width='80'/%3E"), encoded]) {
    expect(await markdownOf(picture(src))).toBe("Before");
    expect(await markdownOf(picture(src, 'alt="A lamp"'))).toBe("Before\n\n![A lamp](<Base64-Image-Removed>)");
    expect(await markdownOf(picture(src, 'alt="" data-src="/lamp.jpg"'))).toContain("/lamp.jpg");
  }
  for (const src of [svg("%3Cpath%20d='M0%200h8'/%3E"), "data:image/gif;base64,R0lGODlhCAAIAPAAAP"]) {
    expect(await markdownOf(picture(src))).toBe("Before\n\n![](<Base64-Image-Removed>)");
  }
  expect(await markdownOf(`<p>Before <a href="/lamp"><img src="${gif}" alt=""></a></p>`)).toBe("Before");
});

it("a joiner with nothing to join is no text", async () => {
  const joiner = "\u200d";
  expect(await markdownOf(`<p>Before</p><p>${joiner}</p><h2>${joiner}</h2><p>After<br>${joiner}</p>`)).toBe(
    "Before\n\nAfter",
  );
  expect(await markdownOf(`<p>${joiner}<b>x</b> 👩<span>${joiner}</span>👧</p>`)).toBe(`**x** 👩${joiner}👧`);
});

it("what a wiki offers for answering a comment is left out", async () => {
  const offer = '<span class="ext-discussiontools-init-replylink-buttons">[<a role="button" href="">reply</a>]</span>';
  expect(await markdownOf(`<p>I would not. Ines, 3 March${offer}</p>`)).toBe("I would not. Ines, 3 March");
});
