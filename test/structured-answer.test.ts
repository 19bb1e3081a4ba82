/** What is answered from declared data, and what is left to the model because it is not certain. */
import { expect, test } from "vitest";
import type { StructuredData, StructuredItem } from "../src/contract/structured-data.ts";
import { schemaOfRest } from "../src/model/schema-forms.ts";
import { answerFromStructure } from "../src/model/structured-answer.ts";
import { finish } from "../src/shared/turn.ts";
import { cpuTime } from "./cpu-time.ts";

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

function item(type: string, properties: Record<string, unknown>): StructuredItem {
  const values = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, [value].flat()]));
  return { types: [type], from: "json-ld", properties: values as StructuredItem["properties"] };
}

function read(schema: object, data: Partial<StructuredData>) {
  const declared = { items: [], headings: [], tags: {}, tables: [], pairs: [], ...data };
  return finish(answerFromStructure(schema as Record<string, unknown>, declared));
}

const offer = (price: unknown, more = {}) => item("Offer", { price, priceCurrency: "EUR", ...more });
const shop = object({ name: text, price: number });

test("the thing the page is about answers, and only what is the same wherever it is declared", () => {
  const kettle = item("Product", { name: "Kettle", offers: offer("20") });
  expect(read(shop, { items: [item("WebSite", { name: "Shop" }), kettle] })).toMatchObject({
    value: { name: "Kettle", price: 20 },
    complete: true,
  });
  expect(
    read(shop, { items: [item("Product", { name: "Kettle", offers: [offer("20"), offer("25")] })] }).value,
  ).toEqual({ name: "Kettle" });
  expect(
    read(shop, { items: [kettle, { ...item("Product", { name: "Kettle", offers: offer("21") }), from: "microdata" }] })
      .value,
  ).toEqual({ name: "Kettle" });
});

test("the page's tags add what its thing does not declare, but for what every page has", () => {
  const items = [item("Product", { name: "Kettle", brand: "Acme" })];
  const tags = { "og:description": ["All about our shop"], "product:price:amount": ["20"] };
  const schema = object({ name: text, brand: text, price: number, description: text });
  expect(read(schema, { items, tags }).value).toEqual({ name: "Kettle", brand: "Acme", price: 20 });
  expect(read(schema, { tags }).value).toEqual({ price: 20, description: "All about our shop" });
});

test("a number of which something else is declared as well is not certain", () => {
  const items = [item("Product", { name: "Kettle", offers: [offer("20"), offer("on request")] })];
  expect(read(shop, { items }).value).toEqual({ name: "Kettle" });
});

test("what is declared but does not fit the schema is no answer", () => {
  const items = [item("Product", { name: "Kettle", sku: "k-1", offers: offer("20") })];
  const schema = object({
    name: text,
    sku: { type: "string", pattern: "^[0-9]+$" },
    price: { ...number, maximum: 10 },
  });
  expect(read(schema, { items })).toMatchObject({ value: { name: "Kettle" }, complete: false });
});

test("with several things, the one that the page is called after; else none", () => {
  const items = [
    item("Product", { name: "Kettle", offers: offer(20) }),
    item("Product", { name: "Pan", offers: offer(30) }),
  ];
  expect(read(shop, { items }).value).toBeUndefined();
  expect(read(shop, { items, headings: ["Pan | Shop"] }).value).toEqual({ name: "Pan", price: 30 });
  expect(read(shop, { items, headings: ["Kettle", "Pan"] }).value).toBeUndefined();
});

