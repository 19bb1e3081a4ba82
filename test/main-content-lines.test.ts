/** Lines about a part of an article, and what is left of lines. */
import { expect, test } from "vitest";
import { keptOf, paragraph, said } from "./main-content-given.ts";

const low = 'data-sum="-3"';

test("a table, a listing and a quotation keep what they say of themselves, a picture and what is not kept do not", () => {
  const kept = keptOf(
    "article",
    `${"<i></i>".repeat(200)}<article>${paragraph("the mill")}
    <figure><table><tr><th>Year</th><th>Bags</th></tr><tr><td>1911</td><td>40</td></tr></table><figcaption ${low}>Bags by year</figcaption></figure>
    <figure><pre>mill --grind rye</pre><figcaption ${low}>How it is started</figcaption></figure>
    <blockquote><p>${said("the stone")}</p><cite ${low}>Oda Quist</cite></blockquote>
    <figure><blockquote><p>${said("the wind")}</p></blockquote><figcaption><b ${low}>Per Lie, miller</b></figcaption></figure>
    <figure><img src="/mill.jpg" alt=""><figcaption ${low}>Picture: Agency</figcaption></figure>
    <blockquote ${low}><p>${said("nobody")}</p><cite>Some Body</cite></blockquote>
    ${paragraph("the miller")}</article>`,
  );
  for (const text of ["Bags by year", "How it is started", "Oda Quist", "Per Lie, miller"])
    expect(kept).toContain(text);
  expect(kept).not.toContain("Picture: Agency");
});

test("nothing is left of a line about an article without what it says", () => {
  const line = (names: string): string =>
    `<div><p>Posted</p><div ${names}><time>3 May</time></div><p>in</p><div ${names}><a href="/mills">Mills</a></div></div>`;
  const article = (names: string): string =>
    `<article>${paragraph("the mill")}${paragraph("the stone")}${line(names)}</article>`;
  expect(keptOf("article", article(low)).slice(2)).toEqual([]);
  expect(keptOf("article", article("")).slice(2)).toEqual(["Posted", "3 May", "in", "Mills"]);
  const list = `<article>${paragraph("the mill")}<ul><li>Rye</li><li ${low}>Oats</li><li>Wheat</li></ul></article>`;
  expect(keptOf("article", list)).toEqual(expect.arrayContaining(["Rye", "Wheat"]));
  const map = `<article>${paragraph("the mill")}<div><p>A map</p><div ${low}><a href="/signs">Signs</a></div></div></article>`;
  expect(keptOf("article", map)).toContain("A map");
});

test("the heading of a list that says of what kind it is keeps its place", () => {
  const list = (heading: string): string[] =>
    keptOf(
      "collection",
      `<html><head><title>Mills – The Miller</title></head><body>${"<i></i>".repeat(200)}<header><p ${low}>The Miller</p></header><main><h1 ${low}>${heading}</h1>
      ${["one", "two", "three"].map((name) => `<article><h2><a href="/${name}">Mill ${name}</a></h2>${paragraph(name)}</article>`).join("")}</main></body></html>`,
    );
  expect(list("Category: <span>Mills</span>")[0]).toBe("Category: Mills");
  expect(list("Advert: Flour")[0]).toBe("Mill one");
  expect(list("Nothing: ")[0]).toBe("Mill one");
});

test("a short list below a kept heading at the end of a text with sections is kept, not what is about the site", () => {
  const section = (heading: string, inside: string): string => `<div class="box"><h2>${heading}</h2></div>${inside}`;
  const list = (sum: number): string[] => {
    const items = ["Register of mills", "Mills of the north"].map(
      (item) => `<li data-sum="${sum}"><a href="//example.org/${item.length}">${item}</a></li>`,
    );
    const sections = ["Stones", "Sails", "Wind"].map((name) => section(name, paragraph(name)));
    const text = `<div><h1>Mill</h1>${sections.join("")}${section("Elsewhere", `<ul>${items.join("")}</ul><!-- end -->`)}</div>`;
    return keptOf(
      "documentation",
      `${"<i></i>".repeat(200)}<main>${text}</main><footer ${low}><ul><li>Imprint</li></ul></footer>`,
    ).slice(-3);
  };
  expect(list(-0.6)).toEqual(["Elsewhere", "Register of mills", "Mills of the north"]);
  expect(list(-4).at(-1)).toBe("Elsewhere");
});

test("the titles of what a list shows a piece of are kept, not the same link at each post of a thread", () => {
  /** @param sure how many of the titles are kept anyway */
  const list = (title: string, href: string, sure = 0): string[] => {
    const rows = ["1", "2", "3", "4", "5"].map((at) => {
      const link = `<a href="${href.replace("N", at)}">${title.replace("N", at)}</a>`;
      const sum = Number(at) > sure ? -3 : 3;
      return `<div class="row"><div class="top" data-sum="${sum}">${link}<br>by Oda</div><div>${said(`mill ${at}`)}</div></div>`;
    });
    return keptOf("forum", `<main><h1>Letters</h1>${rows.join("")}</main>`).filter((text) => text.includes("by Oda"));
  };
  expect(list("Who stopped mill N?", "/letter/N")).toHaveLength(5);
  expect(list("Who stopped mill N?", "/letter/N", 3)).toHaveLength(5);
  expect(list("Re: Who stopped the mill?", "/letter/N")).toEqual([]);
  expect(list("Who stopped mill N?", "#post-N")).toEqual([]);
  expect(list("Miller N", "/user/N")).toEqual([]);
});

test("the heading of a wiki's menus goes with them, though one line in them is no link", () => {
  const names = [
    "Talk",
    "Log in",
    "Create account",
    "Contributions",
    "Special page",
    "View history",
    "Main page",
    "Recent changes",
    "Random page",
    "What links here",
    "Printable version",
  ];
  const items = names.map((name) => `<li><a href="/${name.length}">${name}</a></li>`).join("");
  const menus = `<div><h2>Navigation menu</h2><ul ${low}><li>Not logged in</li>${items}</ul><label ${low}>Search</label></div>`;
  expect(keptOf("listing", `<main>${paragraph("the mill")}</main>${menus}`)).toHaveLength(1);
});
