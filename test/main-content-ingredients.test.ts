// Given what the model says of each block: what a dish or a product is made of stays with its text.
import { expect, test } from "vitest";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, paragraph } from "./main-content-given.ts";

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
  const found = kept("article", list("ingredients", '<button>Add all</button><p><a href="/oil">Shop oil</a></p>'));
  expect(found).toContain("2 wicks");
  for (const text of ["Add all", "Shop oil"]) expect(found).not.toContain(text);
});