test("a field that is an object, or a list of them, gets the declared things, where a text would be their name", () => {
  const person = (name: string) => item("Person", { name, jobTitle: "Cook" });
  const recipe = item("Recipe", { name: "Soup", author: person("Ann"), recipeYield: "4" });
  const author = object({ name: text, jobTitle: text });
  const ann = { name: "Ann", jobTitle: "Cook" };
  expect(read(object({ author: text, recipeYield: text }), { items: [recipe] }).value).toMatchObject({ author: "Ann" });
  expect(read(object({ author, recipeYield: text }), { items: [recipe] }).value).toMatchObject({ author: ann });
  expect(
    read(object({ authors: { type: "array", items: author }, servings: text }), { items: [recipe] }).value,
  ).toMatchObject({ authors: [ann] });
  const address = item("PostalAddress", { addressLocality: "Rome" });
  const place = item("Place", { name: "Hall", address });
  const event = item("MusicEvent", { name: "Concert", startDate: "2025-05-01", location: place });
  expect(
    read(object({ startDate: text, location: object({ name: text, address: text }) }), { items: [event] }).value,
  ).toEqual({ startDate: "2025-05-01", location: { name: "Hall", address: "Rome" } });
  const job = item("JobPosting", { title: "Cook", hiringOrganization: item("Organization", { name: "Acme" }) });
  expect(read(object({ title: text, company: object({ name: text }) }), { items: [job] }).value).toMatchObject({
    company: { name: "Acme" },
  });
});

test("steps are the innermost parts of instructions, and never the names of their sections", () => {
  const schema = object({ cookTime: text, instructions: { type: "array", items: text } });
  const instructions = (recipeInstructions: unknown) =>
    read(schema, { items: [item("Recipe", { name: "Soup", cookTime: "PT1H", recipeInstructions })] }).value;
  const step = (text: string) => item("HowToStep", { name: "Do it", text });
  const mix = item("HowToStep", {
    name: "Mix",
    itemListElement: ["Stir.", "Shake."].map((text) => item("HowToDirection", { text })),
  });
  const all = { cookTime: "PT1H", instructions: ["Stir.", "Shake.", "Bake."] };
  expect(instructions([item("HowToSection", { name: "Dough", itemListElement: [mix, step("Bake.")] })])).toEqual(all);
  expect(instructions([mix, item("HowToSection", { name: "Oven", ItemListElement: step("Bake.") })])).toEqual(all);
  expect(
    instructions(item("ItemList", { itemListElement: [mix, item("ListItem", { position: 2, item: step("Bake.") })] })),
  ).toEqual(all);
  expect(instructions([item("HowToSection", { name: "Dough" })])).toEqual({ cookTime: "PT1H" });
});

test("an address is nobody's name, and yes or no is no text", () => {
  const address = "https://post.example/ann";
  const schema = object({ articleBody: text, author: text, authors: { type: "array", items: text }, url: text });
  const article = (author: unknown, more = {}) =>
    read(schema, { items: [item("Article", { articleBody: "B", author, url: address, ...more })] }).value;
  const rest = { articleBody: "B", url: address };
  expect(article(address)).toEqual(rest);
  expect(article(item("Person", { url: address }))).toEqual(rest);
  expect(article([item("Person", { url: address, name: "Ann" }), address])).toEqual({
    ...rest,
    author: "Ann",
    authors: ["Ann"],
  });
  expect(article("Ann", { articleBody: false, url: false })).toEqual({ author: "Ann", authors: ["Ann"] });
  expect(article("–")).toEqual(rest);
  const section = object({ articleBody: text, section: text });
  const sections = [item("Article", { articleBody: "B", articleSection: "https://post.example/news/" })];
  expect(read(section, { items: sections }).value).toEqual({ articleBody: "B" });
});

test("the steps that lead to a page are not what it lists", () => {
  const steps = ["Home", "Forum"].map((title) => item("Breadcrumb", { title, url: `https://a.example/${title}` }));
  const list = { type: "array", items: object({ title: text, url: text }) };
  expect(read(object({ results: list }), { items: steps }).value).toBeUndefined();
});

