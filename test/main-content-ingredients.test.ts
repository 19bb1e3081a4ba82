// Given what the model says of each block: what a dish or a product is made of stays with its text.
import { expect, test } from "vitest";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, paragraph } from "./main-content-given.ts";
import { engineFor, site } from "./start-engine.ts";

const list = (name: string, more = ""): string =>
  `<h2 data-sum="-3">What you need</h2><div class="${name}" data-sum="-3"><ul><li>200 g oil</li><li>2 wicks</li></ul>${more}</div>`;

/** The kept texts of a page with a text, and a list beside it. */
const kept = (type: PageType, beside: string): string[] =>
  keptOf(type, `<main><div>${paragraph("the lamp")}${beside}${paragraph("the lens")}</div></main>`);

test("what elements that are named so contain is kept with the heading above, on a dish's and a product's page", () => {
  for (const type of ["article", "product"] as const) {
    for (const name of ["recipe-ingredients", "wprm-recipe-ingredient-group", "IngredientsList"]) {
      const found = kept(type, list(name));
      for (const text of ["What you need", "200 g oil", "2 wicks"]) expect(found).toContain(text);
    }
  }
});

test("nothing else is: not in a thread, far from the text, in a large part, or in links and buttons", () => {
  expect(kept("article", list("needs"))).not.toContain("2 wicks");
  expect(kept("forum", list("ingredients"))).not.toContain("2 wicks");
  const apart = `<main>${paragraph("the lamp")}</main><aside><div><div><div><div>${list("ingredients")}</div></div></div></div></aside>`;
  expect(keptOf("article", apart)).not.toContain("2 wicks");
  const long = `<p>${"All that was ever said about oil. ".repeat(70)}</p>`;
  expect(kept("article", list("ingredients", long))).not.toContain("2 wicks");
  const boxes = '<ul><li><input type="checkbox"><label>1 chimney</label></li></ul><label>Lamps</label>';
  expect(kept("article", list("ingredients", boxes))).toContain("1 chimney");
  expect(kept("article", list("ingredients", boxes))).not.toContain("Lamps");
  const found = kept("article", list("ingredients", '<button>Add all</button><p><a href="/oil">Shop oil</a></p>'));
  expect(found).toContain("2 wicks");
  for (const text of ["Add all", "Shop oil"]) expect(found).not.toContain(text);
});

const declaring = (names: readonly string[]): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@graph": [{ "@type": "Recipe", name: "Öl&shy;lampe", recipeIngredient: names }] })}</script>`;
const oilAndWicks = ["200 g Öl", "2 Dochte aus Baumwolle", "Salz", "1 Zylinder"];

test("what a page's data declares as ingredients is kept, whatever its elements are called and wherever it stands", () => {
  const items = oilAndWicks.map((name) => `<li>${name}</li>`).join("");
  const aside = `<aside data-sum="-3"><h2>Für eine Lampe</h2><div><ul class="what">${items}</ul></div><button>Drucken</button></aside>`;
  const found = keptOf(
    "article",
    `${declaring(oilAndWicks)}<main><div><div><div>${paragraph("the lamp")}</div></div></div></main>${aside}`,
  );
  for (const text of ["Für eine Lampe", ...oilAndWicks]) expect(found).toContain(text);
  expect(found).not.toContain("Drucken");
});

test.each(["application/ld+json; charset=utf-8", "application/LD+JSON"])("also by data of the type %s", (type) => {
  const items = oilAndWicks.map((name) => `<li>${name}</li>`).join("");
  const data = declaring(oilAndWicks).replace("application/ld+json", type);
  const html = `${data}<main>${paragraph("the lamp")}</main><aside data-sum="-3"><ul>${items}</ul></aside>`;
  for (const text of oilAndWicks) expect(keptOf("article", html)).toContain(text);
});

test("so are their amounts beside their names, which may be links or labels", () => {
  const amounts = ["200 g", "2 pieces", "1 pinch", "1 piece"];
  const names = ["Lamp oil", "Cotton wicks", "Salt", "Chimney"];
  const rows = names.map(
    (name, index) => `<div><p><a href="/w/${index}">${name}</a></p><p>${amounts[index]}</p></div>`,
  );
  const found = kept("article", `${declaring(names)}<div class="what" data-sum="-3">${rows.join("")}</div>`);
  for (const text of [...names, ...amounts.slice(0, -1)]) expect(found).toContain(text);
});

test("of two lists that say the same, one is kept; a few names of ingredients elsewhere are no list of them", () => {
  const list = (what: string) =>
    `<div class="${what}" data-sum="-3"><h2>${what}</h2><ul>${oilAndWicks.map((name) => `<li>${name}</li>`).join("")}</ul></div>`;
  const both = kept("article", declaring(oilAndWicks) + list("on screens") + paragraph("the oil") + list("on paper"));
  expect(both.filter((text) => text === "200 g Öl")).toHaveLength(1);
  const few = `<ul data-sum="-3"><li><a href="/salt">Salz</a></li><li><a href="/more">More</a></li></ul>`;
  expect(kept("article", declaring(oilAndWicks) + few)).not.toContain("Salz");
});

test("a recipe keeps the name of the dish, also in an article with a date; other titles are left to the metadata", () => {
  const dated = (title: string): string =>
    `<h1 data-sum="-3">${title}</h1><time datetime="2026-11-30">30 November 2026</time>${paragraph("the lamp")}`;
  expect(keptOf("article", declaring(oilAndWicks) + dated("Öllampe"))).toContain("Öllampe");
  expect(keptOf("article", declaring(oilAndWicks) + dated("Our keeper's diary"))).not.toContain("Our keeper's diary");
  const twice = `${dated("Öllampe")}<h1>Öllampe</h1>`;
  expect(keptOf("article", declaring(oilAndWicks) + twice).filter((text) => text === "Öllampe")).toHaveLength(1);
});

test("a scraped recipe has the name of the dish and all ingredients, although a blog wrote it on a day and linked them", async () => {
  const names = ["Pollock", "Rock salt", "Dill", "Barley flour", "Seaweed butter"];
  const linked = names.map((name) => `<div class="row"><a href="/shop/${name}">${name}</a></div>`).join("");
  const { url } = await site({
    "/fish": `<!doctype html><html lang="en"><head><title>Supper from the sound | Shore letters</title>
<script type="application/ld+json">${JSON.stringify({ "@type": "Recipe", name: "Fried pollock", datePublished: "2026-11-30", recipeIngredient: names })}</script></head><body>
<header><nav><a href="/">Home</a><a href="/all">All letters</a></nav></header>
<article><header><h1>Fried pollock</h1><time datetime="2026-11-30">30 November 2026</time></header>
${paragraph("the pollock")}${paragraph("the pan")}${paragraph("the plates")}</article>
<aside><div class="what">${linked}</div></aside><footer><p>© 2026 Shore letters</p></footer></body></html>`,
  });
  const { data } = await engineFor().scrape({ url: `${url}/fish` });
  expect(data.markdown).toContain("# Fried pollock");
  for (const name of names) expect(data.markdown).toContain(`[${name}](`);
  expect(data.markdown).not.toContain("All letters");
});
