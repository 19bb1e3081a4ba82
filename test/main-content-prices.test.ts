// The price of a product, with the one that it had before.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped, scrapedKind } from "./scraped.ts";

it("the present price stays beside the old one, with how much less it is", async () => {
  const markdown = await scrapedKind("prestashop", "/en/mugs/12-stoneware-mug.html");
  expect(markdown).toContain("€23.90\n\n€19.12 Save 20%");
  expect(markdown).not.toContain("€49.00");
});

it("of two blocks of prices that say the same, only the one that says more is kept", async () => {
  const markdown = await scrapedKind("shopify", "/products/wool-blanket");
  expect(markdown).toContain("# Wool blanket\n\nRegular price ~~€120,00 EUR~~ Sale price €89,00 EUR\n\nWoven");
});

it("a product with a short name keeps it and its price, though the site's name is such a heading too", async () => {
  const page = readFileSync(new URL("fixtures/kinds/shopify.html", import.meta.url), "utf8");
  const html = page.replace(/ class="[^"]*"/g, "").replaceAll("Wool blanket", "Blanket");
  const markdown = await scraped(html, {}, "/products/blanket");
  expect(markdown).toContain("# Blanket\n\nRegular price ~~€120,00 EUR~~ Sale price €89,00 EUR\n\nWoven");
  expect(markdown).not.toContain("Loom House");
});

it("a price in an element named so keeps its label, whatever the label says", async () => {
  const page = readFileSync(new URL("fixtures/kinds/shopify.html", import.meta.url), "utf8");
  const labelled = (label: string): string =>
    page.replace(
      /<div class="price__container">.*?<small/s,
      `<div class="price__container"><div class="price__regular"><span>${label}</span> <span>€89,00 EUR</span></div><small`,
    );
  for (const label of ["As low as", "Zum Vorteil ab", "Lähtien"]) {
    const markdown = await scraped(labelled(label), {}, "/products/wool-blanket");
    expect(markdown).toContain(`# Wool blanket\n\n${label} €89,00 EUR\n\n`);
  }
});

it("a price right below the title of what is no shop's page stays", async () => {
  const markdown = await scrapedKind("house", "/properties/4411");
  expect(markdown).toMatch(/^# Mill Lane, Selm, SE4\n\n£425,000\n\n## Property features/);
  expect(markdown).not.toContain("£280,000");
});

it("so does one in an element that is named so, with little beside it", async () => {
  const page = readFileSync(new URL("fixtures/kinds/house.html", import.meta.url), "utf8");
  const beside = page.replace(
    /<div class="_1gfnqJ3"><span>£425,000<\/span><\/div>/,
    '<div class="price"><span>£425,000</span> <span>Added on 2 March</span></div>',
  );
  expect(await scraped(beside, {}, "/properties/4411")).toMatch(/SE4\n\n£425,000 Added on 2 March\n/);
});

it("the menu of a restaurant is kept, with the names of its parts", async () => {
  const markdown = await scrapedKind("menu", "/menu");
  expect(markdown).toContain(
    "To start\n\nAll served with our bread\n\nSmoked eel on rye\n\nHorseradish, pickled beetroot\n\n£9.50",
  );
  expect(markdown).toContain("Mains\n\nHake with white beans");
  expect(markdown).toContain("Riesling, 2022\n\nSlate, a little sweet\n\n£34\n\n### Opening hours");
  for (const aside of ["Find us", "receive news and updates", "3 Quay Street"]) expect(markdown).not.toContain(aside);
});

it("amounts to choose from, and prices of products that are linked, are no such list", async () => {
  const page = readFileSync(new URL("fixtures/kinds/menu.html", import.meta.url), "utf8");
  const linked = page.replace(
    /<div class="menu-item-title">(.*?)<\/div>/g,
    '<a href="/p/1">$1 and all that goes with it</a>',
  );
  const amounts = page.replace(/<div class="menu-(?:item|section)-(?:title|description)">.*?<\/div>/g, "");
  for (const html of [linked, amounts]) expect(await scraped(html, {}, "/menu")).not.toContain("£28");
});

it("plans keep what each costs and what is in it, though each has a link that chooses it", () => {
  const parts = ["Shared folders", "Drawing tools", "Private messages", "Weekly backups"];
  const plan = (name: string, price: string): string =>
    `<div class="col" data-sum="-2"><div>${name}</div><div>${price}</div><ul>${parts.map((part) => `<li>${part}</li>`).join("")}</ul><p><a href="/cart">Choose plan</a></p></div>`;
  const page = (link: string): string[] => {
    const plans = `${plan("Free", "$0")}${plan("Premium", "$49")}${plan("Business", "$99")}${plan("Unlimited", "$139")}`;
    return keptOf(
      "listing",
      `<main><h1>Plans</h1>${paragraph("plans")}<div>${plans.replaceAll("<li>", link)}</div></main>`,
    );
  };
  const kept = page("<li>");
  expect(kept).toEqual(expect.arrayContaining(["Free", "$0", "$49", "$99", "$139"]));
  for (const part of parts) expect(kept.filter((text) => text === part)).toHaveLength(4);
  expect(page('<li><a href="/parts">')).not.toContain("$49");
});

it.each(["¥12,000", "12,000円", "128元", "12,000원", "300 грн", "45 lei", "Rs. 450", "250 TL"])(
  "a price is known by its currency: %s",
  (price) => {
    const html = `<main><h1>Lamp</h1><p data-sum="-3">${price}</p>${paragraph("the lamp")}${paragraph("its oil")}</main>`;
    expect(keptOf("product", html)).toContain(price);
  },
);

it("a number with another word beside it is none", () => {
  const html = `<main><h1>Lamp</h1><p data-sum="-3">12 000 m</p>${paragraph("the lamp")}${paragraph("its oil")}</main>`;
  expect(keptOf("product", html)).not.toContain("12 000 m");
});