test("a list beside fields of the page's thing is not filled with that thing", () => {
  const recipe = item("Recipe", { name: "Soup", cookTime: "PT1H", recipeIngredient: ["Water", "Salt"] });
  const named = { type: "array", items: object({ name: text }, ["name"]) };
  for (const list of ["authors", "ingredients", "comments", "items"]) {
    const schema = object({ name: text, cookTime: text, [list]: named });
    expect([list, read(schema, { items: [recipe] }).value]).toEqual([list, { name: "Soup", cookTime: "PT1H" }]);
  }
});

test("a list holds what it is called after, and not whatever the page is about", () => {
  const list = { type: "array", items: object({ name: text, url: text }) };
  const article = item("NewsArticle", { headline: "A day", url: "https://a.example/" });
  for (const name of ["team", "mentionedCompanies", "links", "comments", "items", "results"]) {
    expect([name, read(object({ [name]: list }), { items: [article] }).value]).toEqual([name, undefined]);
  }
  expect(read(list, { items: [article] }).value).toBeUndefined();
  const hotels = ["Sun", "Moon"].map((name) => item("Hotel", { name, url: `https://a.example/${name}` }));
  const both = [
    { name: "Sun", url: "https://a.example/Sun" },
    { name: "Moon", url: "https://a.example/Moon" },
  ];
  expect(read(object({ hotels: list }), { items: hotels })).toMatchObject({ value: { hotels: both }, complete: true });
  expect(read(object({ results: list }), { items: hotels }).value).toEqual({ results: both });
  expect(read(object({ staff: list }), { items: hotels }).value).toBeUndefined();
  const entries = item("ItemList", { itemListElement: hotels.map((hotel) => item("ListItem", { item: hotel })) });
  expect(read(object({ hotels: list }), { items: [entries] }).value).toEqual({ hotels: both });
  expect(read(object({ results: list }), { items: [entries] }).value).toEqual({ results: both });
  expect(read(object({ products: list }), { items: [entries] }).value).toBeUndefined();
});

test("questions and answers of a page are found by these names", () => {
  const questions = ["Is it hot?", "Is it cold?"].map((name) =>
    item("Question", { name, acceptedAnswer: item("Answer", { text: "<p>Yes</p>" }) }),
  );
  const list = { type: "array", items: object({ question: text, answer: text }, ["question", "answer"]) };
  expect(read(object({ faq: list }), { items: questions })).toMatchObject({
    value: {
      faq: [
        { question: "Is it hot?", answer: "Yes" },
        { question: "Is it cold?", answer: "Yes" },
      ],
    },
    complete: true,
  });
  expect(
    read(object({ question: text, sku: text }), { items: [item("Product", { name: "Kettle", sku: "1" })] }).value,
  ).toEqual({ sku: "1" });
});

test("what a list may hold beside what is required is left to the model where nothing says it", () => {
  const items = [
    item("Product", { name: "Kettle", offers: offer(20) }),
    item("Product", { name: "Pan", offers: offer(30) }),
  ];
  const list = (more: object) =>
    object({ products: { type: "array", items: object({ name: text, ...more }, ["name"]) } });
  expect(read(list({ price: number }), { items })).toMatchObject({ complete: true });
  const partly = read(list({ price: number, colour: text }), { items });
  expect(partly).toMatchObject({
    value: { products: [{ name: "Kettle", price: 20 }, { name: "Pan" }] },
    complete: false,
  });
  expect(partly.answered.size).toBe(0);
  expect(read(list({ price: { ...number, description: "without tax" } }), { items })).toMatchObject({
    value: { products: [{ name: "Kettle" }, { name: "Pan" }] },
    complete: false,
  });
});

test("the publisher of a page is not what it is about", () => {
  const publisher = item("Organization", {
    name: "The Post",
    url: "https://post.example",
    telephone: "1",
    email: "a@post.example",
  });
  expect(read(object({ name: text, description: text }), { items: [publisher] }).value).toBeUndefined();
  expect(read(object({ name: text, telephone: text, email: text }), { items: [publisher] }).value).toEqual({
    name: "The Post",
    telephone: "1",
    email: "a@post.example",
  });
});

