// Code as the many generators of pages write it.

import { describe, expect, it } from "vitest";
import { markdownOf, transformHtml } from "./transform-input.ts";

describe("code with line breaks", () => {
  it("is a block where it stands alone", async () => {
    const html = `<div class="phpcode"><code>&lt;?php<br />function cube($n)<br />\n{<br />
      <span>&nbsp;&nbsp;return</span> $n ** 3;<br />}<br /></code></div>`;
    const code = "```\n<?php\nfunction cube($n)\n{\n  return $n ** 3;\n}\n```";
    expect(await markdownOf(html)).toBe(code);
    expect(await markdownOf(`<p><b>Code:</b><br><font><code>a = 1<br>b</code></font><br>Then</p>`)).toBe(
      "**Code:**\n\n```\na = 1\nb\n```\n\nThen",
    );
    expect(await markdownOf("<code><div>one</div><div>two</div></code>")).toBe("```\none\ntwo\n```");
  });

  it("is a span in the lines of other text", async () => {
    expect(await markdownOf("<p>Call <code>a();<br>b();</code> now.</p>")).toBe("Call `a(); b();` now.");
    expect(await markdownOf("<h2><code>a()<br>b()</code></h2>")).toBe("## `a() b()`");
    expect(await markdownOf("<p>Call<code> a() </code>now.</p>")).toBe("Call `a()` now.");
    expect(await markdownOf("<p><code>one line<br></code></p>")).toBe("`one line`");
    expect(await markdownOf("<p>one <code>line\nin the source</code></p>")).toBe("one `line in the source`");
  });

  it("keeps its lines by class as by style", async () => {
    for (const attribute of [
      'class="block whitespace-pre"',
      'class="whitespace-pre-wrap"',
      'style="white-space: pre"',
    ]) {
      const code = await markdownOf(`<p><code ${attribute}>npm install\n  npm test</code></p>`);
      expect(code).toBe("```\nnpm install\n  npm test\n```");
    }
    expect(await markdownOf('<div class="whitespace-pre"><code>a\nb</code></div>')).toBe("```\na\nb\n```");
  });
});

describe("text whose line ends are shown", () => {
  it("has line breaks and paragraphs", async () => {
    const text = "Dear team,\n- one\n\nThanks <b>a\nlot</b>";
    const markdown = "Dear team,  \n\\- one\n\nThanks **a  \nlot**";
    expect(await markdownOf(`<div style="white-space: pre-line">${text}</div>`)).toBe(markdown);
    expect(await markdownOf(`<div class="p-2 whitespace-pre-wrap">${text}</div>`)).toBe(markdown);
    expect(await markdownOf(`<div class="whitespace-pre-wrap"><p class="whitespace-normal">a\nb</p></div>`)).toBe(
      "a b",
    );
    expect(await markdownOf(`<ul><li class="whitespace-pre-line">a\nb</li></ul>`)).toBe("- a  \n  b");
    const letter = '<div class="email-body"><p>a\nb</p></div>';
    expect(await markdownOf(`<div class="email email-first">${letter}</div>`)).toBe("a  \nb");
    expect(await markdownOf(letter)).toBe("a b");
    const cell = `<table><tr><th>A</th></tr><tr><td style="white-space: pre-line">a\nb</td></tr></table>`;
    expect(await markdownOf(cell)).toBe("| A |\n| --- |\n| a<br>b |");
    const inherited = `<div style="white-space:pre-wrap">a <b style="white-space: inherit">b\nc</b></div>`;
    expect(await markdownOf(inherited)).toBe("a **b  \nc**");
    expect(await markdownOf(`<div style="white-space:nowrap">a\nb</div>`)).toBe("a b");
  });
});

