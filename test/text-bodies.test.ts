import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { linksOfMarkdown } from "../src/transform/markdown-links.ts";
import { readText } from "../src/transform/read-text.ts";
import { transform } from "../src/transform/transform.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor, site } from "./start-engine.ts";
import { htmlInput } from "./transform-input.ts";

it.each([
  ["text/plain", "Ordered by size."],
  ["application/json", '{"a":1}'],
  ["application/pdf", "%PDF-1.4 damaged"],
])("what is no HTML has no tags to choose from, and says so: %s", async (type, body) => {
  const { url } = await site({ "/": { headers: { "content-type": type }, body } });
  const engine = engineFor();
  const warning = async (options: object) => (await engine.scrape({ url, parsePDF: false, ...options })).warning;
  expect(await warning({ includeTags: ["main"] })).toContain("includeTags and excludeTags had no effect");
  expect(await warning({ excludeTags: ["nav"] })).toContain("includeTags and excludeTags had no effect");
  expect(await warning({ includeTags: [" "] })).toBeUndefined();
});

describe("JSON and XML", () => {
  it("stand in a fenced block as they came", async () => {
    const json = '{\r\n  "a": "*x*"\r\n}';
    expect(await readText(json, "json")).toEqual({ markdown: `\`\`\`json\n${json}\n\`\`\``, links: [] });
    expect((await readText("<a>1</a>\n", "xml")).markdown).toBe("```xml\n<a>1</a>\n```");
  });

  it("have a fence longer than any inside", async () => {
    const json = JSON.stringify({ readme: "````js\n```" });
    expect(micromark((await readText(json, "json")).markdown)).toContain("````js");
    expect((await readText(json, "json")).markdown).toMatch(/^`{5}json\n/);
  });

  it("XML gives its links, but not its namespaces", async () => {
    const xml = '<a xmlns="http://ns.test/" xmlns:x="http://x.test/"><loc>https://site.test/1?b=2&amp;c</loc></a>';
    expect((await readText(xml, "xml")).links).toEqual(["https://site.test/1?b=2&c"]);
  });
});

describe("plain text", () => {
  it.each(["a \\<b>", "a \\\\<b>", "见https://a.test/<b>", "ftp://a.test/<b>"])("%s has no tag", async (text) => {
    const { markdown } = await readText(text, "text");
    const read = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    expect(read).toBe(`<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`);
  });

  it("keeps its lines and paragraphs", async () => {
    const text = "First line\nsecond line\n\nNext paragraph, see https://site.test/a.";
    expect(await readText(text, "text")).toEqual({ markdown: text, links: ["https://site.test/a"] });
  });

  it("gives its links without the brackets that they stand in, but with their own", async () => {
    const text =
      "(Kelp (https://site.test/a) and https://site.test/b_(c).) [https://site.test/d[0]], https://site.test/e)*";
    expect((await readText(text, "text")).links).toEqual(
      ["a", "b_(c)", "d[0]", "e"].map((path) => `https://site.test/${path}`),
    );
  });

  it("has line ends of one kind, whatever system wrote it", async () => {
    expect((await readText("# a\r\n\r\nb\rc", "markdown")).markdown).toBe("# a\n\nb\nc");
    expect((await readText("a\rb\r\n", "text")).markdown).toBe("a\nb");
  });

  it("stands in a fence when indentation or columns matter", async () => {
    expect((await readText("def f():\n    return 1\n", "text")).markdown).toBe("```\ndef f():\n    return 1\n```");
    expect((await readText("name    size\nfile    12", "text")).markdown).toContain("```\nname    size");
    expect((await readText("if (a) {\nb();\n}", "text")).markdown).toBe("```\nif (a) {\nb();\n}\n```");
  });

  it("stands in a fence when its type says that it is code or data", async () => {
    const markdownOf = async (text: string, contentType: string) =>
      (await transform(htmlInput(text, {}, { contentType }))).markdown;
    expect(await markdownOf("name,age\nAnn,4\n", "text/csv; charset=utf-8")).toBe("```csv\nname,age\nAnn,4\n```");
    expect(await markdownOf("# a comment\necho $1", "application/x-sh")).toBe("```sh\n# a comment\necho $1\n```");
    expect(await markdownOf("a: 1\n", "text/yaml")).toBe("```yaml\na: 1\n```");
    expect(await markdownOf("a: 1\nb: 2", "text/plain")).toBe("a: 1\nb: 2");
  });

  it("does not lose what looks like a tag or an entity", async () => {
    const { markdown } = await readText("if a <b then &amp; stays", "text");
    expect(micromark(markdown)).toBe("<p>if a &lt;b then &amp;amp; stays</p>");
    expect((await readText("see <https://site.test/>", "text")).markdown).toBe("see <https://site.test/>");
  });

  it("has no tags behind its addresses", async () => {
    for (const address of ["https://site.test/", "www.site.test/"]) {
      const { markdown } = await readText(`see (${address}<script>x</script> and https://b.test/a_b`, "text");
      const html = micromark(markdown, {
        allowDangerousHtml: true,
        extensions: [gfm()],
        htmlExtensions: [gfmHtml()],
      });
      expect(html).toContain(`see (${address}&lt;script&gt;x&lt;/script&gt; and <a href="https://b.test/a_b">`);
    }
  });
});

