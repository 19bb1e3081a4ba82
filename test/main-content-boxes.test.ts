// What belongs to kept text whatever its language: titles of boxes, addresses, numbered captions, plain terms, letters.
import { expect, test } from "vitest";
import { keptOf, paragraph, said } from "./main-content-given.ts";

const low = 'data-sum="-3"';
const box = (title: string, attributes: string, rest = "") =>
  `${paragraph("the tower")}<div class="note" ><p class="title" ${low} ${attributes}><strong>${title}</strong></p>${paragraph("the lamp")}${rest}</div>${paragraph("the sea")}`;

test("the title of a box stays with the text of the box, and goes if something else of it goes", () => {
  expect(keptOf("article", box("ზღვის ენა", ""))).toContain("ზღვის ენა");
  const noted = `<table><tr><td rowspan="2"><img src="n.png" alt=""></td><th ${low}>ශ්‍රම</th></tr><tr><td>${paragraph("the stairs")}</td></tr></table>`;
  expect(keptOf("article", paragraph("the tower") + noted)).toContain("ශ්‍රම");
  const other = `<div ${low}>${"<p>Older notes of the harbour, and newer ones.</p>".repeat(4)}</div>`;
  expect(keptOf("article", box("ზღვის ენა", "", other))).not.toContain("ზღვის ენა");
  expect(keptOf("article", box('<a href="/all">ზღვის ენა</a>', ""))).not.toContain("ზღვის ენა");
});

test("addresses that are written out between the paragraphs of a text stay", () => {
  const link = (text: string, href = text) => `<div ${low}>→ <a href="${href}">${text}</a></div>`;
  const two = link("https://lights.example/tower") + link("www.lamps.example/oil/");
  const kept = keptOf("article", `<div>${paragraph("the tower")}${two}${paragraph("the sea")}</div>`);
  expect(kept).toContain("→ https://lights.example/tower");
  expect(kept).toContain("→ www.lamps.example/oil/");
  const named = link("The harbour", "https://lights.example/harbour");
  expect(keptOf("article", `<div>${paragraph("the tower")}${named}${paragraph("the sea")}</div>`)).not.toContain(
    "→ The harbour",
  );
  const source = `<h1>${said("the tower").slice(0, 40)}</h1>${link("https://lights.example")}${paragraph("the sea")}`;
  expect(keptOf("article", `<div>${source}</div>`)).not.toContain("→ https://lights.example");
});

test("more than eight addresses in a row are a list for itself", () => {
  const addresses = (count: number) => `<div ${low}>https://lights.example/tower</div>`.repeat(count);
  const keptOfAll = (count: number) =>
    keptOf("article", `<div>${paragraph("the tower")}${addresses(count)}${paragraph("the sea")}</div>`);
  expect(keptOfAll(8)).toHaveLength(10);
  expect(keptOfAll(9)).toHaveLength(2);
});

test("a list that a text announces stays, also in a page that a table lays out", () => {
  const list = `<ul ${low}>${["Oil", "Gas", "Rope"].map((one) => `<li><a href="/${one}">${one}</a></li>`).join("")}</ul>`;
  const text = `<h1>Lamps</h1><p>In winter, each of the lamps needs:</p>${list}${paragraph("the sea")}`;
  const menu = `<p>${"The way to the other pages of the site. ".repeat(20)}</p>`;
  const kept = keptOf("article", `<table><tr><td ${low}>${menu}</td><td>${text}</td></tr></table>`);
  expect(kept).toContain("Rope");
});

test("a caption with a number stays between the paragraphs of a long page", () => {
  const figure = (caption: string) =>
    `<div class="figure"><img src="/a.png" alt=""><p class="title" ${low}>${caption}</p></div>`;
  const page = (caption: string) =>
    `<div>${"<span></span>".repeat(220)}${paragraph("the tower")}${figure(caption)}${paragraph("the sea")}</div>`;
  for (const caption of ["Σχήμα 15.34. Ο φάρος", "شكل ١٦.١ المنارة", "図 3：灯台"]) {
    expect(keptOf("article", page(caption))).toContain(caption);
  }
  expect(keptOf("article", page("Ο φάρος: Νίκος"))).not.toContain("Ο φάρος: Νίκος");
});

test("terms without links are kept as a whole, terms with links are not", () => {
  const terms = (text: (number: number) => string) =>
    `${paragraph("the tower")}<dl>${Array.from(
      { length: 9 },
      (_, index) => `<dt ${low}>${index + 1}</dt><dd ${index % 4 === 2 ? 'data-sum="3"' : low}>${text(index)}</dd>`,
    ).join("")}</dl>${paragraph("the sea")}`;
  expect(
    keptOf(
      "article",
      terms((number) => `Lampe der Art ${number}`),
    ),
  ).toHaveLength(20);
  const linked = terms((number) => `<a href="/l/${number}">Lampe der Art ${number}</a>`);
  expect(keptOf("article", linked).length).toBeLessThan(10);
});

test("an index is known by the letters above its parts, in whatever language it says what it is", () => {
  const letters = [..."აბგდევზთი"];
  const part = (letter: string, index: number) =>
    `<h3 ${low}>${letter}</h3><dl>${[1, 2, 3]
      .map(
        (number) => `<dt ${low}>${letter}ღა ${number}, <a href="/p/${index}${number}">${letter}სთავი შუქურა</a></dt>`,
      )
      .join("")}</dl>`;
  const html = `<title>სძბლი</title><h1>სძბლი</h1><div>${letters.map(part).join("")}</div>`;
  const kept = keptOf("article", html);
  expect(kept).toContain("ა");
  expect(kept).toContain("იღა 3, ისთავი შუქურა");
  expect(keptOf("article", html.replaceAll(/<h3[^>]*>\p{L}<\/h3>/gu, ""))).not.toContain("იღა 3, ისთავი შუქურა");
});