test.each([
  ["$20", 20],
  ["20 USD", 20],
  ["R$ 1.299,90", 1299.9],
  ["1.234,50", 1234.5],
  ["1,234.5", 1234.5],
  ["₹1,23,456.00", 123_456],
  ["CHF 1'234.50", 1234.5],
  ["1 234,50", 1234.5],
  ["1\u202f299\u00a0€", 1299],
  ["1.234.567", 1_234_567],
  ["0,99", 0.99],
  ["€ 1.299,-", 1299],
  ["20.–", 20],
  ["-5,5", -5.5],
  // Thousands or thousandths, ranges, words.
  ["1,299", undefined],
  ["€1.299", undefined],
  ["$10 - $20", undefined],
  ["from $20", undefined],
  ["2 kg", undefined],
  ["4.5/5", undefined],
  ["1.2.3", undefined],
  ["1,23,4", undefined],
])("a price written %j is a number where it is certain which", (written, expected) => {
  const value = { price: expected, sku: "1" };
  const items = [item("Product", { name: "K", sku: "1", offers: offer(written) })];
  expect(read(object({ price: number, sku: text }), { items }).value).toEqual(value);
});

test("what all variants of a product have alike is the product's, and they are a list of their own", () => {
  const variant = (sku: string, price: string) => item("Product", { sku, offers: offer(price) });
  const group = (...variants: StructuredItem[]) => ({
    items: [item("ProductGroup", { name: "Shirt", hasVariant: variants })],
  });
  const schema = object({
    name: text,
    price: number,
    variants: { type: "array", items: object({ sku: text, price: number }) },
  });
  expect(read(schema, group(variant("S", "20"), variant("M", "20"))).value).toEqual({
    name: "Shirt",
    price: 20,
    variants: [
      { sku: "S", price: 20 },
      { sku: "M", price: 20 },
    ],
  });
  expect(read(schema, group(variant("S", "20"), variant("M", "25"))).value).not.toHaveProperty("price");
});

test("questions are those of the page that is about them, and columns may have a unit", () => {
  const question = (name: string) => item("Question", { name, acceptedAnswer: item("Answer", { text: "So." }) });
  const faq = { items: [item("FAQPage", { mainEntity: [question("Why?"), question("How?")] })] };
  const list = { type: "array", items: object({ question: text, answer: text }) };
  const both = ["Why?", "How?"].map((asked) => ({ question: asked, answer: "So." }));
  expect(read(object({ faqs: list, questions: list }), faq).value).toEqual({ faqs: both, questions: both });
  const tables = [{ headers: ["Model", "Price (EUR)"], rows: [["A1", "1.299,00"]] }];
  expect(read({ type: "array", items: object({ model: text, price: number }) }, { tables }).value).toEqual([
    { model: "A1", price: 1299 },
  ]);
});

test("an address without a type, and people by what they do", () => {
  const address = { ...item("", { streetAddress: "1 Road", addressLocality: "Bern" }), types: [] };
  const film = item("Movie", {
    name: "Storm",
    director: item("Person", { name: "Ada" }),
    actor: item("Person", { name: "Bob" }),
  });
  const company = item("Organization", { name: "Acme", url: "https://acme.example", address });
  expect(read(object({ companyName: text, website: text, address: text }), { items: [company] }).value).toEqual({
    companyName: "Acme",
    website: "https://acme.example",
    address: "1 Road, Bern",
  });
  expect(read(object({ director: text, cast: { type: "array", items: text } }), { items: [film] }).value).toEqual({
    director: "Ada",
    cast: ["Bob"],
  });
});

