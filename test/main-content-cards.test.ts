import { expect, test } from "vitest";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";
import { keptOf, paragraph } from "./main-content-given.ts";

const names = [
  "Linen Apron",
  "Walnut Spoon",
  "Stoneware Bowl",
  "Iron Trivet",
  "Brass Scoop",
  "Beeswax Wrap",
  "Copper Whisk",
  "Oak Board",
];

/** A card with its title twice, above and below the picture's edge, and prices that styles choose from. */
function card(name: string, index: number): string {
  const title = (after: string): string =>
    `<h3 class="card__heading${after}"><a href="/products/p${index}" class="full-unstyled-link">${name}</a></h3>`;
  return `<li class="grid__item scroll-trigger"><div class="card-wrapper product-card-wrapper"><div class="card card--standard card--media"><div class="card__inner color-scheme-2 gradient ratio">
<div class="card__media"><div class="media media--transparent"><img src="//cdn.example/${index}.jpg?width=533" alt="${name}" loading="lazy" width="1500" height="1500"></div></div><div class="card__content"><div class="card__information">${title("")}</div></div></div>
<div class="card__content"><div class="card__information">${title(" h5")}<div class="card-information"><div class="price"><div class="price__container"><div><del><span><span><span>$99.00</span></span></span></del></div><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular"> $${30 + index}.00 USD </span></div>
<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular"> $ </s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last"> $${30 + index}.00 USD </span></div></div></div></div></div><div class="quick-add"><form method="post" action="/cart/add" class="form"><button type="submit" class="quick-add__submit button">Add to cart</button></form></div></div></div></div></li>`;
}

test("a shop's list keeps its title and all of its cards, each with its title and its present price once", () => {
  const { pageType, text } = keep(
    page(
      "Kitchen",
      `<div class="announcement-bar" role="region"><p class="announcement-bar__message h5">Free shipping on orders over $75</p></div><div id="cart-notification" class="cart-notification" role="dialog"><h2 class="cart-notification__heading">Item added to your cart</h2><a href="/cart" class="button">View cart</a><button type="button">Continue shopping</button></div><main id="MainContent" class="content-for-layout" role="main"><section class="shopify-section section"><div class="collection-hero gradient"><div class="collection-hero__inner page-width"><div class="collection-hero__text-wrapper"><h1 class="collection-hero__title"><span class="visually-hidden">Collection: </span>Kitchen</h1><div class="collection-hero__description rte"><p>Tools for people who cook every day, made in small batches from wood, brass and iron.</p></div></div></div></div></section>
<section class="shopify-section section"><div class="facets-vertical page-width"><aside class="facets-wrapper page-width"><form class="facets__form"><h2 class="facets__heading">Filter:</h2><details class="disclosure-has-popup facets__disclosure"><summary class="facets__summary"><div><span class="facets__summary-label">Availability</span></div></summary></details><h2 class="product-count__text"><span>8 products</span></h2></form></aside>
<div class="product-grid-container"><div class="collection page-width"><ul class="grid product-grid grid--4-col-desktop">${names.map(card).join("")}</ul></div></div></div></section></main>`,
    ),
    "https://shop.example/collections/kitchen",
  );
  expect(pageType).toBe("collection");
  expect(text).toMatch(/^Collection: Kitchen ?Tools for people/);
  expect(text.match(new RegExp(names.join("|"), "g"))).toEqual(names);
  expect(text.match(/\$\d\d\.00/g)).toEqual(names.map((_, index) => `$${30 + index}.00`));
  expect(found(text, [...FRAME_TEXTS, "Availability", "Sale price"])).toEqual([]);
});

test("the last of a few cards keeps its title, which may be in a link of its own, whatever the footer says after it", () => {
  const cards = ["Aprons", "Spoons", "Bowls"].map(
    (name) =>
      `<div><div><a href="/${name}"><h5 data-sum="-0.7">All about ${name}</h5></a>${paragraph(name)}</div></div>`,
  );
  const footer = `<footer data-sum="-5"><p>Follow us</p>${paragraph("us")}${paragraph("our shops")}</footer>`;
  const kept = keptOf("service", `<main>${cards.join("")}</main>${footer}`);
  for (const name of ["Aprons", "Spoons", "Bowls"]) expect(kept).toContain(`All about ${name}`);
  expect(kept).not.toContain("Follow us");
});

test("the titles of works stay below the title of a page that shows little more than their pictures", () => {
  const works = ["Harbour lamps", "Honest boxes", "Bright bottles", "Brush of wood", "Bottle of steel"];
  const card = (title: string, at: number): string =>
    `<div class="col product"><a class="card" href="/w${at}"><img src="/${at}.jpg" width="600" height="400"><h6>Branding</h6><h4>${title}</h4></a></div>`;
  const page = (before: string, after = ""): string[] =>
    keptOf(
      "listing",
      `<main><h1>Our work</h1>${before}<div data-sum="-5">${works.map(card).join("")}</div></main>${after}`,
    );
  expect(page("<p>We make things that last.</p>")).toEqual(expect.arrayContaining(works));
  expect(page("<p>We make things that last.</p><h2 data-sum='-5'>Other works</h2>")).not.toContain(works[0]);
  expect(page(["nets", "lamps", "boats"].map(paragraph).join(""))).not.toContain(works[0]);
});