describe("the language of code", () => {
  const figure = `<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td>
    <td class="code"><pre><span class="line">x</span><br></pre></td></tr></table></figure>`;
  const cells = `<div class="syntaxhighlighter  java"><table><tr><td class="gutter"><div class="line">1</div></td>
    <td class="code"><div class="line"><code class="java plain">x</code></div></td></tr></table></div>`;
  it.each([
    ["python", '<pre><code class="python">x</code></pre>'],
    ["python", '<pre><code class="python hljs">x</code></pre>'],
    ["python", '<pre class="python">x</pre>'],
    ["python", '<pre lang="python">x</pre>'],
    ["python", '<pre language="python"><code>x</code></pre>'],
    ["python", '<code-block lang="python"><pre>x</pre></code-block>'],
    ["rust", '<pre class="rust rust-example-rendered"><code>x</code></pre>'],
    ["python", '<pre class="code python literal-block">x</pre>'],
    ["python", '<div class="highlight hl-ipython3"><pre>x</pre></div>'],
    ["python", '<div class="highlight-ipython3"><div class="highlight"><pre>x</pre></div></div>'],
    ["java", '<pre data-syntaxhighlighter-params="brush: java; gutter: false">x</pre>'],
    ["java", '<div data-code-language="java"><pre>x</pre></div>'],
    ["python", '<div class="mw-highlight mw-highlight-lang-python"><pre><span></span>x</pre></div>'],
    ["java", '<pre class="source-code-lang-java">x</pre>'],
    ["python", figure],
    ["java", cells],
  ])("is %s by %s", async (language, html) => {
    expect(await markdownOf(html)).toBe(`\`\`\`${language}\nx\n\`\`\``);
  });

  it.each([
    '<pre lang="en">x</pre>',
    '<pre lang="pl">x</pre>',
    '<pre class="wp-block-preformatted">x</pre>',
    '<div class="go"><pre>x</pre></div>',
    '<div class="site-lang-en"><pre>x</pre></div>',
    '<div class="mw-highlight mw-highlight-lang-text"><pre>x</pre></div>',
    '<pre class="python"><code class="language-text">x</code></pre>',
  ])("is not to be seen in %s", async (html) => {
    expect(await markdownOf(html)).toBe("```\nx\n```");
  });
});

describe("what stands beside code", () => {
  const numbers = '<div class="line-numbers-wrapper" aria-hidden="true"><span>1</span><br><span>2</span><br></div>';
  const repeats: [string, string, string][] = [
    [
      "sh",
      "a label",
      '<div class="language-sh"><button class="copy"></button><span class="lang">sh</span><pre><code>x</code></pre></div>',
    ],
    [
      "js",
      "a header",
      `<div class="code-example"><div class="example-header"><span class="language-name">js</span>
      <button><span>Copy to Clipboard</span></button></div><pre class="brush: js">x</pre></div>`,
    ],
    [
      "csharp",
      "a header without a wrapper",
      `<p>Text</p><div class="codeHeader"><span class="language">C#</span><button>Copy
      </button></div><pre><code class="lang-csharp">x</code></pre><p>More</p>`,
    ],
    [
      "css",
      "a toolbar below",
      `<div class="code-toolbar"><pre class="language-css">x</pre><div class="toolbar"><div class="toolbar-item">
      <span>CSS</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>`,
    ],
    ["ts", "line numbers", `<div class="language-ts"><pre><code>x</code></pre>${numbers}</div>`],
    ["python", "a label that alone says it", '<div><div class="code-lang">Python</div><pre>x</pre></div>'],
  ];

  it.each(repeats)("is left out: %s by %s", async (language, _, html) => {
    const code = "kettle = open_kettle(temperature, 100)\nkettle.boil(minutes)";
    const block = `\`\`\`${language}\n${code}\n\`\`\``;
    const page = html.replace(">x<", `>${code}<`);
    const whole = html.startsWith("<p>") ? `Text\n\n${block}\n\nMore` : block;
    expect(await markdownOf(page)).toBe(whole);
    const words = "A paragraph of the page that is long enough to be its main content, as all of them are.";
    const article = `<main><h1>Title</h1><p>${words}</p>${page}<p>${words}</p></main>`;
    const { markdown } = await transformHtml(article, { onlyMainContent: true });
    expect(markdown).toBe(`# Title\n\n${words}\n\n${whole}\n\n${words}`);
  });

  it.each([
    ["app.ts", '<figure><figcaption>app.ts</figcaption><pre class="language-ts">x</pre></figure>'],
    [
      "Dockerfile",
      '<div><div class="code-title">Dockerfile</div><span class="lang">docker</span><pre class="language-docker">x</pre></div>',
    ],
    [
      "src/app",
      '<div><div class="code-header"><span>src/app</span><span>ts</span><button>Copy</button></div><pre class="language-ts">x</pre></div>',
    ],
    ["### Python", '<div><h3>Python</h3><pre class="language-python">x</pre></div>'],
    ["PythonRuby", '<div><div><span>Python</span><span>Ruby</span></div><pre class="language-python">x</pre></div>'],
    ["Press", '<div><div><button>Press</button></div><pre class="language-html">x</pre></div>'],
    ["Run:", '<div><p>Run:</p><pre class="language-sh">x</pre></div>'],
  ])("stays when it says more: %s", async (kept, html) => {
    expect(await markdownOf(html)).toMatch(new RegExp(`^${kept}\\n\\n\`\`\`\\w+\\nx\\n\`\`\`$`));
  });
});