test("values must have the form of the schema", () => {
  const price = (value: unknown) =>
    read(object({ price: number, sku: text }), {
      items: [item("Product", { name: "K", sku: "1", offers: offer(value) })],
    }).value;
  expect(price("1234.50")).toEqual({ price: 1234.5, sku: "1" });
  expect(price("from 20")).toEqual({ sku: "1" });
  const article = item("Article", { headline: "H", datePublished: "2026-05-04T10:00:00Z", keywords: "a, b" });
  expect(
    read(object({ title: text, published: { type: "string", format: "date" }, tags: { type: "array", items: text } }), {
      items: [article],
    }).value,
  ).toEqual({ title: "H", published: "2026-05-04", tags: ["a", "b"] });
  const kind = object({ sku: text, availability: { enum: ["in stock", "out of stock"] } });
  expect(
    read(
      {
        ...kind,
        properties: { ...kind.properties, availability: { type: "string", enum: ["in stock", "out of stock"] } },
      },
      {
        items: [
          item("Product", { name: "K", sku: "1", offers: offer(1, { availability: "https://schema.org/OutOfStock" }) }),
        ],
      },
    ).value,
  ).toEqual({ sku: "1", availability: "out of stock" });
});

test("of choices that differ only in case, spaces or signs, the one with the very text is meant", () => {
  const choices = { type: "string", enum: ["C", "C++", "c", "new york", "New York", "InStock"] };
  const of = (sku: string) =>
    read(object({ name: text, sku: choices }), { items: [item("Product", { name: "Kettle", sku })] }).value;
  for (const sku of choices.enum) expect(of(sku)).toEqual({ name: "Kettle", sku });
  expect(of("NEW YORK")).toEqual({ name: "Kettle", sku: "new york" });
  expect(of("https://schema.org/InStock")).toEqual({ name: "Kettle", sku: "InStock" });
});

test("lists of things: all of a type, if each answers what is required; a declared list; the columns of a table", () => {
  const items = [
    item("Product", { name: "Kettle", offers: offer(20) }),
    item("Product", { name: "Pan", offers: offer(30) }),
  ];
  const list = object({ products: { type: "array", items: object({ name: text, price: number }, ["name", "price"]) } });
  const both = {
    products: [
      { name: "Kettle", price: 20 },
      { name: "Pan", price: 30 },
    ],
  };
  expect(read(list, { items })).toMatchObject({ value: both, complete: true });
  expect(read(list, { items: [...items, item("Product", { name: "Pot" })] }).value).toBeUndefined();
  expect(read({ type: "array", items: object({ name: text, price: number }, ["name"]) }, { items })).toMatchObject({
    value: both.products,
    complete: true,
  });
  const tables = [
    {
      headers: ["Name", "Price"],
      rows: [
        ["Kettle", "20"],
        ["Pan", "30"],
      ],
    },
  ];
  expect(read(list, { tables }).value).toEqual(both);
  expect(read(list, { tables: [...tables, ...tables] }).value).toBeUndefined();
  expect(
    read(list, { tables: [{ headers: ["Name", "Price"], rows: [["Kettle", "20 € each"]] }] }).value,
  ).toBeUndefined();
});

test("labels and tags answer where nothing better is declared", () => {
  expect(
    read(object({ weight: text, colour: text }), {
      pairs: [
        ["Weight", "2 kg"],
        ["Colour", "red"],
        ["Colour", "blue"],
      ],
    }).value,
  ).toEqual({ weight: "2 kg" });
  expect(
    read(object({ title: text, price: number }), { tags: { "og:title": ["Kettle"], "product:price:amount": ["20"] } })
      .value,
  ).toEqual({ title: "Kettle", price: 20 });
});

test("a description that asks for more than the name says leaves the field to the model", () => {
  const schema = object({
    sku: text,
    price: { type: "number", description: "Price without tax" },
    brand: { type: "string", description: "The brand" },
  });
  const kettle = item("Product", { name: "Kettle", sku: "1", brand: "Acme", offers: offer("20") });
  expect(read(schema, { items: [kettle] })).toMatchObject({ value: { sku: "1", brand: "Acme" }, complete: false });
});

