/** How answers of several pages, or parts of one, become one. */
import { expect, test } from "vitest";
import { differences } from "../src/model/compare-by-model.ts";
import { mergeAnswers } from "../src/model/merge.ts";
import { readAnswer } from "../src/model/repair.ts";
import { splitText } from "../src/model/split.ts";
import { estimateTokens } from "../src/model/tokens.ts";
import { cpuTime } from "./cpu-time.ts";

const merge = async (...values: unknown[]) =>
  (
    await mergeAnswers(
      undefined,
      values.map((value) => ({ value, weight: 1 })),
    )
  ).value;

test("fields: what most say, then the better-matching page, then the first", async () => {
  expect(await merge({ a: 1 }, { a: 2 }, { a: 2 })).toEqual({ a: 2 });
  expect(
    (
      await mergeAnswers(undefined, [
        { value: { a: 1 }, weight: 1 },
        { value: { a: 2 }, weight: 2 },
      ])
    ).value,
  ).toEqual({ a: 2 });
  expect(await merge({ a: 1, b: null }, { a: 2, b: 3 })).toEqual({ a: 1, b: 3 });
  expect(await merge({ a: "", b: " " }, { a: "x", b: "" })).toEqual({ a: "x", b: " " });
  expect(await merge({ a: "Blue  Kettle" }, { a: "red" }, { a: "blue kettle" })).toEqual({ a: "Blue  Kettle" });
});

test("the thing about which most is known is not the one with most empty fields", async () => {
  const lamp = { name: "Lamp", price: 9, parts: ["bulb"] };
  const empty = { name: "Kettle", price: null, colour: "", sizes: [], parts: [] };
  expect(await merge(empty, lamp)).toEqual(lamp);
});

test("a thing of which only the number is told is not another of which only the name is", async () => {
  const lamp = { name: "Lamp", price: 9, colour: "red" };
  expect(await merge({ sku: "K-100", price: 5 }, lamp)).toEqual(lamp);
});

test("what one page leaves open and the next one fills tells an item from that of a third", async () => {
  const item = (size: string | null) => ({ colour: "red", kind: "cup", size });
  expect(await merge([item(null)], [item("L")], [item("S")])).toEqual([item("L"), item("S")]);
});

test("items without a name are met again by any of their values", async () => {
  expect(await merge([{ colour: "red", size: "L" }], [{ size: "L", kind: "cup" }])).toEqual([
    { colour: "red", size: "L", kind: "cup" },
  ]);
});

test("the lists of a thing do not join a list with a title", async () => {
  const list = { title: "Kettles", products: [{ name: "Kettle A" }, { name: "Kettle B" }] };
  expect(
    await merge({ name: "Lamp", sku: "L-1", offers: [{ seller: "Acme" }] }, { ...list, url: "/k", count: 2 }),
  ).toEqual({
    ...list,
    url: "/k",
    count: 2,
  });
});

test("a page that says the same twice counts once", async () => {
  const item = (price: number) => ({ sku: "K-100", name: "Kettle", price });
  const { value } = await mergeAnswers(undefined, [
    { value: [item(5), item(5)], weight: 1 },
    { value: [item(6)], weight: 2 },
  ]);
  expect(value).toEqual([item(6)]);
});

test("an item that got its number on a second page is not one of another number on a third", async () => {
  const items = [{ name: "Kettle" }, { name: "Kettle", sku: "K-1" }, { name: "Kettle", sku: "K-2" }];
  expect(await merge(...items.map((item) => [item]))).toEqual(items.slice(1));
});

test("an object is about one thing: what is known of another is left out", async () => {
  expect(
    await merge(
      { name: "Acme", city: "Rome" },
      { name: "Other", city: "Oslo", phone: "1", fax: "2" },
      { name: "Acme Inc", phone: "9", fax: "8", web: "x" },
    ),
  ).toEqual({ name: "Acme", city: "Rome", phone: "9", fax: "8", web: "x" });
  expect(await merge({ sku: "1", price: 5 }, { sku: "2", colour: "red" })).toEqual({ sku: "1", price: 5 });
});

