// Parts of a page that do something: of these, the markdown has what they say.

import { describe, expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

describe("buttons and tooltips", () => {
  it("what copies something is left out", async () => {
    expect(await markdownOf("<p>npm i <button>Copy to clipboard</button></p>")).toBe("npm i");
    expect(await markdownOf("<p>npm i <button>Run</button></p>")).toBe("npm i Run");
  });

  it("a tooltip is left out, but not what is called so and is a part of the page", async () => {
    expect(await markdownOf('<p>Tea<span role="tooltip">A drink</span></p>')).toBe("Tea");
    const large = `<div role="tooltip">${"<p>A drink.</p>".repeat(40)}</div>`;
    expect(await markdownOf(large)).toContain("A drink.");
  });

  it("what is bold by its element only is not bold", async () => {
    expect(await markdownOf('<b style="font-weight:400"><p>Tea</p></b>')).toBe("Tea");
  });
});

describe("pictures and players", () => {
  it("what invites to enlarge a picture is left out, but not what a button says of it", async () => {
    const picture = '<span><img src="https://a.test/b" alt="Tea"></span>';
    for (const invitation of ["Press enter or click to view image in full size", "Enlarge this image", "Zoom in"]) {
      for (const name of ["button", 'div role="button"']) {
        const html = `<${name}><span>${invitation}</span>${picture}</${name.split(" ")[0]}>`;
        expect(await markdownOf(html)).toBe("![Tea](https://a.test/b)");
      }
    }
    expect(await markdownOf(`<div role="button"><span>Green tea</span>${picture}</div>`)).toContain("Green tea");
    expect(await markdownOf('<div role="button">Enlarge this image</div>')).toBe("Enlarge this image");
  });

  it("a title that says what the alternative text says is left out", async () => {
    expect(await markdownOf('<img src="https://a.test/b" alt="Tea" title="Tea">')).toBe("![Tea](https://a.test/b)");
  });

  it.each(["blob:https://a.test/1", "data:video/mp4;base64,AAAA", "about:blank"])(
    "a player of %s has no address for others",
    async (source) => {
      expect(await markdownOf(`<p>Tea</p><video src="${source}"></video><iframe src="${source}"></iframe>`)).toBe(
        "Tea",
      );
    },
  );

  it("a player in a link is no link in a link", async () => {
    expect(await markdownOf('<a href="https://a.test/">see <video src="/v.mp4"></video></a>')).toBe(
      "[see](https://a.test/)",
    );
  });
});

describe("code", () => {
  const code = async (html: string) => /^```(.*)\n([\s\S]*)\n```$/.exec((await markdownOf(html)) ?? "")?.slice(1);

  it("that consists of numbers keeps them", async () => {
    expect(await code("<pre><div><b>1</b></div><div><b>2</b></div></pre>")).toEqual(["", "1\n2"]);
  });

  it("has the lines that browsers show, whatever ends them", async () => {
    expect(await code("<pre>a\rb\r\nc</pre>")).toEqual(["", "a\nb\nc"]);
  });

  it("in a line has no characters that nobody sees", async () => {
    expect(await markdownOf("<p>call <code>a\u00ad.\u200bb()</code></p>")).toBe("call `a.b()`");
  });

  it("is kept within a part that is named as its label, or has a button", async () => {
    const lines = "let teapot = fill(kettle, water, leaves);\npour(teapot);";
    expect(await code(`<pre><div class="code-title">${lines}</div></pre>`)).toEqual(["", lines]);
    expect(await code(`<pre><div>${lines}<button>Copy</button></div></pre>`)).toEqual(["", lines]);
    expect(await code(`<pre><div class="code-title">tea.js</div>${lines}</pre>`)).toEqual(["", lines]);
  });

  it("does not have the language of several blocks together", async () => {
    expect(await markdownOf('<div data-lang="js"><pre>a</pre></div>')).toBe("```js\na\n```");
    expect(await markdownOf('<div data-lang="js"><pre>a</pre><pre>b</pre></div>')).toBe("```\na\n```\n\n```\nb\n```");
  });
});

it("a summary that only says what a click does goes, others stay", async () => {
  const details = (summary: string) =>
    `<details open><summary><span>${summary}</span></summary><p>Loads a word.</p></details>`;
  for (const label of ["Expand description", "Show more", " hide ", "Toggle"]) {
    expect(await markdownOf(details(label)), label).toBe("Loads a word.");
  }
  for (const label of ["Description", "Show 14 methods", "Hide and seek"]) {
    expect(await markdownOf(details(label)), label).toBe(`**${label}**\n\nLoads a word.`);
  }
});

it("a separator between links that were removed goes", async () => {
  expect(await markdownOf('<p>Above</p><div><a href="#"></a> · <a href="#"></a></div><div>|</div><p>a · b</p>')).toBe(
    "Above\n\na · b",
  );
});

it("a picture that is a permanent link goes, one with another title stays", async () => {
  const link = (title: string) =>
    `<p>Tea <a href="https://a.test/tea.html#Tea" title="${title}"><img src="https://a.test/p.png" alt="Sign"></a></p>`;
  expect(await markdownOf(link("Permalink"))).toBe("Tea");
  expect(await markdownOf(link("Recipe"))).toBe(
    'Tea [![Sign](https://a.test/p.png)](https://a.test/tea.html#Tea "Recipe")',
  );
});

it("a link beside a heading that leads to it goes, whatever it says; other links there stay", async () => {
  const beside = (href: string) =>
    `<div class="wrapper"><h2 id="b%C3%A4ume">Bäume</h2><a href="${href}"><span class="sr-only">Abschnitt „Bäume“</span></a></div><p>Drei Linden.</p>`;
  expect(await markdownOf(beside("#b%C3%A4ume"))).toBe("## Bäume\n\nDrei Linden.");
  expect(await markdownOf(beside("#b%C3%A4ume").replace('id="b%C3%A4ume"', 'id="bäume"'))).toBe(
    "## Bäume\n\nDrei Linden.",
  );
  expect(await markdownOf(beside("#linden"))).toContain("Abschnitt");
  const other = '<h2 id="parts">Parts</h2><a href="#parts">Overview of all that there is</a><p>Three.</p>';
  expect(await markdownOf(other)).toContain("Overview of all that there is");
});
