import { expect, test } from "vitest";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";

test("a product page keeps its name, price, description and specification, and loses the recommendations", () => {
  const description =
    "A three-season tent for two with room to sit up. The flysheet is made of recycled ripstop nylon with taped seams, and both doors open to a porch that is large enough for a pack and wet boots.";
  const details = ["Packed weight: 1.9 kg", "Packed size: 44 x 14 cm", "Hydrostatic head: 3000 mm"];
  const others = ["Stormline 3 Tent", "Feather Sleeping Mat", "Titanium Pegs"]
    .map(
      (name) =>
        `<li class="product-card"><a href="/products/${name.toLowerCase().replaceAll(" ", "-")}"><img src="/x.jpg" alt=""><h3 class="product-card__title">${name}</h3><span class="price">€89.00</span></a></li>`,
    )
    .join("");
  const { pageType, text } = keep(
    page(
      "Stormline 2 Tent",
      `<main id="MainContent"><section class="product" itemscope itemtype="https://schema.org/Product"><div class="product__media"><img src="/tent.jpg" alt="Stormline 2"></div>
<div class="product__info"><h1 class="product__title" itemprop="name">Stormline 2 Tent</h1><div class="price">€349.00</div>
<form action="/cart/add" class="product-form"><label>Colour</label><select><option>Moss</option><option>Rust</option></select><button type="submit">Add to cart</button></form>
<div class="product__description rte" itemprop="description"><p>${description}</p><ul>${details.map((one) => `<li>${one}</li>`).join("")}</ul>
<p>Repairs are free for as long as you own it. Send the tent to our workshop and we will patch, seal and re-seam it within two weeks.</p></div></div></section>
<section class="product-recommendations"><h2>You may also like</h2><ul class="grid product-grid">${others}</ul></section></main>`,
      '<meta property="og:type" content="product">',
    ),
    "https://outdoor.example/products/stormline-2-tent",
  );
  expect(pageType).toBe("product");
  expect(found(text, ["€349.00", "€89.00"])).toEqual(["€349.00"]);
  expect(text).toContain(description);
  expect(found(text, details)).toEqual(details);
  expect(found(text, [...FRAME_TEXTS, "Add to cart", "Feather Sleeping Mat"])).toEqual([]);
});

test("a grid of cards keeps every card", () => {
  const names = [
    "Moss Green Wool Blanket",
    "Rust Linen Throw",
    "Hand-woven Cotton Rug",
    "Speckled Stoneware Mug",
    "Oak Serving Board",
    "Beeswax Pillar Candle",
    "Brass Wall Hook",
    "Woven Seagrass Basket",
  ];
  const cards = names
    .map(
      (name, index) =>
        `<li class="product-item"><a class="product-item__link" href="/products/item-${index}"><img src="/p${index}.jpg" alt="${name}"><h3 class="product-item__title">${name}</h3></a><div class="product-item__price">£${20 + index * 7}.00</div></li>`,
    )
    .join("");
  const { kept, text, html } = keep(
    page(
      "Home textiles and objects",
      `<main><header class="collection-header"><h1>Home textiles and objects</h1><p class="collection-description">Blankets, rugs and small objects for the home, made by eleven workshops on the coast.</p></header>
<div class="collection-filters"><h4>Filter by</h4><ul><li><a href="?c=wool">Wool (4)</a></li><li><a href="?c=linen">Linen (9)</a></li></ul></div>
<ul class="product-grid collection-grid">${cards}</ul><nav class="pagination"><a href="?page=2">2</a><a href="?page=3">3</a><a href="?page=2">Next</a></nav></main>`,
    ),
    "https://shop.example/collections/home",
  );
  expect(kept).toBe(true);
  expect(found(text, names)).toEqual(names);
  expect(html).toContain('src="/p3.jpg"');
  expect(found(text, FRAME_TEXTS)).toEqual([]);
});