test("an object that names nothing is about one thing too: answers that contradict each other are not mixed", async () => {
  const acme = { company: "Acme", ceo: "Ann" };
  expect(await merge(acme, { company: "Acme Inc", founded: 1990 }, { ...acme, city: "Rome" })).toEqual({
    ...acme,
    founded: 1990,
    city: "Rome",
  });
  const beta = { company: "Beta", ceo: "Bob", founded: 1980 };
  expect(await merge(acme, beta)).toEqual(beta);
  expect(await merge(acme, { ...acme, city: "Rome" }, beta)).toEqual({ ...acme, city: "Rome" });
  // What both have in common says less than what tells them apart.
  expect(
    await merge(
      { product: "Kettle", price: 20, currency: "EUR", inStock: true, weight: 2 },
      { product: "Pan", price: 30, currency: "EUR", inStock: true, colour: "red" },
    ),
  ).toEqual({ product: "Kettle", price: 20, currency: "EUR", inStock: true, weight: 2 });
  // One difference is a disagreement about one thing.
  expect(await merge({ price: 20, colour: "red" }, { price: 30, weight: 2 })).toEqual({
    price: 20,
    colour: "red",
    weight: 2,
  });
  expect(
    await merge({ address: { city: "Rome", zip: "1" } }, { address: { city: "Oslo", zip: "2", street: "S" } }),
  ).toEqual({ address: { city: "Oslo", zip: "2", street: "S" } });
  // Sentences are put differently on each page.
  const about = (year: number) =>
    `A company of two hundred people who have made kettles and nothing else since ${year}.`;
  expect(
    await merge({ about: about(1990), plan: about(1991) }, { about: about(1992), plan: about(1993), fax: "1" }),
  ).toEqual({ about: about(1990), plan: about(1991), fax: "1" });
  // Another answer about what has a name must not contradict what is known of it.
  expect(await merge({ name: "Acme", ...acme }, { ceo: "Bob", company: "Beta", fax: "1" }, { web: "x" })).toEqual({
    name: "Acme",
    ...acme,
    web: "x",
  });
});

test("lists: one item for one thing, in order, with nested lists; variants on one page stay apart", async () => {
  const first = {
    items: [
      { name: "Kettle", price: 20, tags: ["red"] },
      { name: "Pan", price: null },
    ],
  };
  const second = {
    items: [
      { name: "pan", price: 30 },
      { name: "kettle", tags: ["Red", "blue"], stores: [{ name: "A" }] },
      { name: "Pot" },
    ],
  };
  expect(await merge(first, second)).toEqual({
    items: [
      { name: "Kettle", price: 20, tags: ["red", "blue"], stores: [{ name: "A" }] },
      { name: "Pan", price: 30 },
      { name: "Pot" },
    ],
  });
  expect(
    await merge({
      items: [
        { name: "Tee", size: "S" },
        { name: "Tee", size: "M" },
      ],
    }),
  ).toEqual({
    items: [
      { name: "Tee", size: "S" },
      { name: "Tee", size: "M" },
    ],
  });
  expect(await merge([{ name: "Ann", email: "a@x.example" }], [{ name: "Ann", email: "b@x.example" }])).toHaveLength(2);
  expect(
    await merge(
      [{ year: 2020, sum: 5 }],
      [
        { year: 2020, sum: 5, note: "n" },
        { year: 2021, sum: 5 },
      ],
    ),
  ).toEqual([
    { year: 2020, sum: 5, note: "n" },
    { year: 2021, sum: 5 },
  ]);
  expect(await merge(["a", "b"], ["B", "c"])).toEqual(["a", "b", "c"]);
});

test("lists: what several things may share makes no two of them one", async () => {
  const apart = [
    [
      { position: "Dev", companyUrl: "https://a.example" },
      { position: "Tester", companyUrl: "https://a.example" },
    ],
    [
      { position: "Dev", company_name: "Acme" },
      { position: "Tester", company_name: "Acme" },
    ],
    [
      { firstName: "Ann", lastName: "Lee" },
      { firstName: "Ann", lastName: "Kay" },
    ],
    [
      { name: "Ann", phone: "555" },
      { name: "Bob", phone: "555" },
    ],
    [
      { city: "Rome", imageUrl: "/none.png" },
      { city: "Oslo", imageUrl: "/none.png" },
    ],
    [
      { colour: "red", category_id: 7 },
      { colour: "blue", category_id: 7 },
    ],
  ];
  for (const [one, other] of apart)
    expect(await merge({ jobs: [one] }, { jobs: [other] })).toEqual({ jobs: [one, other] });
  const lots = await merge({ lots: [{ name: "Vase", currentBid: 10 }] }, { lots: [{ name: "Vase", currentBid: 12 }] });
  expect((lots as { lots: unknown[] }).lots).toHaveLength(1);
  const companies = await merge(
    { companies: [{ company_name: "Acme", city: "Rome" }] },
    { companies: [{ company_name: "Acme", city: "Roma" }] },
  );
  expect((companies as { companies: unknown[] }).companies).toHaveLength(1);
});

