import { selectAll } from "css-select";
import type { AnyNode, Element } from "domhandler";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { checkSelectors } from "../src/transform/check-selectors.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { selectOutermost } from "../src/transform/selectors.ts";
import { TakesLong } from "../src/transform/takes-long.ts";
import { transform } from "../src/transform/transform.ts";
import { htmlInput, transformHtml } from "./transform-input.ts";

const html = `<body><header>Site</header><main><p class="a">one</p><div class="b">two <p>three</p></div></main><p>four</p><nav>Menu</nav></body>`;
const markdown = async (
  options: { includeTags?: string[]; excludeTags?: string[]; onlyMainContent?: boolean },
  page = html,
) => (await transformHtml(page, options)).markdown;

describe("includeTags and excludeTags", () => {
  it("keep the order of the document, whatever the order of the selectors", async () => {
    expect(await markdown({ includeTags: ["nav", ".b", ".a"] })).toBe("one\n\ntwo\n\nthree\n\nMenu");
  });

  it("keep the outermost of nested matches whole, and each element once", async () => {
    expect(await markdown({ includeTags: ["p", "main", "p.a"] })).toBe("one\n\ntwo\n\nthree\n\nfour");
  });

  it("keep rows of a table a table", async () => {
    const tables = `<table class="prices"><thead><tr><th>Tea</th><th>Price</th></tr></thead><tbody><tr class="a"><td>Green</td><td>3</td></tr>
      <tr><td>Black</td><td>2</td></tr></tbody></table><p>Between.</p><table><tr class="a"><td>x</td><td>y</td></tr></table>`;
    const { markdown, html } = await transformHtml(tables, {
      includeTags: ["thead", "tr.a"],
      formats: ["markdown", "html"],
    });
    expect(markdown).toBe("| Tea | Price |\n| --- | --- |\n| Green | 3 |\n\n|  |  |\n| --- | --- |\n| x | y |");
    expect(html).toContain('<table class="prices"><thead>');
  });

  it("keep code preformatted that was so", async () => {
    const code = '<pre class="box"><code class="language-js">if (a)\n  b();</code></pre><p>Call <code>b()</code>.</p>';
    const { markdown, html } = await transformHtml(code, { includeTags: ["code"], formats: ["markdown", "html"] });
    expect(markdown).toBe("```js\nif (a)\n  b();\n```\n\n`b()`");
    expect(html).toContain('<pre class="box"><code');
  });

  it("keep each piece of code a block of its own", async () => {
    const pieces = "<pre><code>a</code>\n<code>b</code></pre>";
    expect(await markdown({ includeTags: ["code"] }, pieces)).toBe("```\na\n```\n\n```\nb\n```");
  });

  it("keep the foot of a table a table", async () => {
    const table = "<table><tr><td>a</td><td>1</td></tr><tfoot><tr><td>all</td><td>1</td></tr></tfoot></table>";
    expect(await markdown({ includeTags: ["tfoot"] }, table)).toBe("|  |  |\n| --- | --- |\n| all | 1 |");
  });

  it.each(["html", "body"])("keep the whole page when %s is included", async (tag) => {
    expect(await markdown({ includeTags: [tag] })).toBe(await markdown({}));
  });

  it("leave nothing when nothing matches, and everything when all entries are blank", async () => {
    expect(await markdown({ includeTags: ["article"] })).toBe("");
    expect(await markdown({ includeTags: [" "] })).toContain("four");
  });

  it("remove what is excluded, also inside what is included", async () => {
    expect(await markdown({ includeTags: ["main"], excludeTags: [".b p"] })).toBe("one\n\ntwo");
    expect(await markdown({ includeTags: [".b p", ".a"], excludeTags: [".b"] })).toBe("one");
    expect(await markdown({ excludeTags: ["header", "nav", "main"] })).toBe("four");
  });

  it("win over onlyMainContent: what was chosen is kept whole", async () => {
    expect(await markdown({ includeTags: ["nav"], onlyMainContent: true })).toBe("Menu");
  });

  it("count elements as the author wrote them", async () => {
    expect(await markdown({ excludeTags: ["p:nth-of-type(1)", "nav:last-child"] })).toBe("Site\n\ntwo");
  });
});

function isAround(outer: Element, inner: Element): boolean {
  let node = inner.parent;
  while (node !== null && node !== outer) node = node.parent;
  return node === outer;
}