describe("markdown", () => {
  it("passes through, with its title and links", async () => {
    const markdown = [
      "# The *title*",
      "[a](/one) and ![i](two.png) and [b](https://other.test/x_(y) 'title')",
      "[ref]: https://ref.test/",
      "bare https://bare.test/p, end",
      "[top](#top)",
    ].join("\n\n");
    expect(await readText(markdown, "markdown", { baseUrl: "https://site.test/docs/" })).toEqual({
      markdown,
      title: "The *title*",
      links: ["https://site.test/one", "https://other.test/x_(y)", "https://ref.test/", "https://bare.test/p"],
    });
  });

  it("has a placeholder for pictures that are in it as data, unless they are wanted", async () => {
    const data = `data:image/png;base64,${"iVBORw0KGgo".repeat(50)}=`;
    const written = [
      `![a [small] dot](${data}) ![b](<${data}> "Title") ![](/kept.png) [a link](${data})`,
      `![c][dot]\n\n[dot]: ${data}`,
      `<img alt="d" src="${data}" width="9">`,
    ].join("\n\n");
    const replaced = [
      `![a [small] dot](<Base64-Image-Removed>) ![b](<Base64-Image-Removed> "Title") ![](/kept.png) [a link](${data})`,
      "![c][dot]\n\n[dot]: <Base64-Image-Removed>",
      '<img alt="d" src="Base64-Image-Removed" width="9">',
    ].join("\n\n");
    const { url } = await site({ "/": { headers: { "content-type": "text/markdown" }, body: written } });
    const engine = engineFor({ browser: false });
    const scrape = async (options: object) => (await engine.scrape({ url, ...options })).data;
    expect((await scrape({})).markdown).toBe(replaced);
    expect((await scrape({ removeBase64Images: false })).markdown).toBe(written);
    expect((await scrape({ formats: ["rawHtml"] })).rawHtml).toBe(written);
    expect((await readText(`see ![dot](${data})`, "text")).markdown).toBe("see ![dot](<Base64-Image-Removed>)");
  });

  it("gives its links in order, once, by definition as well as by name", async () => {
    const markdown = "https://b.test/ [a](https://a.test/x.) [c][c] https://d.test/wiki/D_(letter)\n\n[c]: /c";
    expect((await readText(markdown, "markdown", { baseUrl: "https://site.test/" })).links).toEqual([
      "https://b.test/",
      "https://a.test/x.",
      "https://d.test/wiki/D_(letter)",
      "https://site.test/c",
    ]);
  });

  it("gives links as they are meant: with spaces in angle brackets, and with escaped signs", async () => {
    const markdown = "[a](<my file.pdf> 'A') [b](b\\_\\(c\\)) [d](<https://site.test/d e>)\n\n[f]: <g h>\n";
    const paths = ["my%20file.pdf", "b_(c)", "d%20e", "g%20h"];
    expect((await readText(markdown, "markdown", { baseUrl: "https://site.test/" })).links).toEqual(
      paths.map((path) => `https://site.test/${path}`),
    );
  });

  it("gives the links of HTML in it, and what its entities mean", async () => {
    const markdown = [
      `<a href="/a?b=1&amp;c=2">a</a> <A class=x HREF='/d'>d</A> <a name="e">e</a> <a\nhref=/f>f</a> <br/>`,
      "[g](/g?h&amp;i&copy=1) https://j.test/?k&amp;l and <https://m.test/>",
    ].join("\n\n");
    expect((await readText(markdown, "markdown", { baseUrl: "https://site.test/" })).links).toEqual([
      "https://site.test/a?b=1&c=2",
      "https://site.test/d",
      "https://site.test/f",
      "https://site.test/g?h&i&copy=1",
      "https://j.test/?k&l",
      "https://m.test/",
    ]);
  });

  it("gives no links of code, pictures and footnotes, but those around pictures", async () => {
    const markdown = [
      "```sh\ncurl https://code.test/ [a](/a)\n```",
      "~~~~\n[b](/b)\n~~~\n[c](/c)\n~~~~",
      "`[d](/d)` ``https://e.test/ ` `` a ` alone [f](/f)",
      "![g](/g.png) [![h \\] [i]](https://site.test/h.png)](/h) <img src='https://pic.test/'> Wow![j](/j.png)",
      "[^1]: See the text",
    ].join("\n\n");
    expect((await readText(markdown, "markdown", { baseUrl: "https://site.test/" })).links).toEqual([
      "https://site.test/f",
      "https://site.test/h",
    ]);
  });

  it("gives no links to scripts", async () => {
    const { links } = await readText(
      "[a](javascript:alert\\(1)) [b](/b) [c](data:text/html,c) [d](vbscript:d) [e](blob:e)",
      "markdown",
      {
        baseUrl: "https://a.test/",
      },
    );
    expect(links).toEqual(["https://a.test/b"]);
  });

  it("finds the title in front matter, under a line, and not in code", async () => {
    expect((await readText('---\ntitle: "Front"\n---\n# Other', "markdown")).title).toBe("Front");
    expect((await readText("Under\n=====\n", "markdown")).title).toBe("Under");
    expect((await readText("```\n# comment\n```\n\n# Real #\n", "markdown")).title).toBe("Real");
    expect((await readText("text only", "markdown")).title).toBeUndefined();
    expect((await readText("````\n```\n# comment\n````\n# Real", "markdown")).title).toBe("Real");
    expect((await readText("---\n# comment\nlayout: page\n---\n# Real", "markdown")).title).toBe("Real");
    expect((await readText("\n====\n\n# Real", "markdown")).title).toBe("Real");
    expect((await readText("# C#, or F#\n", "markdown")).title).toBe("C#, or F#");
    expect((await readText("# Of C# ##\n", "markdown")).title).toBe("Of C#");
    expect((await readText('---\ntitle: The "Bell"\n---\n', "markdown")).title).toBe('The "Bell"');
  });
});