test("a documentation page keeps code, tables and headings, and loses the tree of pages", () => {
  const tree = ["Installation", "Configuration", "Routing", "Plugins", "Deployment", "Troubleshooting", "Changelog"]
    .map(
      (name) => `<li class="menu__list-item"><a class="menu__link" href="/docs/${name.toLowerCase()}">${name}</a></li>`,
    )
    .join("");
  const { pageType, text, html } = keep(
    page(
      "Configuration",
      `<div class="docMainContainer"><aside class="theme-doc-sidebar-container"><nav class="menu"><ul class="menu__list">${tree}</ul></nav></aside>
<main class="docMainContainer"><article><div class="theme-doc-markdown markdown"><header><h1>Configuration</h1></header>
<p>The server reads its configuration from a file named <code>harbour.toml</code> in the working directory. Every setting has a default, so that an empty file is valid.</p>
<h2 id="limits">Limits<a class="hash-link" href="#limits">#</a></h2><p>The limits below apply to each connection. A value of zero switches a limit off.</p>
<table><thead><tr><th>Name</th><th>Default</th><th>Meaning</th></tr></thead><tbody><tr><td>maxBody</td><td>1048576</td><td>Largest request body in bytes</td></tr><tr><td>idle</td><td></td><td>Seconds until an idle connection is closed</td></tr><tr><td>strict</td><td><div><svg role="img"><title>On</title></svg></div></td><td>Refuse what is not valid</td></tr></tbody></table>
<div class="language-toml codeBlockContainer"><pre><code>[limits]\nmaxBody = 2_000_000\nidle = 30</code></pre></div>
<h2 id="reload">Reloading</h2><p>Send the process a hangup signal to read the file again. Open connections keep the limits with which they were made.</p></div></article>
<nav class="pagination-nav"><a class="pagination-nav__link" href="/docs/installation"><div class="pagination-nav__sublabel">Previous</div><div class="pagination-nav__label">Installation</div></a><a class="pagination-nav__link" href="/docs/routing"><div class="pagination-nav__sublabel">Next</div><div class="pagination-nav__label">Routing</div></a></nav></main></div>`,
      '<meta name="generator" content="Docusaurus v3.7">',
    ),
    "https://docs.harbour.example/docs/configuration",
  );
  expect(pageType).toBe("documentation");
  expect(text).toContain("Every setting has a default");
  expect(text).toContain("Open connections keep the limits");
  expect(html).toContain("maxBody = 2_000_000\nidle = 30");
  expect(html).toContain("<title>On</title>");
  // The empty cell keeps its column.
  expect(html).toMatch(/<td>idle<\/td>\s*<td><\/td>/);
  expect(found(text, [...FRAME_TEXTS, "Troubleshooting", "Changelog"])).toEqual([]);
});

test("a landing page keeps its sections", () => {
  const sections = [
    [
      "Accounts without paperwork",
      "Open a business account in ten minutes with nothing but your registration number. We fetch the rest from the public register.",
    ],
    [
      "Invoices that send themselves",
      "Connect your calendar and we draft an invoice for every appointment. You only press send, and reminders go out on their own.",
    ],
    [
      "Taxes set aside every day",
      "A share of each payment moves to a reserve account, so that the bill in spring is never a surprise for you or your bookkeeper.",
    ],
  ] as const;
  const { kept, text } = keep(
    page(
      "Banking for small workshops",
      `<main><section class="hero"><h1>Banking for small workshops</h1><p>One account for payments, invoices and taxes, made for businesses with fewer than ten people.</p><a class="btn btn-primary" href="/signup">Get started</a></section>
<section class="features">${sections.map(([heading, body]) => `<div class="feature"><h2>${heading}</h2><p>${body}</p></div>`).join("")}</section>
<section class="cta"><h2>Ready when you are</h2><a class="btn" href="/signup">Get started</a></section></main>`,
    ),
    "https://bank.example/",
  );
  expect(kept).toBe(true);
  for (const [heading, body] of sections) expect(found(text, [heading, body])).toEqual([heading, body]);
  expect(found(text, FRAME_TEXTS)).toEqual([]);
});