test.each([
  ["price", "The price"],
  ["price", "Product price"],
  ["price", "Price of the item"],
  ["price", "The current price of this product as a number, if available"],
  ["name", "The name of the product"],
  ["name", "Full product name as shown on the page"],
  ["jobTitle", "The job title"],
  ["company", "Name of the hiring company"],
  ["company", "The employer"],
  ["image_url", "URL of the main image"],
  ["images", "List of image URLs"],
  ["rating", "The rating value"],
  ["inStock", "Whether the product is in stock"],
  ["published_at", "Date when the article was published"],
  ["condition", "One of new, used"],
])("a description that says what the name says sets no condition: %s, %s", (name, description) => {
  const form = name === "images" ? { type: "array", items: text } : text;
  const field = { ...form, ...(name === "condition" ? { enum: ["new", "used"] } : {}), description };
  expect(read(object({ sku: text, [name]: field }), { items: [item("Product", { sku: "1" })] })).toMatchObject({
    conditional: new Set(),
    isPlain: true,
  });
});

test.each([
  { description: "Price in dollars" },
  { description: "The price, in cents" },
  { description: "Old price" },
  { description: "List price" },
  { description: "price including shipping" },
  { description: "highest price" },
  { description: "Preis in Schweizer Franken" },
  { title: "Price in cents" },
  { description: "The name of the seller" },
])("a description that says more than the name sets a condition: %o", (more) => {
  const kettle = item("Product", { name: "Kettle", offers: offer("20") });
  const answer = read(object({ name: text, price: { ...number, ...more } }), { items: [kettle] });
  expect(answer).toMatchObject({
    value: { name: "Kettle", price: 20 },
    answered: new Set(["name"]),
    conditional: new Set(["price"]),
    isPlain: false,
  });
  const inList = {
    products: { type: "array", items: object({ name: text, price: { ...number, ...more } }, ["name"]) },
  };
  expect(read(object(inList), { items: [kettle] }).answered.size).toBe(0);
});

test("the title of an object is the name of its class, and its words may occur in what is said of its fields", () => {
  const schema = { ...object({ name: { ...text, description: "Name of the kettle" } }), title: "KettleDetails" };
  expect(read(schema, { items: [item("Product", { name: "Kettle" })] })).toMatchObject({ isPlain: true });
});

test("what is answered is not asked again", () => {
  expect(schemaOfRest({ ...object({ a: text, b: text }, ["a", "b"]), $defs: {} }, new Set(["a"]))).toEqual({
    type: "object",
    properties: { b: text },
    required: ["b"],
    $defs: {},
  });
});

test("a large schema is answered from a large page in good time", () => {
  const many = (count: number, name: string, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]));
  const items = Array.from({ length: 1500 }, (_, i) => item("Product", { name: `N${i}`, ...many(100, "key", "v") }));
  const pairs = Array.from({ length: 500 }, (_, i) => [`Label ${i}`, "v"] as const);
  const started = cpuTime();
  const answer = read(object(many(1000, "label", text)), { items, pairs });
  expect(answer.answered.size).toBe(500);
  expect(cpuTime() - started).toBeLessThan(3000);
});

test("which of many things the page is called after is told in a bounded time, however long its headings are", () => {
  const items = Array.from({ length: 20_000 }, (_, at) => item("Product", { name: `Thing ${at}`, sku: `s-${at}` }));
  const headings = ["a - b ".repeat(10_000), "Thing 7 | Shop"];
  const started = cpuTime();
  expect(read(object({ name: text, sku: text }), { items, headings }).value).toEqual({ name: "Thing 7", sku: "s-7" });
  expect(cpuTime() - started).toBeLessThan(2000);
});

