// Code as the many generators of pages write it.

import { describe, expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

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
    ["python", '<code-block lang="python"><pre>x</pre></code-block>'],
    ["rust", '<pre class="rust rust-example-rendered"><code>x</code></pre>'],
    ["python", '<pre class="code python literal-block">x</pre>'],
    ["python", '<div class="highlight hl-ipython3"><pre>x</pre></div>'],
    ["python", '<div class="highlight-ipython3"><div class="highlight"><pre>x</pre></div></div>'],
    ["java", '<pre data-syntaxhighlighter-params="brush: java; gutter: false">x</pre>'],
    ["java", '<div data-code-language="java"><pre>x</pre></div>'],
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
    '<pre class="python"><code class="language-text">x</code></pre>',
  ])("is not to be seen in %s", async (html) => {
    expect(await markdownOf(html)).toBe("```\nx\n```");
  });
});