test("lists: a name that one page gives to several things does not make them one on the next", async () => {
  const tees = (...sizes: string[]) => ({ items: sizes.map((size) => ({ name: "Tee", size })) });
  expect(await merge(tees("S", "M"), tees("M", "L"))).toEqual(tees("S", "M", "L"));
  expect(await merge(tees("S"), tees("M", "L"))).toEqual(tees("S", "M", "L"));
  const sizes = Array.from({ length: 30 }, (_, index) => `size ${index}`);
  expect(await merge(tees(...sizes), tees(...sizes))).toEqual(tees(...sizes));
});

test("lists: different items of one list are different things, whatever could be told of one", async () => {
  const flights = [
    { airline: "LH", price: 100 },
    { airline: "LH", duration: "2h" },
    { airline: "LH", price: 100, duration: null },
  ];
  expect(await merge({ flights })).toEqual({ flights });
  expect(await merge({ flights }, { flights })).toEqual({ flights });
  expect(await merge({ flights: [flights[0], flights[0]] }, { flights: [flights[1]] })).toEqual({
    flights: [{ airline: "LH", price: 100, duration: "2h" }],
  });
});

test("lists: things of one title differ by their day, place or author, and by several other facts", async () => {
  const apart = [
    [
      { title: "Engineer", location: "Berlin" },
      { title: "Engineer", location: "Paris" },
    ],
    [
      { name: "Engineer", office: "Berlin", salary: 10 },
      { name: "Engineer", office: "Paris", salary: 20 },
    ],
    [
      { name: "Yoga", date: "2026-05-01" },
      { name: "Yoga", date: "2026-05-08" },
    ],
    [
      { name: "Yoga", start: "2026-05-01T10:00:00Z" },
      { name: "Yoga", start: "2026-05-01T18:00:00Z" },
    ],
    [
      { title: "Great", author: "Ann", stars: 5 },
      { title: "Great", author: "Bob", stars: 5 },
    ],
    [
      { title: "Great", reviewer_name: "Ann" },
      { title: "Great", reviewer_name: "Bob" },
    ],
    [
      { title: "Engineer", city: "Berlin", company: "Acme" },
      { title: "Engineer", city: "Berlin", company: "Globex" },
    ],
  ];
  for (const [one, other] of apart) expect(await merge([one], [other])).toEqual([one, other]);
  const one = [
    [
      { title: "Engineer", location: "Berlin" },
      { title: "Engineer", location: "Berlin, Germany" },
    ],
    [
      { name: "Yoga", date: "2026-05-01" },
      { name: "Yoga", date: "1 May 2026" },
    ],
    [
      { title: "Kettles", updated_date: "2026-05-01" },
      { title: "Kettles", updated_date: "2026-05-02" },
    ],
    [
      { name: "Kettle", price: 10 },
      { name: "Kettle", price: 12 },
    ],
    [
      { title: "Engineer", url: "https://x.example/1", location: "NYC", date: "2026-05-01" },
      { title: "Engineer", url: "https://x.example/1", location: "New York, NY", date: "2026-05-02" },
    ],
    [
      { name: "Kettle", sku: "k1", price: 10, stock: 5 },
      { name: "Kettle", sku: "k1", price: 12, stock: 7 },
    ],
  ];
  for (const [left, right] of one) expect(await merge([left], [right])).toEqual([left]);
});