describe("the lines of an editor", () => {
  const code = "```\na = 1\n\n  b = 2\n```";
  const numbered = (number: number, line: string) =>
    `<div><div class="CodeMirror-linenumber">${number}</div><pre class="CodeMirror-line">${line}</pre></div>`;
  it.each([
    `<div><pre class="CodeMirror-line"><span>a = 1</span></pre><pre class=" CodeMirror-line "><span>\u200b</span></pre>
      <pre class="CodeMirror-line">  b = 2</pre></div>`,
    `<div class="CodeMirror"><div class="CodeMirror-measure"><pre>x</pre></div><div class="CodeMirror-code">${[
      "a = 1",
      "\u200b",
      "  b = 2",
    ]
      .map((line, index) => numbered(index + 1, line))
      .join("")}</div></div>`,
    `<div class="cm-scroller"><div class="cm-gutters"><div>1</div><div>2</div></div><div class="cm-content" contenteditable="true">
      <div class="cm-line">a = 1</div><div class="cm-line"><br></div><div class="cm-line">  b = 2</div></div></div>`,
  ])("are one block: %#", async (html) => {
    expect(await markdownOf(html)).toBe(code);
  });
});

describe("lines that styles number by their class", () => {
  const line = (text: string): string => `<span class="code-line line-number" line="1">${text}\n</span>`;

  it("are kept where they are empty, or hold digits and bars only", async () => {
    const code = ["first", "", "|  |", "42", "last"];
    const html = `<pre class="language-js"><code class="language-js">${code.map(line).join("")}</code></pre>`;
    expect(await markdownOf(html)).toBe(`\`\`\`js\n${code.join("\n")}\n\`\`\``);
  });

  it("are left out where numbers have a class of their own", async () => {
    const html =
      '<pre><span class="lineno">1 </span><span>a\n</span><span class="lineno">2 </span><span>\n</span>b</pre>';
    expect(await markdownOf(html)).toBe("```\na\n\nb\n```");
  });
});

it("lines that their class marks as added or removed have the sign that a style sheet draws", async () => {
  const line = (kind: string, text: string): string => `<span class="line${kind}"><span>${text}</span></span>`;
  const html = `<pre class="shiki has-diff"><code>${[
    line("", "start()"),
    line(" diff remove", "const html = render()"),
    line(" diff add", "const stream = render()"),
    line(" diff add", "+ there already"),
  ].join("\n")}</code></pre>`;
  expect(await markdownOf(html)).toBe(
    "```\nstart()\n- const html = render()\n+ const stream = render()\n+ there already\n```",
  );
});

it("a link that is all of a piece of code stays a link; one within the page does not", async () => {
  const code = (href: string) => `<p>Takes <code><a href="${href}">String</a></code> only.</p>`;
  expect(await markdownOf(code("https://x.example/String"))).toBe("Takes [`String`](https://x.example/String) only.");
  expect(await markdownOf(code("#string"))).toBe("Takes `String` only.");
  expect(await markdownOf('<p><code>List&lt;<a href="https://x.example/T">T</a>&gt;</code></p>')).toBe("`List<T>`");
});