test("others get in between the very many values of one thing, whether they are plain or things", () => {
  const count = 50_000;
  const parts = Array.from({ length: 3000 }, (_, at) => item("Product", { name: `N${at}`, sku: `s${at}` }));
  const same = Array<string>(count).fill("Kettle");
  const kettle = item("Product", { name: same, keywords: same, hasVariant: parts });
  const list = (items: object) => ({ type: "array", items });
  const schema = object({ name: text, keywords: list(text), variants: list(object({ name: text, sku: text })) });
  const declared = { items: [kettle], headings: [], tags: {}, tables: [], pairs: [] };
  const steps = answerFromStructure(schema, declared);
  let taken = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) taken++;
  expect(step.value.value).toMatchObject({ name: "Kettle", keywords: ["Kettle"], variants: { length: 3000 } });
  // Each field is read at least once.
  expect(taken).toBeGreaterThan(2 * Math.floor(count / 1000) + parts.length);
});

test("a long description is read once, not for each of many things", () => {
  const items = Array.from({ length: 40_000 }, (_, at) => item("Product", { name: `Thing ${at}`, sku: `s-${at}` }));
  const description = "the name of it is good ".repeat(8000);
  const schema = object({ products: { type: "array", items: object({ name: { ...text, description }, sku: text }) } });
  const started = cpuTime();
  expect(read(schema, { items }).value).toMatchObject({ products: { length: 40_000 } });
  expect(cpuTime() - started).toBeLessThan(6000);
});

test("many rows are read in a bounded time, however many choices their columns have", () => {
  const kind = { type: "string", enum: Array.from({ length: 20_000 }, (_, number) => `kind ${number}`) };
  const schema = object({ rows: { type: "array", items: object({ kind, size: kind }) } });
  const rows = Array.from({ length: 2000 }, (_, number) => [`Kind ${number + 15_000}`, "kind 19999"]);
  const { value } = read(schema, { tables: [{ headers: ["Kind", "Size"], rows }] });
  expect(value).toMatchObject({ rows: { 0: { kind: "kind 15000", size: "kind 19999" } } });
}, 10_000);

test("many lists that could be any of many tables are looked for in a bounded time", () => {
  const list = { type: "array", items: object({ a: text, b: text }) };
  const schema = object(Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`rows${number}`, list])));
  const rows = Array.from({ length: 2000 }, (_, number) => [`x${number}`, "y"]);
  const tables = Array.from({ length: 20 }, () => ({ headers: ["a", "b"], rows }));
  expect(read(schema, { tables }).complete).toBe(false);
}, 10_000);

test("a text that may have one of several formats is certain in any of them", () => {
  const moment = {
    anyOf: [
      { type: "string", format: "date" },
      { type: "string", format: "date-time" },
    ],
  };
  const schema = object({ datePublished: moment, dateModified: moment });
  const declared = { headline: "H", datePublished: "2026-05-04", dateModified: "2026-05-05T10:00:00Z" };
  expect(read(schema, { items: [item("Article", declared)] }).value).toEqual({
    datePublished: "2026-05-04",
    dateModified: "2026-05-05T10:00:00Z",
  });
  expect(read(schema, { items: [item("Article", { ...declared, datePublished: "in May" })] }).value).toEqual({
    dateModified: "2026-05-05T10:00:00Z",
  });
});

test("what other things on the page have is not taken for the thing's own", () => {
  const schema = object({ name: text, author: text, sku: text, color: text });
  const related = item("Product", { name: "Pan", sku: "p-1" });
  const comment = item("Comment", { text: "Nice", author: item("Person", { name: "Ann" }) });
  const review = item("Review", { author: "Bob", color: "red" });
  const kettle = item("Product", { name: "Kettle", isRelatedTo: related, comment, review, productID: "k" });
  const productID = object({ ...schema.properties, productID: text });
  expect(read(productID, { items: [kettle] }).value).toEqual({ name: "Kettle", productID: "k" });
});