test("parts of one page: items that differ in anything are different ones; what is cut in two becomes one", async () => {
  const ofParts = async (...values: unknown[]) =>
    (
      await mergeAnswers(
        undefined,
        values.map((value) => ({ value, weight: 1 })),
        { areParts: true },
      )
    ).value;
  const jobs = [
    { title: "Engineer", salary: 50 },
    { title: "Clerk", salary: 30 },
    { title: "Engineer", salary: 60 },
  ];
  expect(await ofParts({ jobs: jobs.slice(0, 2) }, { jobs: jobs.slice(2) })).toEqual({ jobs });
  expect(await ofParts([{ title: "Clerk", city: "Rome" }], [{ title: "Clerk", salary: 30 }])).toEqual([
    { title: "Clerk", city: "Rome", salary: 30 },
  ]);
  expect(
    await ofParts({ name: "One", items: [{ name: "a" }], tags: ["x"] }, { name: "Two", items: [{ name: "b" }] }),
  ).toEqual({ name: "One", items: [{ name: "a" }, { name: "b" }], tags: ["x"] });
});

test("lists below a title are united, whatever page's title is taken; those of things are not", async () => {
  const kettles = { title: "Kettles", products: [{ name: "A" }, { name: "B" }] };
  const pots = { title: "Pots", products: [{ name: "C" }] };
  expect(await merge(kettles, pots)).toEqual({
    title: "Kettles",
    products: [{ name: "A" }, { name: "B" }, { name: "C" }],
  });
  const acme = { name: "Acme", city: "Rome", people: [{ name: "Ann" }] };
  expect(await merge(acme, { name: "Other", people: [{ name: "Bob" }] })).toEqual(acme);
  const recipe = { title: "Pancakes", ingredients: [{ name: "flour" }] };
  expect(await merge(recipe, { title: "Waffles", ingredients: [{ name: "sugar" }] })).toEqual(recipe);
  const post = { title: "Tea", author: "Ann", date: "2026-05-01", comments: [{ text: "yes" }] };
  expect(await merge(post, { ...post, title: "Coffee", comments: [{ text: "no" }] })).toEqual(post);
});

test.each([
  ["https://x.example/a-b", "https://x.example/a/b"],
  ["/AbC", "/aBc"],
  ["john.doe@x.example", "john-doe@x.example"],
  ["-v", "-V"],
  ["1.5", "1:5"],
  ["a && b", "a || b"],
  ["★★★ hotel", "★★ hotel"],
  ["src/a.b", "src/a-b"],
  ["dQw4w9WgXcQ", "dqw4w9WgXcQ"],
  [`${"long ".repeat(500)}one`, `${"long ".repeat(500)}two`],
])("%j and %j are different texts", async (one, other) => {
  expect(await merge([one], [other])).toEqual([one, other]);
  expect(await merge([{ size: 1, value: one }], [{ size: 1, value: other }])).toHaveLength(2);
});

test.each([
  ["https://x.example/a/", "https://x.example/a"],
  ["Ann@X.example", "ann@x.example"],
  ["and/or", "And/Or"],
  ["1,5 kg", "1.5 kg"],
  ["Kettle", " kettle "],
  ["COVID-19", "Covid-19"],
  ["PS5", "Ps5"],
])("%j and %j are the same text", async (one, other) => {
  expect(await merge([one], [other])).toEqual([one]);
});

test("lists: signs make another thing of a text", async () => {
  const texts = ["C", "C++", "C#", "-3 °C", "3 °C", "€5", "$5", "A+", "A-", "<5", "5%", "2020-01-02"];
  expect(await merge(texts, ["c++", "−3 °C", "2020 01 02", "5 €"])).toEqual(texts);
  const things = texts.map((name) => ({ name }));
  expect(await merge(things, things)).toEqual(things);
});

test("origins name what each value was taken from", async () => {
  const { origins } = await mergeAnswers(undefined, [
    { value: { items: [{ name: "A", price: 1 }] }, weight: 1 },
    { value: { items: [{ name: "B" }, { name: "a", price: 1 }] }, weight: 1 },
  ]);
  expect(origins.get("items[0].price")).toEqual([
    { from: 0, path: "items[0].price" },
    { from: 1, path: "items[1].price" },
  ]);
  expect(origins.get("items[1].name")).toEqual([{ from: 1, path: "items[0].name" }]);
});

test("thousands of items are merged in a moment, also when all look alike", async () => {
  const many = (name: (index: number) => string) => ({
    items: Array.from({ length: 5000 }, (_, index) => ({ name: name(index), n: index })),
  });
  const started = cpuTime();
  expect(((await merge(many(String), many(String))) as { items: unknown[] }).items).toHaveLength(5000);
  await merge(
    many(() => "same"),
    many(() => "same"),
  );
  expect(cpuTime() - started).toBeLessThan(5000);
});