describe("lines that are elements of their own", () => {
  it("are one block of code, without their numbers", async () => {
    const lines = ["int main(void)", "{", "", "        return 0;", "}"].map(
      (line, index) =>
        `<div class="pre"><a id="l${index + 1}" href="#l${index + 1}" class="linenr">   ${index + 1}</a> ${line.replace(/ {8}/, "&nbsp;".repeat(8))}</div>`,
    );
    const code = "```\nint main(void)\n{\n\n        return 0;\n}\n```";
    expect(await markdownOf(`<div class="page_body">\n${lines.join("\n")}\n</div>`)).toBe(code);
  });

  it("are a diff if one of them says which lines of a file follow", async () => {
    const head = `diff --git a/x b/x<br/>--- a/<a href="/x?id=1">x</a><br/>+++ b/<a href="/x?id=2">x</a>`;
    const lines = `<div class="hunk">@@ -1,3 +1,3 @@</div><div class="ctx"> if (a)</div><div class="del">-\tb &lt; *c*;</div><div class="add">+\tb &gt; *c*;</div><div class="ctx"> </div>`;
    const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n if (a)\n-\tb < *c*;\n+\tb > *c*;";
    const html = `<p>Before</p><table class="diff"><tr><td><div class="head">${head}</div>${lines}</td></tr></table>`;
    expect(await markdownOf(html)).toBe(`Before\n\n\`\`\`diff\n${diff}\n\`\`\``);
  });

  it("are a listing without what it shows of the names in it under the pointer", async () => {
    const line = (number: number, code: string): string =>
      `<div class="line"><a id="l${number}"></a><span class="lineno">    ${number}</span>${code}</div>`;
    const note = `<div class="ttc"><div class="ttname"><a href="/lamp">Lamp</a></div><div class="ttdef">lamp.h:6</div></div>`;
    const lines = `${line(1, "#ifndef BUOY_H")}\n${line(2, ' <span class="keyword">class </span><a href="/lamp">Lamp</a>;')}`;
    const code = "```\n#ifndef BUOY_H\n class Lamp;\n```";
    expect(await markdownOf(`<div class="fragment">${lines}\n${note}</div>`)).toBe(code);
    expect(await markdownOf(`<div class="fragment">${note}</div>`)).toContain("lamp.h:6");
  });

  it("are none without numbers: what has such a class may be prose", async () => {
    const prose = `<div class="pre">See <a href="/a">the <b>lamps</b></a>.</div><div class="pre">And the ropes.</div>`;
    expect(await markdownOf(prose)).toBe("See [the **lamps**](https://example.test/a).\n\nAnd the ropes.");
  });

  it("keep their own text if the only other block of code follows", async () => {
    const lines = ["a", "b"].map((text, index) => `<div class="pre"><a class="linenr">${index + 1}</a> ${text}</div>`);
    const other = "```\nother\n```";
    expect(await markdownOf(`<div>${lines.join("")}</div><pre>other</pre>`)).toBe(`\`\`\`\na\nb\n\`\`\`\n\n${other}`);
  });

  it("do not take the time of the whole page each", async () => {
    const lines = `<div class="pre"><a class="linenr">1</a> a</div><div class="pre"><a class="linenr">2</a> b</div>`;
    const start = performance.now();
    const markdown = await markdownOf(`<div>${`${lines}<p>and</p>`.repeat(20_000)}</div>`);
    expect(markdown?.match(/```\na\nb\n```/g)).toHaveLength(20_000);
    expect(performance.now() - start).toBeLessThan(30_000);
  }, 60_000);

  it("are a diff without what stands before and after it", async () => {
    const diff = `<div class="hunk">@@ -1 +1 @@</div><div>-a</div><div>+b</div>`;
    const html = `<div><div>By <a href="/bo">Bo</a></div>${diff}<div><a href="/c">2 comments</a></div></div>`;
    const code = "```diff\n@@ -1 +1 @@\n-a\n+b\n```";
    expect(await markdownOf(html)).toBe(
      `By [Bo](https://example.test/bo)\n\n${code}\n\n[2 comments](https://example.test/c)`,
    );
  });

  it("are none if there is other content in them", async () => {
    const boxes = `<div class="pre">One</div><div class="pre">Two <img src="/a.png" alt="a"></div>`;
    expect(await markdownOf(boxes)).not.toContain("```");
    expect(await markdownOf(`<div class="hunk">One</div><div class="hunk">Two</div>`)).toBe("One\n\nTwo");
  });
});