describe("feeds", () => {
  const rss = `<?xml version="1.0"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
    <title>News &amp; more</title><link>https://site.test/</link><description>What *happens*</description>
    <image><title>Logo</title><link>https://site.test/logo</link></image>
    <item><title>First [draft]</title><link>https://site.test/1</link><pubDate>Mon, 01 Jan 2024</pubDate>
      <dc:creator>Ann</dc:creator><description><![CDATA[<p>Hello <b>you</b></p><script>x()</script><p>Bye</p>]]></description></item>
    <item><title>Second</title><link>/2</link></item></channel></rss>`;

  it("RSS becomes a list of entries", async () => {
    const { markdown, title, links } = await readText(rss, "xml", { baseUrl: "https://site.test/feed.xml" });
    expect(title).toBe("News & more");
    expect(links).toEqual(["https://site.test/", "https://site.test/1", "https://site.test/2"]);
    expect(markdown).toBe(
      [
        "# News & more",
        "What \\*happens\\*",
        "## [First [draft]](https://site.test/1)",
        "Mon, 01 Jan 2024 · Ann",
        "Hello **you**",
        "Bye",
        "## [Second](https://site.test/2)",
      ].join("\n\n"),
    );
  });

  it("titles keep their number signs and tildes", async () => {
    const title = (text: string) => `<title>${text}</title>`;
    const item = (text: string) => `<item>${title(text)}</item>`;
    const items = `${item("10~20, 30~40")}${item("~5 and ~6")}${item("~~a~~")}${item("Issue #")}`;
    const { markdown } = await readText(`<rss><channel>${title("News #")}${items}</channel></rss>`, "xml");
    expect(markdown.split("\n\n")).toEqual([
      "# News \\#",
      "## 10\\~20, 30\\~40",
      "## ~5 and ~6",
      "## ~\\~a\\~\\~",
      "## Issue \\#",
    ]);
  });

  it("Atom too, with the link to the page and not that to itself", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><link rel="self" href="/feed"/>
      <entry><title type="html">One &amp;amp; only</title><link rel="edit" href="/edit"/><link href="/one"/>
      <author><name>Bo</name><email>bo@site.test</email></author><updated>2024-02-03</updated>
      <content type="html">&lt;p&gt;Text&lt;/p&gt;</content></entry></feed>`;
    const { markdown, links } = await readText(atom, "xml", { baseUrl: "https://site.test/" });
    expect(links).toEqual(["https://site.test/one"]);
    expect(markdown).toBe("# Log\n\n## [One & only](https://site.test/one)\n\n2024-02-03 · Bo\n\nText");
  });

  it("films and recordings say what they are about in words of their own; what is written says it itself", async () => {
    const films = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Films</title>
      <entry><title>Boats</title><link href="/boats"/><media:group><media:title>Boats</media:title>
      <media:content url="/boats.mp4"><media:description>a still</media:description></media:content>
      <media:description>How a &lt;hull&gt; is built.\n0:00 Wood</media:description></media:group></entry></feed>`;
    const { markdown } = await readText(films, "xml", { baseUrl: "https://site.test/" });
    expect(markdown).toMatch(
      /^# Films\n\n## \[Boats\]\(https:\/\/site\.test\/boats\)\n\nHow a \\<hull> is built\. {2}\n0:00 Wood$/,
    );

    const talks = `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Talks</title>
      <itunes:summary>All about tea.</itunes:summary>
      <item><title>One</title><itunes:summary>On leaves.</itunes:summary></item>
      <item><title>Two</title><itunes:summary>On pots.</itunes:summary><description>On old pots.</description></item></channel></rss>`;
    const read = await readText(talks, "xml", { baseUrl: "https://site.test/" });
    expect(read.markdown).toBe("# Talks\n\nAll about tea.\n\n## One\n\nOn leaves.\n\n## Two\n\nOn old pots.");
  });

  it("Atom before its first version has its line and its dates under other names", async () => {
    const atom = `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><tagline>Since 2003</tagline>
      <entry><title>First</title><link rel="alternate" href="/1"/><issued>2004-05-06</issued></entry></feed>`;
    const { markdown } = await readText(atom, "xml", { baseUrl: "https://site.test/" });
    expect(markdown).toBe("# Old\n\nSince 2003\n\n## [First](https://site.test/1)\n\n2004-05-06");
  });

  it("names the file that an entry is about, unless it is a picture", async () => {
    const talks = `<rss><channel><title>Talks</title>
      <item><title>One</title><description>On tea.</description><enclosure url="/1_a.mp3?x=1" type="audio/mpeg" length="9"/></item>
      <item><title>Two</title><link>/two</link><enclosure url="/2.jpg" type="image/jpeg"/></item></channel></rss>`;
    const { markdown, links } = await readText(talks, "xml", { baseUrl: "https://site.test/feed" });
    expect(markdown).toBe(
      [
        "# Talks",
        "## One",
        "On tea.",
        "[site.test/1_a.mp3](https://site.test/1_a.mp3?x=1)",
        "## [Two](https://site.test/two)",
      ].join("\n\n"),
    );
    expect(links).toEqual(["https://site.test/1_a.mp3?x=1", "https://site.test/two"]);
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Talks</title>
      <entry><title>One</title><link rel="enclosure" href="https://files.test/1.mp3"/><link href="/one"/></entry></feed>`;
    expect((await readText(atom, "xml", { baseUrl: "https://site.test/feed" })).links).toEqual([
      "https://site.test/one",
      "https://files.test/1.mp3",
    ]);
  });

  it("a file that is on no host has its address for a name", async () => {
    const feed = `<rss><channel><item><title>One</title><enclosure url="magnet:?xt=urn:btih:abc"/></item></channel></rss>`;
    const { markdown } = await readText(feed, "xml", { baseUrl: "https://site.test/feed" });
    expect(markdown).toBe("# Feed\n\n## One\n\n[magnet:?xt=urn:btih:abc](magnet:?xt=urn:btih:abc)");
  });

  it("addresses in Atom are relative to the base that is declared around them", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://log.test/2024/"><title>Log</title>
      <link href="./"/>
      <entry><title>One</title><link href="one"/><summary>&lt;a href="s">s&lt;/a></summary></entry>
      <entry xml:base="two/"><title>Two</title><link href="./"/>
        <content type="html" xml:base="texts/">&lt;a href="b">b&lt;/a> &lt;img src="/i.png"></content></entry></feed>`;
    const { markdown, links } = await readText(atom, "xml", { baseUrl: "https://site.test/feed" });
    expect(links).toEqual(["https://log.test/2024/", "https://log.test/2024/one", "https://log.test/2024/two/"]);
    expect(markdown).toBe(
      [
        "# Log",
        "## [One](https://log.test/2024/one)",
        "[s](https://log.test/2024/s)",
        "## [Two](https://log.test/2024/two/)",
        "[b](https://log.test/2024/two/texts/b) ![](https://log.test/i.png)",
      ].join("\n\n"),
    );
  });

  it("a declared base is that of the text around which it is declared", async () => {
    const link = "&lt;a href='a'>a&lt;/a>";
    const [own, other] = [
      `<content type="html">${link}</content>`,
      (name: string) => `<${name} type="html" xml:base="https://other.test/">${link}</${name}>`,
    ] as const;
    const baseOf = async (texts: string) => {
      const atom = `<feed><entry><title>One</title><link href="/1/"/>${texts}</entry></feed>`;
      const { markdown } = await readText(atom, "xml", { baseUrl: "https://site.test/feed" });
      return markdown.match(/\[a\]\((.*?)a\)/)?.[1];
    };
    expect(await baseOf(own + other("summary"))).toBe("https://site.test/1/");
    expect(await baseOf(other("summary") + own)).toBe("https://site.test/1/");
    expect(await baseOf(own + other("content"))).toBe("https://site.test/1/");
    expect(await baseOf(other("content") + own)).toBe("https://other.test/");
    expect(await baseOf(other("summary"))).toBe("https://other.test/");
  });

  it("a declared base that is no address of a page is ignored", async () => {
    for (const base of ["urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a", "mailto:a@site.test"]) {
      const atom = `<feed xml:base="/log/"><entry xml:base="${base}"><title>One</title><link href="1"/>
        <content type="html">&lt;a href="a">a&lt;/a></content></entry></feed>`;
      const { markdown } = await readText(atom, "xml", { baseUrl: "https://site.test/feed" });
      expect(markdown).toBe("# Feed\n\n## [One](https://site.test/log/1)\n\n[a](https://site.test/log/a)");
    }
  });

  it("a long base is not repeated in every address", async () => {
    const items = Array.from({ length: 2_000 }, (_, at) => `<item><link>${at}</link><enclosure url="${at}"/></item>`);
    const feed = `<rss xml:base="https://site.test/${"long/".repeat(350)}"><channel>${items.join("")}</channel></rss>`;
    const { markdown } = await readText(feed, "xml", { baseUrl: "https://site.test/feed" });
    expect(markdown.length).toBeLessThan(8 * feed.length);
  });

  it("Atom's texts are what their types say, and keep their paragraphs", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">1 &lt;b> 2</title>
      <entry><title type="html">x &lt;b>y&lt;/b></title><link href="/one"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Write <code>&lt;br></code> &amp; go.</p><p>Then rest.</p></div></content></entry>
      <entry><title type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml">R&amp;amp;D</x:div></title><link href="/two"/>
        <summary>&lt;p>As ever.&lt;/p></summary></entry></feed>`;
    const { markdown, title } = await readText(atom, "xml", { baseUrl: "https://site.test/" });
    expect(title).toBe("1 <b> 2");
    expect(markdown).toBe(
      [
        "# 1 \\<b> 2",
        "## [x y](https://site.test/one)",
        "Write `<br>` & go.",
        "Then rest.",
        "## [R\\&amp;D](https://site.test/two)",
        "As ever.",
      ].join("\n\n"),
    );
  });

  it("elements in a feed's XML are those of its texts: links, pictures, lines, lists", async () => {
    const inner = `<x:p>See <x:a href="/two?a=1&amp;b=&quot;2&quot;">two</x:a>,<x:br/>and <x:img src="pot.png" alt="a &lt;pot>"/></x:p>`;
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://www.w3.org/1999/xhtml"><title>Log</title>
      <entry><title>One</title><link href="/one"/><content type="xhtml"><x:div>${inner}</x:div></content></entry></feed>`;
    const rss = `<rss><channel><title>Log</title><item><title>One</title><link>/one</link>
      <description><ol start="3"><li><a href="/two">two</a></li></ol></description></item></channel></rss>`;
    const markdownOf = async (xml: string) => (await readText(xml, "xml", { baseUrl: "https://site.test/" })).markdown;
    const head = "# Log\n\n## [One](https://site.test/one)\n\n";
    const links = "See [two](https://site.test/two?a=1&b=%222%22),  \nand ![a \\<pot>](https://site.test/pot.png)";
    expect(await markdownOf(atom)).toBe(head + links);
    expect(await markdownOf(rss)).toBe(`${head}3. [two](https://site.test/two)`);
  });

  it("shows of what entries say what a reader sees, and no heading that is none", async () => {
    const text =
      '<p style="display:none">In short: oak.</p><h5>Wood</h5><p>Oak.</p><img src="/seen.gif" width="1" height="1">';
    const feed = `<rss><channel><title>Log</title><item>
      <title><![CDATA[Oak <style>b{}</style><b>and</b> elm]]></title>
      <description><![CDATA[${text}]]></description><description>Another.</description></item></channel></rss>`;
    const { markdown } = await readText(feed, "xml");
    expect(markdown).toBe("# Log\n\n## Oak and elm\n\n###### Wood\n\nOak.");
  });

  it("an author is a name, the first, and an RSS text is HTML, whatever its type", async () => {
    const authors = "<author><email>bo@site.test</email><name>Bo</name><name>B.</name></author><author>Al</author>";
    const atom = `<feed><title>Log</title><entry><title>One</title>${authors}</entry></feed>`;
    expect((await readText(atom, "xml")).markdown).toBe("# Log\n\n## One\n\nBo");
    const rss = '<rss><channel><title type="text">R&amp;amp;D</title></channel></rss>';
    expect((await readText(rss, "xml")).title).toBe("R&D");
  });

  it("keeps the structure of what entries say, below their headings", async () => {
    const text = `<h2>How</h2><p>See <a href="more">more</a>.</p><pre><code class="language-js">if (a) {
  b();
}</code></pre><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><ul><li>one</li><li>two</li></ul>
<p><img src="/p.png" alt="pot"> <img src="data:image/png;base64,iVBORw0KGgo=" alt="dot"></p><script>no()</script>`;
    const feed = `<rss><channel><title>Log</title><item><title>One</title><link>/log/one</link>
      <content:encoded><![CDATA[${text}]]></content:encoded><description>Short.</description></item></channel></rss>`;
    const { markdown } = await readText(feed, "xml", { baseUrl: "https://site.test/feed.xml" });
    expect(markdown).toBe(
      [
        "# Log",
        "## [One](https://site.test/log/one)",
        "#### How",
        "See [more](https://site.test/log/more).",
        "```js\nif (a) {\n  b();\n}\n```",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
        "- one\n- two",
        "![pot](https://site.test/p.png) ![dot](<Base64-Image-Removed>)",
      ].join("\n\n"),
    );
    expect(
      (await readText(feed, "xml", { baseUrl: "https://site.test/", removeBase64Images: false })).markdown,
    ).toContain("![dot](data:image/png;base64,");
  });

  it("has no links to scripts, and takes an entry's address from its name where it has no other", async () => {
    const odd = `<rss><channel><title>Odd</title>
      <item><title>Script</title><link>javascript:alert(1)</link><guid>https://site.test/0</guid></item>
      <item><title>Named</title><guid>https://site.test/1</guid></item>
      <item><title>Only a name</title><guid isPermaLink="false">https://site.test/2</guid></item>
      <item><title>A number</title><guid>3</guid></item></channel></rss>`;
    const { markdown, links } = await readText(odd, "xml", { baseUrl: "https://site.test/feed.xml" });
    expect(links).toEqual(["https://site.test/1"]);
    expect(markdown).toBe(
      ["# Odd", "## Script", "## [Named](https://site.test/1)", "## Only a name", "## A number"].join("\n\n"),
    );
  });

  it("survives feeds that nest without end", async () => {
    const started = cpuTime();
    await readText(`<rss><channel>${"<item>".repeat(300_000)}`, "xml");
    await readText(`<rss><channel><item><description>${"&lt;b>".repeat(300_000)}`, "xml");
    await readText(`<rss><channel><title>${"www.ab * ".repeat(40_000)}</title></channel></rss>`, "xml");
    expect(cpuTime() - started).toBeLessThan(3_000);
  });
});