test("lists: the only list keeps what it holds several times; several lists are united without duplicates", async () => {
  const ratings = [5, 5, 4];
  expect(await merge({ ratings, days: [[1], [1]] })).toEqual({ ratings, days: [[1], [1]] });
  expect(await merge({ ratings }, { name: "Kettle" })).toEqual({ ratings, name: "Kettle" });
  expect(await merge({ ratings: [5, 4] }, { ratings: [5, 5, 3] })).toEqual({ ratings: [5, 4, 3] });
});

test("keys of any name are data", async () => {
  const value = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as object;
  const merged = (await merge(value, value)) as object;
  expect(Object.keys(merged)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("while long lists are merged, the rest of the process goes on", async () => {
  const list = (from: number) =>
    Array.from({ length: 10_000 }, (_, index) => ({ name: `n${from + index}`, tags: ["a"] }));
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const merged = await merge(
    ...[0, 5000, 10_000].map((from) => ({ items: list(from), words: Array(5000).fill("same") })),
  );
  clearImmediate(timer);
  expect(merged).toEqual({
    items: Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}`, tags: ["a"] })),
    words: ["same"],
  });
  expect(turns).toBeGreaterThan(4);
});

test("a text is split at its blocks, wholly, and never inside code unless it must", () => {
  const text = Array.from(
    { length: 200 },
    (_, index) =>
      `## Part ${index}\n\nSome words about part ${index}, and a few more.\n\n\`\`\`\ncode ${index}\n\nmore\n\`\`\`\n`,
  ).join("\n");
  const parts = splitText(text, 500);
  expect(parts.join("")).toBe(text);
  for (const part of parts) {
    expect(estimateTokens(part)).toBeLessThanOrEqual(500);
    expect(part.match(/^```/gm)!.length % 2).toBe(0);
    expect(part.startsWith("## Part")).toBe(true);
  }
  const line = "word ".repeat(20_000);
  expect(splitText(line, 500).join("")).toBe(line);
  const emoji = "😀".repeat(5000);
  expect(splitText(emoji, 499).every((part) => part.isWellFormed())).toBe(true);
  expect(splitText("short", 500)).toEqual(["short"]);
});

test.each([
  ['{"a": 1}', { a: 1 }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ["Here it is:\n\n```\n[1, 2]\n```\nDone.", [1, 2]],
  ["{a: 'x', b: [1, 2,],}", { a: "x", b: [1, 2] }],
  ['{"a": {"b": 1', { a: { b: 1 } }],
  ['{"a": -}', undefined],
  ['{"a": 1e}', undefined],
  ['{"a": "- }"}', { a: "- }" }],
  // A model that corrects itself does so at the end.
  ['{"a": 1} is wrong, so {"a": 2}', { a: 2 }],
  ['Draft {"name": "a long long draft", "a": 1}\nFinal answer: {"a": 2}', { a: 2 }],
  ['{"a": 1, "b": 2}, where {"c": 3} would be wrong', { a: 1, b: 2 }],
  ['{"a": [1, 2], "b": null}\nNote: without the last, {"b": 6}', { a: [1, 2], b: null }],
  ['{"a": [1, 2]}\nIf you want only one: {"a": [1]}', { a: [1, 2] }],
  ['{"a": "Mon: -, Tue: 9-5", "b": "1er, 2e, 3e",}', { a: "Mon: -, Tue: 9-5", b: "1er, 2e, 3e" }],
  ["no json at all", undefined],
  ["", undefined],
  ["{".repeat(100_000), undefined],
])("an answer is read: %j", (text, expected) => {
  const read = readAnswer(text);
  if (expected === undefined)
    expect(typeof read?.value === "object" && Object.keys(read.value as object).length > 0 && text.length < 100).toBe(
      false,
    );
  else expect(read?.value).toEqual(expected);
});

test.each([
  ['{"a": "x", "b": true', { a: "x", b: true }],
  ['{"a": "x", "b": "y"', { a: "x", b: "y" }],
  ['{"a": "x", "b": 12', { a: "x" }],
  ['{"a": "x", "b": -', { a: "x" }],
  ['{"a": "x", "b": tru', { a: "x" }],
  ['{"a": "x", "b": "Ket', { a: "x" }],
  ["[1, 2, 3", [1, 2]],
])("what a value was going to be when the answer broke off is not known: %j", (text, expected) => {
  expect(readAnswer(text, true)).toEqual({ value: expected, brokenOff: true });
});

test.each(['"', "'a", "{", '["a" "b" ', "```", "[/*"])(
  "hostile: an answer of nothing but %j is given up soon",
  (unit) => {
    const started = cpuTime();
    readAnswer(`{${unit.repeat(300_000 / unit.length)}`);
    readAnswer(`{${unit.repeat(15_000 / unit.length)}`);
    expect(cpuTime() - started).toBeLessThan(4000);
  },
);

test("what differs between two versions is named, with both values", () => {
  expect(differences({ a: 1, b: { c: 2, d: 3 }, list: [1] }, { a: 1, b: { c: 5, d: 3 }, list: [1, 2], e: 4 })).toEqual({
    b: { c: { previous: 2, current: 5 } },
    list: { previous: [1], current: [1, 2] },
    e: { previous: null, current: 4 },
  });
  expect(differences({ a: { b: 1 } }, { a: { b: 1 } })).toEqual({});
});

const list = (length: number, item: (index: number) => unknown) => Array.from({ length }, (_, index) => item(index));

/** Each takes minutes where the work grows with the square of the answers. */
test.each<[string, () => unknown[], number]>([
  ["items of one thing, each with a field of its own", () => list(15_000, (at) => [{ name: "x", [`f${at}`]: 1 }]), 1],
  ["numbers of one thing", () => list(15_000, (at) => [{ name: "x", [`f${at}_sku`]: at }]), 1],
  ["items of one name in a list", () => [list(15_000, (at) => ({ name: "x", [`f${at}`]: 1 }))], 15_000],
  ["items of one number in two lists", () => list(2, () => list(5000, (at) => ({ sku: "x", [`f${at}`]: 1 }))), 5000],
  ["addresses with slashes", () => list(2, () => [{ url: `a${"/".repeat(300_000)}b` }]), 1],
])("many %s take a bounded time", async (_, lists, items) => {
  const before = cpuTime();
  expect(await merge(...lists())).toHaveLength(items);
  expect(cpuTime() - before).toBeLessThan(10_000);
});

test.each<[string, (at: number) => unknown]>([
  ["fields of their own", (at) => ({ [`f${at}`]: at })],
  ["different values", (at) => ({ name: "x", value: at % 2 === 0 ? at : 1 })],
])("many answers with %s take a bounded time", async (_, answer) => {
  const before = cpuTime();
  expect(Object.keys((await merge(...list(60_000, answer))) as object).length).toBeGreaterThan(1);
  expect(cpuTime() - before).toBeLessThan(20_000);
});

test("one long line is split in linear time", () => {
  const parts = splitText("a".repeat(3_000_000), 500);
  expect(parts.length).toBeGreaterThan(1000);
  expect(parts.join("")).toHaveLength(3_000_000);
}, 5000);

test("items with few of very many fields are merged by what they have, in the order of the schema", async () => {
  const properties = Object.fromEntries(list(5000, (at) => [`field${at}`, { type: "string" }]) as [string, object][]);
  const schema = { properties: { rows: { type: "array", items: { type: "object", properties } } } };
  const rows = list(10_000, (at) => ({ other: "x", field7: `value ${at}`, field3: "y" }));
  const started = cpuTime();
  const { value } = await mergeAnswers(schema, [{ value: { rows }, weight: 1 }]);
  expect(Object.keys((value as { rows: object[] }).rows[0]!)).toEqual(["field3", "field7", "other"]);
  expect(cpuTime() - started).toBeLessThan(4000);
});

test("answers of very many fields are merged while others get in between", async () => {
  const answer = Object.fromEntries(Array.from({ length: 70_000 }, (_, at) => [`field${at}`, `value ${at}`]));
  let longest = 0;
  let last = performance.now();
  const started = last;
  const look = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  });
  const merged = await merge(answer, { ...answer, field0: "another" });
  const total = performance.now() - started;
  longest = Math.max(longest, performance.now() - last);
  clearInterval(look);
  expect(Object.keys(merged as object)).toHaveLength(70_000);
  // Machines differ: what counts is that no step is most of the work.
  expect(longest / total).toBeLessThan(0.5);
});
