// What a page says is read as what it says: the markdown is read again by a parser that we did not write.

import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

/** The page as a reader of its markdown sees it. */
const readAgain = async (html: string): Promise<string> =>
  micromark((await markdownOf(html)) ?? "", {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

describe("text stays text", () => {
  it.each([
    ["a comment", "<p>&lt;!-- never --&gt; shown</p>"],
    ["an instruction", "<p>&lt;?php echo ?&gt; it</p>"],
    ["an address that bold type begins in", "<p>a&lt;<strong>b@c&gt;</strong> d</p>"],
    ["the name of a message", "<p>Message-ID: &lt;2024.5@a&gt;, 1 &lt; 2</p>"],
    ["lines that look like a table", "<p>a | b<br />\n--- | ---</p>"],
    ["a line of dashes", "<p>a<br />\n--</p>"],
    ["a star beside what is bold", "<p>2*3<em>4</em>5</p>"],
    ["two back-ticks", "<p>a `` b</p>"],
    ["stars in pairs", "<p>**a and b** and __c and d__</p>"],
    ["a box, in an item", "<ul>\n<li>[X] done</li>\n</ul>"],
    ["a back-slash before a break in a link", '<p><a href="https://a.test/">a\\<br />\nb</a></p>'],
    ["brackets of a link's text", '<p><a href="https://a.test/">a[0](b)</a></p>'],
  ])("%s", async (_, html) => {
    expect(await readAgain(html)).toBe(html);
  });

  it("keeps an exclamation mark before a link from making a picture of it", async () => {
    const html = '<p>Look!<a href="https://x.example/">here</a>, and wow!</p>';
    expect(await markdownOf(html)).toBe("Look\\![here](https://x.example/), and wow!");
  });

  it("a mark of a note is none", async () => {
    expect(await markdownOf("<p>as[^1] said</p>")).toBe("as\\[^1] said");
  });

  it("without escapes that say nothing", async () => {
    const plain = 'Oh! a! (<a href="https://a.test/">b</a>) [c] 5 * 6 a_b_c x^2 - y &amp; ~10';
    expect(await markdownOf(`<p>${plain}</p>`)).toBe("Oh! a! ([b](https://a.test/)) [c] 5 * 6 a_b_c x^2 - y & ~10");
  });
});

describe("an address in a text ends where it ended on the page", () => {
  const address = '<a href="http://a.test/x">http://a.test/x</a>';

  it("in bold, between letters", async () => {
    const bold = (text: string) => `<p>访问<strong>${text}</strong>了解</p>`;
    const link = '<a href="https://a.test/c">https://a.test/c</a>';
    expect(await readAgain(bold("https://a.test/c"))).toBe(bold(link));
  });

  it.each([
    ["before a link", '<a href="https://b.test/">[1]</a>'],
    ["in brackets, before a link", ')<a href="https://b.test/">b</a>'],
    ["before emphasis", "<strong>b</strong>"],
    ["before code", "<code>b</code>"],
    ["before a picture", '<img src="https://b.test/b.png" alt="b" />'],
    ["before signs that are escaped", "&gt;*b* *c*"],
    ["before a tag that is none", "&gt;&lt;b&gt;"],
  ])("%s", async (_, rest) => {
    expect(await readAgain(`<p>(http://a.test/x${rest} c</p>`)).toBe(`<p>(${address}${rest} c</p>`);
  });

  it.each([
    ["a letter of a script without spaces", "见"],
    ["a digit", "5"],
    ["a back-slash", "\\"],
  ])("right behind %s", async (_, before) => {
    const html = `<p>${before}<a href="http://a.test/*b*">http://a.test/*b*</a> c</p>`;
    expect(await readAgain(`<p>${before}http://a.test/*b* c</p>`)).toBe(html);
  });

  it.each(["&gt;", ".&gt;"])("between angle brackets, before %s", async (end) => {
    expect(await readAgain(`<p>&lt;http://a.test/x${end} c</p>`)).toBe(`<p>&lt;${address}${end} c</p>`);
  });

  it.each(["。谢谢", "，见", "、あ", "！", "）", "”", "»"])("before %s", async (rest) => {
    expect(await readAgain(`<p>（“见http://a.test/x${rest}</p>`)).toBe(`<p>（“见${address}${rest}</p>`);
  });

  it.each([
    ["「", "」を開く"],
    ["《", "》、あ"],
    ["【", "】后。"],
    ["(", ")查询。"],
    ["", "「b」"],
  ])("between %s and %s", async (before, after) => {
    expect(await readAgain(`<p>${before}http://a.test/x${after}</p>`)).toBe(`<p>${before}${address}${after}</p>`);
  });

  it("behind the wide bracket that closes one within it", async () => {
    expect(await markdownOf("<p>（见http://a.test/（b）x）</p>")).toBe("（见<http://a.test/（b）x>）");
    expect(await markdownOf("<p>http://a.test/（b） and “http://a.test/”</p>")).toBe(
      "http://a.test/（b） and “<http://a.test/>”",
    );
  });

  it("behind the bracket that closes one within it", async () => {
    expect(await markdownOf("<p>_a, http://a.test/_(b).</p>")).toBe("\\_a, <http://a.test/_(b)>.");
  });

  it.each([
    ["with a scheme that not all readers know", "ftp://a.test/<b>", "<ftp://a.test/>\\<b>"],
    ["within a word", "xhttp://a.test/<b>", "xhttp\\://a.test/\\<b>"],
  ])("%s, before a tag that is none", async (_, text, markdown) => {
    expect(await markdownOf(`<p>${text.replace("<", "&lt;")}</p>`)).toBe(markdown);
  });

  it.each([
    ["begins", "a<b>ftp://a.test/*b*</b> c"],
    ["ends", "a <b>b ftp://a.test/*b*/d</b>c"],
  ])("and %s emphasis within a word, which stays", async (_, html) => {
    expect(await readAgain(`<p>${html}</p>`)).toMatch(/<strong>.*\*b\*.*<\/strong>/);
  });

  it("in emphasis, before a tag that is none", async () => {
    const html = `<p><em>${address}</em>&lt;b&gt;</p>`;
    expect(await readAgain("<p><em>http://a.test/x</em>&lt;b&gt;</p>")).toBe(html);
  });

  it("in emphasis, before a sign with more behind it", async () => {
    const html = `<p><strong>${address}</strong>,<img src="https://b.test/b.png" alt="b" /></p>`;
    expect(await readAgain(html.replace(address, "http://a.test/x"))).toBe(html);
  });

  it("and is written as it was where what follows ends it", async () => {
    const html = "<p>http://a.test/x, <b>http://a.test/x</b>. http://a.test/x<sup>2</sup></p>";
    expect(await markdownOf(html)).toBe("http://a.test/x, **http://a.test/x**. http://a.test/x<sup>2</sup>");
  });
});

it("emphasis before a mail address is not its first sign", async () => {
  const link = '<a href="mailto:a@b.test">a@b.test</a>';
  for (const around of ["em", "strong", "del"]) {
    const html = `<p><${around}>${link} or c</${around}></p>`;
    expect(await readAgain(html.replace(link, "a@b.test"))).toBe(html);
  }
  expect(await readAgain("<p><b><i>a@b.test</i></b></p>")).toBe(`<p><strong><em>${link}</em></strong></p>`);
});

describe("a formula holds no markup for readers that know no formulas", () => {
  it.each([
    ["a tag", "\\(x_1 &lt;img src=x onerror=run()&gt;\\)"],
    ["the end of one that begins in another", '\\(&lt;i title="\\) and \\(" onclick="run()"&gt;\\)'],
    ["a comment", "\\[&lt;!-- x_1\\]"],
    ["a link", "\\([x](javascript:run())\\)"],
    ["a definition", '<span class="math-display">x_1\n# a\n[b]: javascript:run()</span><p>[b]</p>'],
    ["a back-tick, which takes the sign from the code behind it", "\\(`x\\) and <code>&lt;i onclick=run()&gt;</code>"],
    [
      "a fence, which takes the one from the code behind it",
      '<span class="math-display">x_1\n~~~</span><pre>~~~\n&lt;i onclick=run()&gt;</pre>',
    ],
  ])("%s", async (_, html) => {
    expect(await readAgain(`<p>${html}</p>`)).not.toMatch(/<(?:i|img|a|!--)/);
  });

  it("and is otherwise as it was", async () => {
    const tex = "0<x<1, \\text{`a' or \\`e}, f[x] (y), a~b<c";
    expect(await markdownOf(`<p>\\(${tex.replaceAll("<", "&lt;")}\\)</p>`)).toBe(`$${tex.replace("`a", "\\lq a")}$`);
  });
});

describe("addresses and titles are read as they were", () => {
  it.each([
    ["https://a.test/?b=&amp;copy;", ""],
    ["https://a.test/b)c(d", ""],
    ["https://a.test/?b=%5C)", ""],
    ["https://a.test/", "ends in \\"],
    ["https://a.test/", "&amp;copy; of a &quot;title&quot;"],
  ])("%s %s", async (address, title) => {
    const html = `<p><a href="${address}"${title && ` title="${title}"`}>a</a></p>`;
    expect(await readAgain(html)).toBe(html);
  });

  it("and alternative texts", async () => {
    const html = '<p><img src="https://a.test/b.jpg" alt="[a] \\" /></p>';
    expect(await readAgain(html)).toBe(html);
  });

  it("with a back-slash in a query, which would escape what follows", async () => {
    const read = await readAgain('<p><a href="https://a.test/?b=\\(c">a</a></p>');
    expect(read).toBe('<p><a href="https://a.test/?b=%5C(c">a</a></p>');
  });

  it("with brackets in more brackets than every reader counts", async () => {
    expect(await markdownOf('<a href="https://a.test/((((b))))">a</a>')).toBe("[a](<https://a.test/((((b))))>)");
  });
});

describe("a bar behind a back-slash in a table does not end its cell", () => {
  const readCell = async (content: string): Promise<string | undefined> => {
    const read = await readAgain(`<table><tr><th>a</th><th>b</th></tr><tr><td>${content}</td><td>c</td></tr></table>`);
    return /<td>(.*)<\/td>\n<td>c<\/td>/.exec(read)?.[1];
  };

  it.each([
    ["in code", "<code>grep 'a\\|b' *.c | wc &lt;c&gt;</code>"],
    ["in code in a link", '<a href="https://a.test/"><code>\\|</code></a>'],
    ["in a text", "a\\|b"],
  ])("%s", async (_, content) => {
    expect(await readCell(content)).toBe(content);
  });

  it("in a formula, which has a command for it", async () => {
    expect(await readCell("\\(\\|x\\|=1\\)")).toBe("$\\Vert x\\Vert =1$");
  });
});

describe("emphasis and links", () => {
  it("that begin where a block does", async () => {
    expect(await markdownOf("<div>one<b><p>two</p></b></div>")).toBe("one\n\n**two**");
  });

  it.each([
    ["a<strong><code>b</code></strong>c"],
    ["a<strong>b</strong><em>c</em>d"],
    ["<em>a</em>\u{1d4b3} b"],
    ["a<strong><code>b</code> c</strong> d"],
    ["a<em>b<strong>c</strong></em>d"],
    ["a <strong>b <em>c</em></strong> d"],
    ["🎉<em>a</em>🎉 b"],
    ["🎉<strong>a</strong>🎉 <em>b</em>❤️<em>c</em>d"],
  ])("%s is read as it is", async (text) => {
    expect(await readAgain(`<p>${text}</p>`)).toBe(`<p>${text}</p>`);
  });

  it("leaves signs beside an emoji outside, as beside a word", async () => {
    expect(await markdownOf("<p><b>Wow!</b>🎉 and 🎉<b>“Wow”</b></p>")).toBe("**Wow**!🎉 and 🎉“**Wow”**");
    expect(await readAgain("<p><b>(a)</b>🎉<b><code>b</code></b></p>")).toBe(
      "<p><strong>(a</strong>)🎉<strong><code>b</code></strong></p>",
    );
  });

  it("of a sign within a word are no tags in the text", async () => {
    expect(await markdownOf("<p>Rule<b>:</b>one, 5<em>%</em>of <b>(</b>all</p>")).toBe("Rule:one, 5%of (all");
    expect(await markdownOf("<p>a <b>!</b> b</p>")).toBe("a **!** b");
  });

  it("keep spaces at both ends of code", async () => {
    expect(await markdownOf("<p>run<code> npm </code>now</p>")).toBe("run `npm` now");
  });

  it("a link in what another link holds is no link in a link", async () => {
    const html = '<p><a href="https://a.test/">one <object><a href="https://b.test/">two</a></object></a></p>';
    expect(await markdownOf(html)).toBe("[one](https://a.test/)\n\n[two](https://a.test/)");
  });

  it("a link in a cell of a table in a link is no link in a link", async () => {
    const html =
      '<a href="https://a.test/"><table><tr><td><a href="https://b.test/"><p>two</p></a></td></tr></table></a>';
    expect(await markdownOf(html)).toBe("[two](https://b.test/)");
  });

  it.each([
    ["in an address", '`<a href="https://a.test/?q=`">b</a>'],
    ["in a title", '`<a href="https://a.test/" title="`c">b</a>'],
  ])("end no code that a back-tick before them would begin: %s", async (_, content) => {
    expect(await readAgain(`<p>${content}</p>`)).toBe(`<p>${content}</p>`.replace("?q=`", "?q=%60"));
  });

  it("links to one address are one only where a word was cut", async () => {
    const link = (text: string, path: string) => `<a href="https://a.test/${path}">${text}</a>`;
    expect(await markdownOf(`<p>${link("tea", "t")}${link("(more)", "t")}</p>`)).toBe(
      "[tea](https://a.test/t) [(more)](https://a.test/t)",
    );
    expect(await markdownOf(`<p>${link("tea", "t")}${link("", "p")}${link("pot", "p")}</p>`)).toBe(
      "[tea](https://a.test/t) [pot](https://a.test/p)",
    );
  });

  it("a link around a long text is that of its first block, and one around a short text that of all of it", async () => {
    const card = (text: string) => `<a href="https://a.test/"><div><p>${text}</p><p>End</p></div></a>`;
    expect(await markdownOf(card("Short"))).toBe("[Short\\\nEnd](https://a.test/)");
    const long = "It goes on. ".repeat(30).trim();
    expect(await markdownOf(card(long))).toBe(`[${long}](https://a.test/)\n\nEnd`);
  });

  it("a link to the next item of a list is a link, not a label of it", async () => {
    expect(await markdownOf('<ul><li><a href="#b">to b</a></li><li id="b">b</li></ul>')).toBe(
      "- [to b](https://example.test/section/page#b)\n- b",
    );
  });
});