describe("selectors", () => {
  it("are refused when they are not valid, each by its index", () => {
    const details = checkSelectors(["main", "p[", "", "a:no-such-thing"]);
    expect(details.map(({ path }) => path)).toEqual([[1], [3]]);
    expect(details[0]!.message).toContain("p[");
  });

  it.each([
    ...["div >", "> p", "h1 +", "*ad*", "p*", "<nav>", "..ad", "@media", ".a..b", "#.b", "$x", "div > .@x"],
    ...["p:not(a >)", "p:not(> a)", "p:has(*x*)", "p:has(> a >)", "a, > b"],
  ])("%s is none, though the library reads it", (selector) => {
    expect(checkSelectors([selector])).toHaveLength(1);
  });

  it.each([
    ...["*", "*.ad", "a > b + c ~ d e", "#1a", ".2col", "über", "my-element", ".-x", ".\\[\\&_p\\]\\:x", "svg\\:rect"],
    ...[
      '[class="@x"]',
      '[data-a^="{"]',
      ":is(p, a):not(.x *)",
      "p:has(> img, + a)",
      ":scope > p",
      "a, b",
      "p:contains(@x)",
    ],
    ...["p /* the last */", ":nth-child(2n + 1)"],
  ])("%s is one", (selector) => {
    expect(checkSelectors([selector])).toEqual([]);
  });

  it.each([
    ["is no CSS selector", ["p["]],
    ["is a CSS selector that is not supported", ["p:lang(en)"]],
    ["nests more than 10 levels deep", [`${":is(".repeat(11)}p${")".repeat(11)}`]],
    ["has more than 500 alternatives", [Array(501).fill("p").join()]],
    ["has more than 20000 characters in all", Array(21).fill(`p.${"x".repeat(998)}`)],
  ])("are told that what was given %s", (message, selectors) => {
    expect(checkSelectors(selectors as string[])).toMatchObject([{ message: expect.stringContaining(message) }]);
    expect(checkSelectors([`${":is(".repeat(10)}p${")".repeat(10)}`])).toEqual([]);
  });

  it("find what is empty, though texts have no children", async () => {
    const page = "<p>one</p><p> </p><p></p><div><b>two</b></div>";
    for (const selector of [":not(:empty)", "p:not(:empty), b"])
      expect(((await markdown({ includeTags: [selector] }, page)) ?? "").replace(/\W+/g, " ").trim()).toBe("one two");
    expect(await markdown({ excludeTags: ["p:empty"] }, page)).toContain("one");
  });

  it("read a bounded number of characters of attributes", async () => {
    const page = `<p title="${"aA".repeat(200_000)}">x</p>`;
    const input = htmlInput(page, { excludeTags: Array(40).fill("[title*=aab i]") });
    const steps = (selectorSteps: number) =>
      transform(input, undefined, undefined, { elements: 10_000, selectorSteps });
    await expect(steps(100_000)).rejects.toThrow(TakesLong);
    expect((await steps(1_000_000)).markdown).toContain("x");
  });

  it("are refused in the transform too", async () => {
    await expect(markdown({ excludeTags: ["p["] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("do not trip over attributes that every object has", async () => {
    expect(await markdown({ excludeTags: ["[constructor^=x]", "[hasOwnProperty]"] })).toContain("one");
  });

  it("find texts within a bounded number of nodes, with text or without", async () => {
    const input = htmlInput("<div>".repeat(5000), { excludeTags: ['div:contains("one")'] });
    const limits = { elements: 10_000, selectorSteps: 200_000 };
    await expect(transform(input, undefined, undefined, limits)).rejects.toThrow(TakesLong);
    expect(await markdown({ excludeTags: ['p:contains("one")'] })).not.toContain("one");
  });

  it.each([
    ["ancestors", "b p", 100_000],
    ["descendants", "div:has(b)", 100_000],
    ["children", "div:has(> b)", 500],
    ["children of nobody", "div:empty", 500],
  ])("look at a bounded number of %s", async (_, selector, most) => {
    const page = `${"<div>".repeat(400)}${"<p>x</p>".repeat(400)}`;
    const input = htmlInput(page, { excludeTags: [selector] });
    const steps = (selectorSteps: number) =>
      transform(input, undefined, undefined, { elements: 10_000, selectorSteps });
    await expect(steps(most)).rejects.toThrow(TakesLong);
    expect((await steps(1_000_000)).markdown).toContain("x");
  });

  it("find a text in its lines", async () => {
    const lines = "<p>one<br>two</p>";
    expect(await markdown({ excludeTags: ['p:contains("onetwo")'] }, lines)).toBe("one  \ntwo");
  });

  it("stop when they take too much work on a hostile page", async () => {
    const siblings = `<ul>${"<li>x</li>".repeat(60_000)}</ul>`;
    const page = htmlInput(siblings, { excludeTags: ["li:not(:last-child) ~ li.no:nth-child(2)", "b ~ li"] });
    // The page is to blame, not the request: the same selectors do on others.
    await expect(transform(page)).rejects.toMatchObject({
      name: "ScrapeError",
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("selectors"),
    });
  });

  it.each([
    ["b ~ li", ""],
    ["li:has(~ b)", ""],
    ["li:has(+ b)", ""],
    ["div:has(i + b)", "<div>".repeat(200)],
  ])("count every sibling that %s looks at", async (selector, before) => {
    const siblings = `${before}<ul>${"<li>x</li>".repeat(2000)}${"<!-- -->".repeat(2000)}<b>y</b></ul>`;
    const limits = { elements: 10_000, selectorSteps: 20_000 };
    const input = htmlInput(siblings, { excludeTags: [selector] });
    await expect(transform(input, undefined, undefined, limits)).rejects.toThrow(TakesLong);
  });

  it.each([
    ["li:first-child", 1],
    ["li:last-child", 1],
    ["li:nth-child(odd)", 10_000],
    ["li:nth-last-child(-n + 3)", 3],
    ["li:first-of-type", 1],
    ["li:last-of-type", 1],
    ["li:nth-of-type(3n)", 6666],
    ["li:nth-last-of-type(2)", 1],
    ["li:only-of-type", 0],
    ["li:not(:nth-child(even)):not(:last-child)", 10_000],
    ["li + li", 19_999],
  ])("find %s among 20,000 items in few steps", async (selector, found) => {
    const items = Array.from({ length: 20_000 }, (_, number) => `<li>z${number}</li>\n`).join("");
    const limits = { elements: 100_000, selectorSteps: 200_000 };
    const input = htmlInput(`<ul>${items}</ul>`, { excludeTags: [selector] });
    const { markdown } = await transform(input, undefined, undefined, limits);
    expect(markdown!.split("z").length - 1).toBe(20_000 - found);
  });

  it("count siblings as the library does", () => {
    const name = fc.constantFrom("b", "i", "u");
    const tree = fc.letrec<{ nodes: string }>((tie) => ({
      nodes: fc
        .array(
          fc.oneof(
            { depthSize: "small" },
            fc.constantFrom("text", "<!-- -->"),
            fc.tuple(name, tie("nodes")).map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
          ),
        )
        .map((parts) => parts.join("")),
    })).nodes;
    const number = fc.oneof(
      fc.constantFrom("odd", "even", "n", "0n", "0", "2n + 1", "-n+2", "+3", "-2n-1", "3N"),
      fc.integer({ min: 0, max: 4 }).map(String),
    );
    const pseudo = fc.oneof(
      fc.constantFrom(...["first", "last", "only"].flatMap((which) => [`:${which}-child`, `:${which}-of-type`])),
      fc
        .tuple(fc.constantFrom("child", "last-child", "of-type", "last-of-type"), number)
        .map(([kind, formula]) => `:nth-${kind}(${formula})`),
    );
    const selector = fc.oneof(
      fc.tuple(name, pseudo).map((parts) => parts.join("")),
      fc.tuple(pseudo, pseudo).map(([first, second]) => `b:not(${first})${second}`),
      fc.tuple(pseudo, name).map(([first, tag]) => `:is(${first}) > ${tag}`),
    );
    fc.assert(
      fc.property(tree, selector, (html, wanted) => {
        const { document } = readHtml(`<body>${html}`);
        const isOutermost = (element: Element, _: number, all: Element[]) =>
          !all.some((other) => isAround(other, element));
        const expected = selectAll<AnyNode, Element>(wanted, document).filter(isOutermost);
        expect(finish(selectOutermost(document, [wanted], Number.POSITIVE_INFINITY))).toEqual(expected);
      }),
    );
  });
});
