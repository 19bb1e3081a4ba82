import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { readHtml } from "../src/transform/html/read-html.ts";
import { writeHtml } from "../src/transform/html/write-html.ts";
import { TakesLong } from "../src/transform/takes-long.ts";

/** The body of a page after reading and writing it. */
function bodyOf(html: string, xhtml = false): string {
  const written = writeHtml(readHtml(html, { xhtml }).document);
  return /<body>([\s\S]*)<\/body>/.exec(written)?.[1] ?? "";
}

describe("reading HTML", () => {
  it.each([
    [
      "items, cells and paragraphs end where the next begins",
      "<ul><li>a<li>b</ul><p>c<p>d",
      "<ul><li>a</li><li>b</li></ul><p>c</p><p>d</p>",
    ],
    ["also with inline elements left open", "<ul><li><b>a<li>b</ul>", "<ul><li><b>a</b></li><li>b</li></ul>"],
    [
      "a choice where the next control begins",
      "<p><select><option>a<input>b</p>",
      "<p><select><option>a</option></select><input>b</p>",
    ],
    ["a heading where the next begins", "<h1>a<h2>b</h2>", "<h1>a</h1><h2>b</h2>"],
    ["no paragraph around a button", "<p><button><div>a</div></button>b</p>", "<p><button><div>a</div></button>b</p>"],
    ["what comes after the body is in it", "<body><p>a</p></body><p>b</p>", "<p>a</p><p>b</p>"],
    [
      "a picture in a drawing by the name that it has there",
      '<svg><image href="a"/><path d="b"/></svg>',
      '<svg><image href="a"></image><path d="b"></path></svg>',
    ],
    ["a picture by its old name", '<image src="a">', '<img src="a">'],
    ["the first of two attributes", '<p a b c d e f g h id="1" id="2" a="2">', '<p a b c d e f g h id="1"></p>'],
    ["the beginning of an end tag as text, at the end", "<p>a</", "<p>a&lt;/</p>"],
    ["no text of a script that is closed at once", '<script src="a"/><p>b</p>', "<p>b</p>"],
    [
      "rows of a table",
      "<table><tr><td>a<td>b<tr><th>c</table>",
      "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>",
    ],
    [
      "a table ends where the next begins, unless that is in a cell",
      "<table><tr><td>a<table><tr><td>b</table></td></tr><tr><table><tr><td>c</table></table>d",
      "<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr><tr></tr></table><table><tr><td>c</td></tr></table>d",
    ],
    [
      "the end of a form around rows does not end the row that it is in",
      "<table><form><tr><td>a</td></form><td>b</td></tr></table>",
      "<table><form><tr><td>a</td><td>b</td></tr></form></table>",
    ],
    [
      "cells outside any row make one",
      "<table><thead><th>a<th>b<tbody><td>c</td> <td>d</tr><td>e</table>",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td> <td>d</td></tr><tr><td>e</td></tr></tbody></table>",
    ],
    [
      "a list in an item stays in it",
      "<ul><li>a<ul><li>b</ul><li>c</ul>",
      "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    ],
    [
      "an item's end tag too many ends nothing outside of its list",
      "<ul><li>a<ul><li>b</li></li><li>c</li></ul></li><li>d</li></ul>",
      "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>",
    ],
    [
      "a link in a paragraph goes on around the block that ends it",
      '<p><a href="b"><div>a</div><div>b</div></a></p><p><a href="c">c<p>d',
      '<p><a href="b"></a></p><a href="b"><div>a</div><div>b</div></a><p></p><p><a href="c">c</a></p><p>d</p>',
    ],
    ["a block ends a paragraph", "<p>a<div>b</div>c</p>d", "<p>a</p><div>b</div>c<p></p>d"],
    [
      "an end tag in a cell does not reach out of the table",
      "<div><table><tr><td>a</div>b</table>c</div>",
      "<div><table><tr><td>ab</td></tr></table>c</div>",
    ],
    ["misnested formatting keeps its blocks apart", "<b>a<p>b</b>c</p>", "<b>a<p>b</p></b><p>c</p>"],
    [
      "a place that is a link to nowhere does not split the paragraph around it where a link begins",
      '<a name="b"/><p>a <a href="b">c</a> d</p>',
      '<a name="b"><p>a <a href="b">c</a> d</p></a>',
    ],
    ["a link ends where the next begins", "<a href=1>a<a href=2>b</a>", '<a href="1">a</a><a href="2">b</a>'],
    ["unknown end tags are nothing", "a</x></span>b", "ab"],
    ["comments end as in browsers", "a<!-- x --!>b<!-->c", "a<!-- x -->b<!---->c"],
    ["CDATA outside of drawings is a comment", "a<![CDATA[b]]>c", "a<!--[CDATA[b]]-->c"],
    ["entities, also without their semicolon", "&lt;&amp &eacute;&#x41;&notit;", "&lt;&amp; éA¬it;"],
    ["scripts are not markup", "a<script>if (b<c) '</p>'</script>d", "a<script>if (b<c) '</p>'</script>d"],
    ["text areas are text", "<textarea><b>x</b></textarea>", "<textarea>&lt;b&gt;x&lt;/b&gt;</textarea>"],
    ["plaintext is text to the end", "<plaintext><b>x</b>", "<plaintext>&lt;b&gt;x&lt;/b&gt;</plaintext>"],
    ["with those around it", "<svg><g><svg><g><h2>a", "<svg><g><svg><g></g></svg></g></svg><h2>a</h2>"],
    [
      "and at the next picture or emphasis",
      "<p><svg><g><b>a</b><span/>b</p><svg><foreignObject><b>c</b></foreignObject></svg>",
      "<p><svg><g></g></svg><b>a</b><span>b</span></p><svg><foreignobject><b>c</b></foreignobject></svg>",
    ],
    ["no text of a drawing that is closed at once", "<p><svg/>a <math/>b</p>", "<p><svg></svg>a <math></math>b</p>"],
    [
      "nor the end of the drawing around it",
      "<svg><svg/><g/><path/></svg><p>a",
      "<svg><svg></svg><g></g><path></path></svg><p>a</p>",
    ],
    ["a drawing that was never closed ends at the next block", "<svg><g><p>a", "<svg><g></g></svg><p>a</p>"],
    ["the first of two equal attributes counts", '<p class="a" CLASS="b">x', '<p class="a">x</p>'],
    ["a second body only adds attributes", "<body><p>a</p><body class=x>b", ""],
  ])("%s", (_what, html, expected) => {
    if (expected !== "") expect(bodyOf(html)).toBe(expected);
    else expect(writeHtml(readHtml(html).document)).toContain('<body class="x"><p>a</p>b</body>');
  });

  it("gives every page a head and a body", () => {
    expect(writeHtml(readHtml("<!DOCTYPE html><title>t</title><meta name=a>text").document)).toBe(
      '<!DOCTYPE html><html><head><title>t</title><meta name="a"></head><body>text</body></html>',
    );
    expect(writeHtml(readHtml("</head></body></html>text<p>more").document)).toBe(
      "<html><body>text<p>more</p></body></html>",
    );
  });

  it("closes elements of XHTML at once", () => {
    expect(bodyOf("<body><div/><p>a</p><br/></body>", true)).toBe("<div></div><p>a</p><br>");
  });

  it("gives nodes that cheerio works on", () => {
    const $ = load(readHtml("<main><p class=a>one</p><p>two</p></main>").document);
    expect($("main > p.a + p").text()).toBe("two");
  });

  it("is at most some 500 levels deep", () => {
    let deepest = 0;
    for (let node: { children?: unknown[] } | undefined = readHtml("<div>".repeat(10_000)).document; node; deepest++) {
      node = node.children?.at(0) as { children?: unknown[] } | undefined;
    }
    expect(deepest).toBeLessThan(510);
  });
});

it("a page of more elements than may be read at once is left to a thread", () => {
  expect(readHtml("<p>a", { elements: 3 }).document.children).toHaveLength(1);
  expect(() => readHtml("<p>a<p>b", { elements: 3 })).toThrow(TakesLong);
});