it("takes linear time on texts made to be slow", async () => {
  const started = cpuTime();
  const pieces = ["[", "](", "[a]: ", "`", "# ", " ", "http://", "<", "&a", "---\n", "\n[a", "![](data:image/"];
  const ofLinks = ["<a ", "<a\thref=", "<a href='x", "![", "`a", "` `` ", "[a](b(", "\n\n`", "\n```"];
  for (const piece of [...pieces, ...ofLinks]) {
    const text = piece.repeat(200_000);
    for (const kind of ["text", "markdown", "json", "xml"] as const)
      await readText(text, kind, { baseUrl: "https://site.test/" });
  }
  expect(cpuTime() - started).toBeLessThan(16_000);
});

it("a long feed is read in steps, between which others have their turn, and may be ended", async () => {
  const text = "<p>It says <b>much</b> of one thing.</p>".repeat(20);
  const item = (index: number) =>
    `<item><title>T${index}</title><link>https://site.test/${index}</link><description><![CDATA[${text}]]></description></item>`;
  const feed = (items: number) =>
    `<rss><channel><title>Feed</title>${Array.from({ length: items }, (_, index) => item(index)).join("")}</channel></rss>`;
  // The parser is loaded by the first feed.
  await readText(feed(1), "xml");
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { markdown } = await readText(feed(300), "xml");
  clearImmediate(next);
  expect(turns).toBeGreaterThan(3);
  expect(markdown.match(/^## /gm)).toHaveLength(300);
  const reading = readText(feed(300), "xml", { signal: AbortSignal.abort(new Error("enough")) });
  await expect(reading).rejects.toThrow("enough");
});

describe("a markdown file made of nothing but links, or of what looks like them", () => {
  it.each(["](", "[a](b)", "![", "[a]: b\n", "<a href=b>", "`a`", "x\n\n", "https://a.test/ "])(
    "is read in as many steps, so that others are let in between: %j",
    (part) => {
      const steps = linksOfMarkdown(part.repeat(1000), "https://a.test/");
      let count = 0;
      while (!steps.next().done) count++;
      expect(count).toBeGreaterThanOrEqual(1000);
    },
  );
});
