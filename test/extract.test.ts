/** Extract jobs through the public door: globs, merging, sources, structured data first, durability. */
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createEngine, memoryStorage } from "../src/index.ts";
import { unfilledFields } from "../src/model/unfilled-fields.ts";
import { fakeModel, type TestExchange } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { collectCharges, engineFor, page, site } from "./start-engine.ts";

const products = z.object({ products: z.array(z.object({ name: z.string(), price: z.number() })) });

function productPage(name: string, price: number, links: readonly string[] = []): string {
  return page(name, links).replace("<p>", `<p>The ${name} costs ${price} euros.</p><p>`);
}

/** Reads what the product pages above say. */
const reader = () =>
  fakeModel(({ prompt }) => ({
    products: [...prompt.matchAll(/The (\w+) costs (\d+) euros/g)].map(([, name, price]) => ({
      name,
      price: Number(price),
    })),
  }));

test("a glob's pages are read and their answers merged; the result is typed by the schema", async () => {
  const server = await site({
    "/": page("Shop", ["/p/kettle", "/p/pan", "/other"]),
    "/p/kettle": productPage("Kettle", 20, ["/p/pot"]),
    "/p/pan": productPage("Pan", 30),
    "/p/pot": `${productPage("Pot", 40)}<p>The Kettle costs 20 euros.</p>`,
    "/sitemap.xml": ({ url }) => ({
      headers: { "content-type": "application/xml" },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url.origin}/p/lid</loc></url></urlset>`,
    }),
    "/p/lid": productPage("Lid", 5),
    "/other": productPage("Other", 1),
  });
  const model = reader();
  const engine = engineFor({ model });
  const job = await engine.extract({
    urls: [`${server.url}/*`],
    schema: products,
    showSources: true,
    prompt: "products with prices",
  });
  expect(JSON.parse(JSON.stringify(job))).toEqual({ success: true, id: job.id });
  const status = await job.wait();
  expect(status).toMatchObject({ success: true, status: "completed", tokensUsed: expect.any(Number) });
  const data: { products: { name: string; price: number }[] } | [] = status.data;
  const { products: found } = data as z.infer<typeof products>;
  expect(found.map(({ name, price }) => `${name} ${price}`).sort()).toEqual([
    "Kettle 20",
    "Lid 5",
    "Other 1",
    "Pan 30",
    "Pot 40",
  ]);
  const kettle = found.findIndex(({ name }) => name === "Kettle");
  expect(status.sources?.[`products[${kettle}].price`]?.sort()).toEqual([
    `${server.url}/p/kettle`,
    `${server.url}/p/pot`,
  ]);
  expect(status.sourceDetails?.[`products[${kettle}].price`]?.[0]?.from).toBe("model");
  expect(await engine.getExtractStatus(job.id)).toMatchObject({
    status: "completed",
    data: { products: expect.any(Array) },
  });
  expect((await engine.getTokenUsageHistorical()).periods[0]?.totalTokens).toBe(status.tokensUsed);
  await expect(engine.getExtractStatus(job.id, { team: "other" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(engine.getCrawlStatus(job.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("without a wish no schema is drafted: the model says what it finds", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ properties: { colour: { type: "string" } }, name: "Kettle" });
  const status = await (await engineFor({ model }).extract({ urls: [url], systemPrompt: "Be brief." })).wait();
  expect(model.calls).toHaveLength(1);
  expect(status.data).toMatchObject({ name: "Kettle" });
});

test("a schema whose check never ends does not hold up who waits, beyond their signal", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = z.object({ name: z.string().refine(() => new Promise<boolean>(() => {})) });
  const job = await engineFor({ model: fakeModel({ name: "Kettle" }) }).extract({ urls: [url], schema });
  const waiting = new AbortController();
  const ended = job.wait({
    signal: waiting.signal,
    onProgress: ({ status }) => {
      if (status === "completed") setImmediate(() => waiting.abort(new Error("enough")));
    },
  });
  await expect(ended).rejects.toThrow("enough");
});

test("where the schema allows null for the whole, pages that tell nothing give null", async () => {
  const server = await site({ "/": page("Kettle"), "/more": page("Pan") });
  const urls = [server.url, `${server.url}/more`];
  const schema = z.object({ name: z.string() }).nullable();
  const model = fakeModel({ answer: null });
  const status = await (await engineFor({ model }).extract({ urls, schema, showSources: true })).wait();
  expect(status).toMatchObject({ status: "completed", data: null, sources: {} });
  expect(status.warning).toBeUndefined();
  const found = fakeModel(({ prompt }) => ({ answer: prompt.includes("Pan") ? { name: "Pan" } : null }));
  expect((await (await engineFor({ model: found }).extract({ urls, schema })).wait()).data).toEqual({ name: "Pan" });
});

test("what the schema has no place for does not take the rest of an answer with it", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ name: "Kettle", colour: "red", prices: { new: 20, used: "ask us" } });
  const schema = z.strictObject({ name: z.string(), prices: z.record(z.string(), z.number()) });
  const status = await (await engineFor({ model }).extract({ urls: [url], schema })).wait();
  expect(status.data).toEqual({ name: "Kettle", prices: { new: 20 } });
  expect(status.warning).toContain("What does not fit was left out.");
});

test("forms that only what they require tells apart are answered by each page alone", async () => {
  const server = await site({ "/": page("Fair"), "/more": page("More of the fair") });
  const form = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
  const model = fakeModel(({ prompt }) => ({
    entries: [prompt.includes("More of") ? { firm: "Acme" } : { person: "Ada" }],
  }));
  const job = await engineFor({ model }).extract({
    urls: [server.url, `${server.url}/more`],
    schema: {
      type: "object",
      properties: { entries: { type: "array", items: { oneOf: [form("person"), form("firm")] } } },
    },
  });
  const status = await job.wait();
  expect(status.data).toEqual({ entries: [{ person: "Ada" }, { firm: "Acme" }] });
  expect(status.warning).toBeUndefined();
});

test("a glob below a path, with a limit, reads the most relevant pages only", async () => {
  const server = await site({
    "/shop/": page("Shop", ["/shop/blue-kettle", "/shop/pan", "/shop/lid", "/about"]),
    "*": ({ url }) => productPage(url.pathname.split("/").pop()!.replace(/\W/g, ""), 1),
  });
  const job = await engineFor({ model: reader() }).extract({
    urls: [`${server.url}/shop/*`],
    schema: products,
    prompt: "kettle",
    limit: 1,
    ignoreSitemap: true,
  });
  expect((await job.wait()).data).toEqual({ products: [{ name: "bluekettle", price: 1 }] });
  expect(server.requests.get("/about")).toBeUndefined();
  expect(server.requests.get("/sitemap.xml")).toBeUndefined();
});

test("a folder that has its page at the address without the slash is entered there", async () => {
  const server = await site({
    "/shop": page("Shop", ["/shop/kettle", "/shop/pan"]),
    "/shop/kettle": productPage("Kettle", 20),
    "/shop/pan": productPage("Pan", 30),
  });
  const job = await engineFor({ model: reader() }).extract({ urls: [`${server.url}/shop/*`], schema: products });
  expect(await job.wait()).toEqual({
    success: true,
    status: "completed",
    data: {
      products: [
        { name: "Kettle", price: 20 },
        { name: "Pan", price: 30 },
      ],
    },
    expiresAt: expect.any(String),
    tokensUsed: expect.any(Number),
  });
});

test.each(["/p/*", "/p/**", "/p/*.html"])(
  "the pages of %s are found by the links of the site's first page",
  async (glob) => {
    const server = await site({
      "/": page("Shop", ["/p/kettle.html", "/p/pan.html", "/about"]),
      "/p/kettle.html": productPage("Kettle", 20),
      "/p/pan.html": productPage("Pan", 30),
      "/about": productPage("About", 1),
    });
    const job = await engineFor({ model: reader() }).extract({ urls: [server.url + glob], schema: products });
    const status = await job.wait();
    expect(status).toMatchObject({
      status: "completed",
      data: {
        products: [
          { name: "Kettle", price: 20 },
          { name: "Pan", price: 30 },
        ],
      },
    });
    // That the folder itself is no page is no fault of the answer.
    expect(status.warning).toBeUndefined();
  },
);

test.each(["link text", "alternative text", "news sitemap", "feed"])(
  "a page whose URL says nothing is chosen for what is said of it: %s",
  async (where) => {
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const says = (number: number) =>
      number === 17 ? "Our steel kettles &amp; their prices" : `Story of day ${number}`;
    const link = (number: number) => {
      if (where === "link text")
        return `<a href="/p/${number}"><h3>${says(number)}</h3></a><a href="/p/${number}">more</a>`;
      return where === "alternative text" ? `<a href="/p/${number}"><img src="/i" alt="${says(number)}"></a>` : "";
    };
    const entry = (number: number, origin: string) =>
      where === "feed"
        ? `<item><title>Day ${number}</title><link>${origin}/p/${number}</link><description><![CDATA[<p>${says(number)}</p>]]></description></item>`
        : `<url><loc>${origin}/p/${number}</loc><news:news><news:title>${says(number)}</news:title></news:news></url>`;
    const server = await site({
      "/": page("Shop").replace("</main>", `${numbers.map(link).join("")}</main>`),
      "/sitemap.xml": ({ url }) => {
        const entries = numbers.map((number) => entry(number, url.origin)).join("");
        return where === "feed" ? `<rss><channel>${entries}</channel></rss>` : `<urlset>${entries}</urlset>`;
      },
      "*": ({ url }) => productPage(`Thing${url.pathname.slice(3)}`, 7),
    });
    const request = { urls: [`${server.url}/p/*`], schema: products, prompt: "kettle price", limit: 1 };
    const ignoreSitemap = where.endsWith("text");
    const engine = engineFor({ model: reader() });
    const status = await (await engine.extract({ ...request, ignoreSitemap })).wait();
    expect(status.data).toEqual({ products: [{ name: "Thing17", price: 7 }] });
    const { links } = await engine.map({ url: server.url, search: "kettle price", ignoreSitemap, limit: 2 });
    expect(links).toContain(`${server.url}/p/17`);
  },
);

test("where the words of the URLs say nothing, the model chooses among them by number", async () => {
  const paths = Array.from({ length: 8 }, (_, index) => `/p/${index}`);
  const server = await site({
    "/": page("Shop", paths),
    "*": ({ url }) => productPage(`Thing${url.pathname.slice(3)}`, 7),
  });
  const model = fakeModel((call) => {
    if (!call.prompt.includes("numbered addresses"))
      return {
        products: [...call.prompt.matchAll(/The (\w+) costs (\d+)/g)].map(([, name, price]) => ({
          name,
          price: Number(price),
        })),
      };
    const number = /(\d+): \S*\/p\/5/.exec(call.prompt)?.[1];
    return { pages: [Number(number), 999, "x"] };
  });
  const job = await engineFor({ model }).extract({
    urls: [`${server.url}/*`],
    schema: products,
    prompt: "zzz",
    limit: 1,
    ignoreSitemap: true,
  });
  const status = await job.wait();
  expect(status.data).toEqual({ products: [{ name: "Thing5", price: 7 }] });
});

test("links to other sites are followed only when they may be; robots.txt is obeyed for what was not named", async () => {
  const other = await site({
    "/pan": productPage("Pan", 30),
    "/no": productPage("No", 1),
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /no" },
  });
  const server = await site({
    "/a": productPage("Kettle", 20, [`${other.url}/pan`, `${other.url}/no`, "/b"]),
    "/b": productPage("Pot", 40),
  });
  const engine = engineFor({ model: reader() });
  const read = async (more: object) => {
    const status = await (await engine.extract({ urls: [`${server.url}/a`], schema: products, ...more })).wait();
    return (status.data as z.infer<typeof products>).products.map(({ name }) => name);
  };
  expect(await read({})).toEqual(["Kettle"]);
  expect(await read({ allowExternalLinks: true })).toEqual(["Kettle", "Pan"]);
  const named = await (await engine.extract({ urls: [`${other.url}/no`], schema: products })).wait();
  expect(named.data).toEqual({ products: [{ name: "No", price: 1 }] });
});

test.each(["//", "//q/", "///"])("a glob whose path begins with %s stays on its host", async (start) => {
  const server = await site({ [start]: productPage("Kettle", 20), "/": page("Shop") });
  const engine = engineFor({ model: reader() });
  const job = await engine.extract({ urls: [`${server.url}${start}*`], ignoreSitemap: true, schema: products });
  expect((await job.wait()).data).toEqual({ products: [{ name: "Kettle", price: 20 }] });
});

test("an escaped star in a glob is a letter, no wildcard", async () => {
  const server = await site({
    "/": page("Shop", ["/%2A/1", "/q/1"]),
    "/%2A/1": productPage("Kettle", 20),
    "/q/1": productPage("Pan", 30),
  });
  const job = await engineFor({ model: reader() }).extract({ urls: [`${server.url}/%2A/*`], schema: products });
  expect((await job.wait()).data).toEqual({ products: [{ name: "Kettle", price: 20 }] });
});

test("a glob's folder that robots.txt disallows is not entered", async () => {
  const server = await site({
    "/robots.txt": {
      headers: { "content-type": "text/plain" },
      body: "User-agent: *\nDisallow: /shop\nAllow: /shop/pan",
    },
    "/": page("home", ["/shop/pan", "/shop/pot"]),
    "/shop/": page("shop", ["/shop/pot"]),
    "/shop/pan": productPage("Pan", 30),
    "/shop/pot": productPage("Pot", 40),
  });
  const engine = engineFor({ model: reader() });
  const job = await engine.extract({ urls: [`${server.url}/shop/*`], schema: products });
  expect((await job.wait()).data).toEqual({ products: [{ name: "Pan", price: 30 }] });
  expect([server.requests.get("/shop/"), server.requests.get("/shop")]).toEqual([undefined, undefined]);
});

test("what was not named is not followed to where robots.txt lets nobody in, on its own host or another", async () => {
  const robots = { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /staff" };
  const other = await site({ "/robots.txt": robots, "/staff/pot": productPage("Pot", 40) });
  const server = await site({
    "/robots.txt": robots,
    "/": { status: 302, headers: { location: "/staff/home" } },
    "/shop/": page("shop", ["/shop/pan", "/shop/pot"]),
    "/shop/pan": productPage("Pan", 30),
    "/shop/pot": { status: 302, headers: { location: `${other.url}/staff/pot` } },
    "/staff/home": page("staff", ["/shop/secret"]),
  });
  const engine = engineFor({ model: reader() });
  const read = async (url: string) => (await (await engine.extract({ urls: [url], schema: products })).wait()).data;
  expect(await read(`${server.url}/shop/*`)).toEqual({ products: [{ name: "Pan", price: 30 }] });
  expect([server.requests.get("/staff/home"), other.requests.get("/staff/pot")]).toEqual([undefined, undefined]);
  expect(await read(`${server.url}/shop/pot`)).toEqual({ products: [{ name: "Pot", price: 40 }] });
});

function declared(name: string, price: number, more = ""): string {
  const json = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: `s-${name}`,
    offers: {
      "@type": "Offer",
      price: String(price),
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
    },
  });
  return productPage(name, price).replace(
    "</head>",
    `<script type="application/ld+json">${json}</script></head>${more}`,
  );
}

const declaredSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    currency: { type: "string" },
    inStock: { type: "boolean" },
  },
  required: ["name", "price"],
};

test("what pages declare is taken without a model, and the sources say so", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const engine = engineFor();
  const job = await engine.extract({ urls: [`${server.url}/k`], schema: declaredSchema, showSources: true });
  const status = await job.wait();
  expect(status).toMatchObject({
    status: "completed",
    data: { name: "Kettle", price: 20, currency: "EUR", inStock: true },
    tokensUsed: 0,
  });
  expect(status.warning).toBeUndefined();
  expect(status.sources).toMatchObject({ price: [`${server.url}/k`] });
  expect(status.sourceDetails).toMatchObject({ price: [{ url: `${server.url}/k`, from: "structured" }] });
});

test("what one page declares outweighs what a model reads on another, though that one is named first", async () => {
  const server = await site({ "/m": productPage("Kettle", 10), "/k": declared("Kettle", 20) });
  const engine = engineFor({ model: fakeModel({ name: "Kettle", price: 10 }) });
  const job = await engine.extract({ urls: [`${server.url}/m`, `${server.url}/k`], schema: declaredSchema });
  expect((await job.wait()).data).toMatchObject({ name: "Kettle", price: 20 });
});

test("the model is asked only for what a page does not declare", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const model = fakeModel({ story: "About a kettle" });
  const schema = { ...declaredSchema, properties: { ...declaredSchema.properties, story: { type: "string" } } };
  const status = await (
    await engineFor({ model }).extract({ urls: [`${server.url}/k`], schema, showSources: true })
  ).wait();
  expect(status.data).toEqual({ name: "Kettle", price: 20, currency: "EUR", inStock: true, story: "About a kettle" });
  expect(model.calls).toHaveLength(1);
  expect(JSON.stringify(model.calls[0]!.schema)).not.toContain("price");
  expect(status.sourceDetails).toMatchObject({ story: [{ from: "model" }], name: [{ from: "structured" }] });
});

test("a field with a name that every object has is asked for, and declared, like any other", async () => {
  const maker = { "@type": "Organization", name: "Acme", url: "https://acme.example/" };
  const race = JSON.stringify({ "@type": "Event", name: "Race", startDate: "2026-05-04", constructor: maker });
  const server = await site({
    "/driver": "<main><table><tr><th>Driver</th><td>Ann</td></tr></table><p>She drives.</p></main>",
    "/race": `<script type="application/ld+json">${race}</script><main><h1>Race</h1><p>They drive.</p></main>`,
  });
  const text = { type: "string" };
  const extract = async (path: string, properties: object, answer: Record<string, string>) => {
    const engine = engineFor({ model: fakeModel(answer) });
    return (await (await engine.extract({ urls: [server.url + path], schema: { properties } })).wait()).data;
  };
  expect(await extract("/driver", { driver: text, constructor: text }, { constructor: "Acme" })).toEqual({
    driver: "Ann",
    constructor: "Acme",
  });
  const company = { type: "object", properties: { name: text, url: text, founded: text } };
  expect(
    await extract("/race", { name: text, start: text, constructor: company, story: text }, { story: "Long" }),
  ).toEqual({
    name: "Race",
    start: "2026-05-04",
    constructor: { name: "Acme", url: "https://acme.example/" },
    story: "Long",
  });
});

test("a list that a page declares in part is read by the model, and no thing of it twice", async () => {
  const thing = (name: string) => ({ "@type": "Product", name, offers: { "@type": "Offer", price: "20" } });
  const data = JSON.stringify(["Kettle", "Pan"].map(thing));
  const html = `<html><body><main><script type="application/ld+json">${data}</script><p>A red Kettle 2 l, and a Pan</p></main></body></html>`;
  const server = await site({ "/": html });
  const read = { products: [{ name: "Kettle 2 l", colour: "red" }, { name: "Pan" }] };
  const fields = { name: { type: "string" }, price: { type: "number" }, colour: { type: "string" } };
  const schema = {
    type: "object",
    properties: { products: { type: "array", items: { type: "object", properties: fields, required: ["name"] } } },
  };
  const extract = async (model?: ReturnType<typeof fakeModel>) =>
    (await (await engineFor({ model }).extract({ urls: [server.url], schema })).wait()).data;
  expect(await extract(fakeModel(read))).toEqual(read);
  const declared = ["Kettle", "Pan"].map((name) => ({ name, price: 20 }));
  expect(await extract()).toEqual({ products: declared });
  expect(await extract(fakeModel({ products: null }))).toEqual({ products: declared });
});

test("without a model, a warning names the fields that no page declares", async () => {
  const server = await site({ "/k": declared("Kettle", 20), "/none": page("None") });
  const text = { type: "string" };
  const extract = async (properties: object, model?: ReturnType<typeof fakeModel>) => {
    const urls = [`${server.url}/k`, `${server.url}/none`].slice(0, model ? 2 : 1);
    const schema = { type: "object", properties: { name: text, price: { type: "number" }, ...properties } };
    return (await (await engineFor({ model }).extract({ urls, schema })).wait()).warning;
  };
  expect(await extract({})).toBeUndefined();
  expect(await extract({ weight: text })).toBe("There is no language model to look for weight.");
  const properties = { name: text, phone: text };
  expect(await extract({ offers: { type: "array", items: { type: "object", properties } } })).toBe(
    "There is no language model to look for offers.",
  );
  expect(await extract({ weight: text }, fakeModel({}))).toBeUndefined();
});

test("open fields are named with the lists and objects that they are in", () => {
  const text = { type: "string" };
  const item = { type: "object", properties: { name: text, phone: text, at: { $ref: "#/$defs/place" } } };
  const place = { type: "object", properties: { city: text, street: text } };
  const schema = { $defs: { place }, type: "object", properties: { shops: { type: "array", items: item }, url: text } };
  expect(unfilledFields(schema, { shops: [{ name: "A", at: { city: "B" } }, { phone: "1" }], url: null })).toEqual([
    "shops[].at.street",
    "url",
  ]);
  expect(unfilledFields({ type: "array", items: item, $defs: { place } }, [{ name: "A", at: {} }])).toEqual([
    "[].phone",
    "[].at.city",
    "[].at.street",
  ]);
});

test("conditions about the whole are not applied to what the model adds to declared data, but to all of it", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const schema = JSON.parse(
    `{"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "weight": {"type": "number"}},
      "if": {"required": ["name"]}, "else": {"properties": {"weight": false}}}`,
  ) as Record<string, unknown>;
  const extract = async (more: object) => {
    const engine = engineFor({ model: fakeModel({ weight: 5 }) });
    const job = await engine.extract({ urls: [`${server.url}/k`], schema: { ...schema, ...more } });
    const { data, warning } = await job.wait();
    return { data, warning };
  };
  expect(await extract({})).toEqual({ data: { name: "Kettle", price: 20, weight: 5 } });
  expect(await extract({ not: { required: ["name", "weight"] } })).toMatchObject({
    warning: expect.stringContaining("must not fit"),
  });
});

test("of pages about different kinds of things, those that fit together are taken, and the others named", async () => {
  const answers: Record<string, object> = {
    "/a": { answer: { kind: "a", x: 1 } },
    "/b": { answer: { kind: "b", y: 2 } },
    "/none": { answer: {} },
    "/more": { answer: { kind: "a", x: 1, z: 3 } },
  };
  const paths = Object.keys(answers);
  const server = await site(Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])));
  const model = fakeModel(({ prompt }) => answers[/Address: \S+(\/\w+)/.exec(prompt)![1]!]);
  const form = (kind: string, own: string) => ({
    type: "object",
    properties: { kind: { const: kind }, [own]: { type: "number" }, z: { type: "number" } },
    required: ["kind", own],
    additionalProperties: false,
  });
  const extract = async (...pages: string[]) => {
    const urls = pages.map((path) => server.url + path);
    const schema = { oneOf: [form("a", "x"), form("b", "y")] };
    const { data, warning, sources } = await (
      await engineFor({ model }).extract({ urls, schema, showSources: true })
    ).wait();
    return { data, warning, sources: [...new Set(Object.values(sources!).flat())] };
  };
  const { url } = server;
  expect(await extract("/a", "/b")).toEqual({
    data: { kind: "a", x: 1 },
    warning: `Together, the pages' answers do not fit the schema; left out were those of ${url}/b.`,
    sources: [`${url}/a`],
  });
  expect(await extract("/none", "/b", "/a")).toMatchObject({ data: { kind: "b", y: 2 }, sources: [`${url}/b`] });
  expect(await extract("/a", "/b", "/more")).toMatchObject({ data: { kind: "a", x: 1, z: 3 } });
  expect((await extract("/a", "/more")).warning).toBeUndefined();
});

test("long lists that a page declares are given whole, or read by the model, or given with a warning", async () => {
  const head = '<html><body><main><p>Many things.</p><script type="application/ld+json">';
  const list = (count: number, offers: number) => {
    const itemListElement = Array.from({ length: count }, (_, at) => ({
      "@type": "Product",
      name: `N${at}`,
      size: at,
    }));
    const graph = [{ "@type": "ItemList", itemListElement }, ...Array(offers).fill({ "@type": "Offer", price: 1 })];
    return `${head}${JSON.stringify({ "@graph": graph })}</script></main></body></html>`;
  };
  const rows = Array.from({ length: 2500 }, (_, at) => `<tr><td>N${at}</td><td>${at}</td></tr>`).join("");
  const server = await site({
    "/list": list(5000, 0),
    "/table": `<main><p>Many.</p><table><tr><th>Name</th><th>Size</th></tr>${rows}</table></main>`,
    "/endless": list(100, 60_000),
  });
  const properties = { name: { type: "string" }, size: { type: "number" } };
  const schema = {
    type: "object",
    properties: { products: { type: "array", items: { type: "object", properties, required: ["name"] } } },
  };
  const extract = async (path: string, model?: ReturnType<typeof fakeModel>) => {
    const job = await engineFor({ model }).extract({ urls: [server.url + path], schema });
    const { data, warning } = await job.wait();
    return { count: (data as { products: unknown[] }).products.length, warning, calls: model?.calls.length };
  };
  const readNothing = () => fakeModel({ products: [] });
  expect(await extract("/list", readNothing())).toEqual({ count: 5000, warning: undefined, calls: 0 });
  expect(await extract("/table", readNothing())).toEqual({ count: 2500, warning: undefined, calls: 0 });
  const { count, warning } = await extract("/endless");
  expect(count).toBe(100);
  expect(warning).toBe("The page declares more than could be read: lists may be incomplete.");
  const read = fakeModel({ products: [{ name: "A", size: 1 }] });
  expect(await extract("/endless", read)).toEqual({ count: 1, warning: undefined, calls: 1 });
});

test.each([
  [
    "two things of it have very many values of one name",
    ["offers", "seller"].map((name) => `"${name}": {"x": [${Array(150_000).fill(1)}]}`),
  ],
  ["its data is very long, and has a fault", [`"text": "${"x".repeat(12_000_000)}"`, `"x": 1,`]],
])("a page is read although %s", async (_, declared) => {
  const data = `{"@type": "Product", "name": "Kettle", ${declared.join(", ")}}`;
  const labels = "<table><tr><th>Sku</th><td>k-1</td></tr></table>";
  const server = await site({
    "/": `<script type="application/ld+json">${data}</script><main><p>Tea.</p>${labels}</main>`,
  });
  const schema = { properties: { sku: { type: "string" }, colour: { type: "string" } } };
  const status = await (await engineFor().extract({ urls: [server.url], schema })).wait();
  expect(status.data).toEqual({ sku: "k-1" });
});

test("a prompt that selects among what pages declare is followed", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const ask = async (prompt: string) => {
    const model = fakeModel({ name: "Kettle", price: 16.8 });
    const job = await engineFor({ model }).extract({ urls: [`${server.url}/k`], schema: declaredSchema, prompt });
    return { data: (await job.wait()).data, calls: model.calls.length };
  };
  expect(await ask("The product with its price")).toMatchObject({ data: { price: 20 }, calls: 0 });
  expect(await ask("Extract the name and the currency of each product")).toMatchObject({ calls: 0 });
  for (const prompt of ["price in cents", "Give the price in dollars", "convert prices to USD"])
    expect(await ask(prompt)).toEqual({ data: { name: "Kettle", price: 16.8 }, calls: 1 });
  expect(await ask("The product with its price without tax")).toEqual({
    data: { name: "Kettle", price: 16.8 },
    calls: 1,
  });
});

test("a condition in the schema is followed if there is a model; without one, the declared value is given", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const name = { type: "string" };
  const price = { type: "number", description: "The old price" };
  const field = { type: "object", properties: { name, price } };
  const whole = {
    type: "object",
    description: "All prices in US dollars",
    properties: { name, price: { type: "number" } },
  };
  const ask = async (schema: object, answer?: Record<string, unknown>) => {
    const model = answer && fakeModel(answer);
    const job = await engineFor({ model }).extract({ urls: [`${server.url}/k`], schema });
    const { data, warning } = await job.wait();
    return { data, warning, calls: model?.calls.length };
  };
  expect(await ask(field, { price: 25 })).toEqual({ data: { name: "Kettle", price: 25 }, calls: 1 });
  // The price that the model did not find is not the declared one.
  expect(await ask(field, { price: null })).toEqual({ data: { name: "Kettle" }, calls: 1 });
  expect(await ask(field)).toEqual({ data: { name: "Kettle", price: 20 } });
  expect(await ask(whole, { name: "Kettle", price: 22 })).toEqual({ data: { name: "Kettle", price: 22 }, calls: 1 });
});

test("values of two things are never mixed", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/b": productPage("Pan", 30) });
  const model = fakeModel(({ prompt }) =>
    prompt.includes("Kettle")
      ? { name: "Kettle", price: 20, colour: null }
      : { name: "Pan", price: null, colour: "red" },
  );
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, price: { type: "number" }, colour: { type: "string" } },
  };
  const status = await (
    await engineFor({ model }).extract({ urls: [`${server.url}/a`, `${server.url}/b`], schema })
  ).wait();
  expect(status.data).toEqual({ name: "Kettle", price: 20 });
});

test("a page's list is given whole: different things are not taken for one", async () => {
  const languages = { languages: ["C", "C++", "C#"], people: [{ firstName: "Ann", lastName: "Lee" }] };
  const more = { languages: ["c++"], people: [{ firstName: "Ann", lastName: "Kay" }] };
  const server = await site({ "/a": page("First"), "/b": page("Second") });
  const model = fakeModel(({ prompt }) => (prompt.includes("First") ? languages : more));
  const person = { type: "object", properties: { firstName: { type: "string" }, lastName: { type: "string" } } };
  const schema = {
    type: "object",
    properties: {
      languages: { type: "array", items: { type: "string" } },
      people: { type: "array", items: person },
    },
  };
  const job = await engineFor({ model }).extract({ urls: [`${server.url}/a`, `${server.url}/b`], schema });
  expect((await job.wait()).data).toEqual({
    languages: ["C", "C++", "C#"],
    people: [
      { firstName: "Ann", lastName: "Lee" },
      { firstName: "Ann", lastName: "Kay" },
    ],
  });
});

test("a field of any name has its sources", async () => {
  const { url } = await site({ "/": page("First") });
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Record<
    string,
    unknown
  >;
  const engine = engineFor({ model: fakeModel('{"__proto__":"p"}') });
  const { data, sources } = await (await engine.extract({ urls: [url], schema, showSources: true })).wait();
  expect(JSON.stringify(data)).toBe('{"__proto__":"p"}');
  expect(Object.keys(sources ?? {})).toEqual(["__proto__"]);
});

test("pages that fail leave data and a warning; when nothing can be read the job has failed", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/gone": { status: 404, body: "gone" } });
  const engine = engineFor({ model: reader() });
  const status = await (
    await engine.extract({ urls: [`${server.url}/a`, `${server.url}/gone`, "http://127.0.0.1:1/"], schema: products })
  ).wait();
  expect(status.data).toEqual({ products: [{ name: "Kettle", price: 20 }] });
  expect(status.warning).toMatch(/1 of 3 pages could not be read \(http:\/\/127\.0\.0\.1:1\/: .*status 404/);
  const failed = await (await engine.extract({ urls: [`${server.url}/gone`], schema: products })).wait();
  expect(failed).toMatchObject({ success: false, status: "failed", data: [], error: expect.stringContaining("404") });
  const dead = await (await engine.extract({ urls: ["http://127.0.0.1:1/"], schema: products })).wait();
  expect(dead.error).toMatch(/^1 of 1 pages could not be read \(http:\/\/127\.0\.0\.1:1\/: [^()]*\([A-Z]+\)\)\.$/);
  const broken = engineFor({
    model: fakeModel(() => {
      throw new Error("out of order");
    }),
  });
  expect(await (await broken.extract({ urls: [`${server.url}/a`], schema: products })).wait()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("out of order"),
  });
});

test("a page without text is named, and no model is asked about it", async () => {
  const { url } = await site({ "/empty": "<title>Kettle</title>", "/kettle": page("Kettle") });
  const model = fakeModel({ name: "Kettle" });
  const engine = engineFor({ model, browser: false });
  const extract = async (...paths: string[]) =>
    (await engine.extract({ urls: paths.map((path) => url + path), schema: { properties: { name: {} } } })).wait();
  const reason = "The page has no text: the model was not asked.";
  expect(await extract("/empty")).toMatchObject({ status: "failed", error: reason });
  expect(model.calls).toEqual([]);
  expect(await extract("/empty", "/kettle")).toMatchObject({
    data: { name: "Kettle" },
    warning: `${reason} (${url}/empty)`,
  });
});

test("an answer that does not fit, even the second time, loses only what does not fit; the warning names the page", async () => {
  const server = await site({ "/good": productPage("Kettle", 20), "/bad": productPage("Pan", 30) });
  const isBad = (prompt: string) => prompt.includes("Pan costs");
  const bad = [
    { name: "Pan", price: 30, on: "2026-01-02", parts: [{ size: 1 }, { size: "big" }] },
    { name: "Lid", price: "on request", on: "soon", parts: [{ size: "big" }] },
    { name: "Pot", price: 40, on: "never" },
    { price: "none" },
  ];
  const model = fakeModel(({ prompt }) => ({ products: isBad(prompt) ? bad : [{ name: "Kettle", price: 20 }] }));
  const part = z.object({ size: z.number() });
  const product = z.object({ name: z.string(), price: z.number().optional(), on: z.iso.date().optional() });
  const schema = z.object({ products: z.array(product.extend({ parts: z.array(part).optional() })) });
  const urls = [`${server.url}/good`, `${server.url}/bad`];
  const status = await (await engineFor({ model }).extract({ urls, schema })).wait();
  expect(status.status).toBe("completed");
  expect(status.data).toEqual({
    products: [
      { name: "Kettle", price: 20 },
      { name: "Pan", price: 30, on: "2026-01-02", parts: [{ size: 1 }] },
      { name: "Lid" },
      { name: "Pot", price: 40 },
    ],
  });
  expect(status.warning).toContain("products[1].price must be number");
  expect(status.warning).toContain(`left out. (${server.url}/bad)`);
  expect(model.calls).toHaveLength(3);
});

test("a long page's list that is longer than it may be is given all the same, with a warning", async () => {
  const names = Array.from({ length: 6 }, (_, index) => `Thing${index}`);
  const words = "There is more to say about this than fits into a line. ".repeat(60);
  const body = names.map((name) => `<h2>${name}</h2><p>The ${name} costs 5 euros.</p><p>${words}</p>`).join("");
  const server = await site({ "/": `<html><title>Things</title><main><h1>Things</h1>${body}</main></html>` });
  const model = fakeModel(({ prompt }) => ({
    things: [...prompt.matchAll(/The (\w+) costs/g)].slice(0, 2).map(([, name]) => ({ name })),
  }));
  const engine = engineFor({ model, limits: { modelInputTokens: 2500 } });
  const schema = z.object({ things: z.array(z.object({ name: z.string() })).max(2) });
  const { data, warning } = await (await engine.extract({ urls: [server.url], schema })).wait();
  expect(model.calls.length).toBeGreaterThan(1);
  expect((data as { things: object[] }).things.length).toBeGreaterThan(2);
  expect(warning).toContain("things must have at most 2 items");
});

test("what of an answer does not fit is said as it was asked for: of a list, which item", async () => {
  const server = await site({ "/": productPage("Kettle", 20) });
  const asked: string[] = [];
  const model = fakeModel(({ prompt }) => {
    asked.push(prompt);
    return { answer: asked.length === 1 ? [{ price: 20 }, { price: "much" }] : [{ price: 20 }, { price: 30 }] };
  });
  const schema = z.array(z.object({ price: z.number() }));
  const status = await (await engineFor({ model }).extract({ urls: [server.url], schema })).wait();
  expect(status.data).toEqual([{ price: 20 }, { price: 30 }]);
  expect(asked[1]).toContain("[1].price must be number");
});

test("of an answer that does not fit, nothing that fits is lost, however long it is, and rows are not torn apart", async () => {
  const server = await site({ "/": page("First") });
  const number = { type: "number" };
  const lists = {
    v: { type: "array", items: number },
    rows: { type: "array", items: { type: "array", items: number } },
  };
  const forms = Array.from({ length: 200 }, (_, at) => ({
    type: "object",
    properties: { kind: { const: `k${at}` }, v: number },
    required: ["kind", "v"],
    additionalProperties: false,
  }));
  const ask = async (properties: object, answer: Record<string, unknown>) => {
    const model = fakeModel(answer);
    const job = await engineFor({ model }).extract({ urls: [server.url], schema: { type: "object", properties } });
    return (await job.wait()) as { data: { v: unknown[]; rows: unknown[] }; warning: string };
  };
  const numbers = Array.from({ length: 12_000 }, (_, at) => at);
  const read = await ask(lists, {
    v: ["x", ...numbers],
    rows: [
      [1, null, 3],
      [4, 5, 6],
      [7, "x"],
    ],
  });
  expect(read.data).toEqual({ v: numbers, rows: [[4, 5, 6]] });
  expect(read.warning).toContain("What does not fit was left out.");
  const kinds = Array.from({ length: 3000 }, (_, at) => ({ kind: `k${at % 300}`, v: at }));
  const some = await ask({ v: { type: "array", items: { anyOf: forms } } }, { v: kinds });
  expect(some.data.v).toEqual(kinds.map(({ kind, v }) => (v % 300 < 200 ? { kind, v } : { v })));
  const fitting = kinds.filter(({ v }) => v % 300 < 200);
  const all = await ask({ v: { type: "array", items: { anyOf: forms } } }, { v: fitting });
  expect(all.data.v).toEqual(fitting);
  expect(all.warning).toBeUndefined();
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, 1]));
  const patterns = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`^(a|p)*${at}$`, number]));
  const table = await ask({ v: { type: "object", patternProperties: patterns } }, { v: wide });
  expect(table.data.v).toEqual(wide);
  expect(table.warning).toContain("The data is too large to be checked against the schema as a whole.");
});

test("invalid URLs: all named, or left out and listed", async () => {
  const engine = engineFor({ model: reader() });
  await expect(
    engine.extract({ urls: ["https://a.example/*", "nourl", "https://a.example/*a*b*c*/x"], prompt: "x" }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const server = await site({ "/a": productPage("Kettle", 20) });
  const job = await engine.extract({ urls: ["nourl", `${server.url}/a`], schema: products, ignoreInvalidURLs: true });
  expect(JSON.parse(JSON.stringify(job))).toEqual({ success: true, id: job.id, invalidURLs: ["nourl"] });
  expect((await job.wait()).status).toBe("completed");
  await expect(engine.extract({ schema: products })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(engineFor().extract({ urls: ["https://a.example"], prompt: "x" })).rejects.toMatchObject({
    code: "UNSUPPORTED",
  });
});

test("the caller's headers are for the sites that were named, not for those linked from there", async () => {
  const told: Record<string, unknown> = {};
  const note = (name: string, body: string) => ({
    "/robots.txt": { status: 404 },
    "*": ({ request: { headers } }: TestExchange) => {
      told[name] = [headers.authorization, headers.cookie, headers["user-agent"]];
      return body;
    },
  });
  const other = await site(note("linked", productPage("Pan", 30)));
  const folder = await site({ ...note("below", productPage("Lid", 5)), "/p/": page("Shop", ["/p/lid"]) });
  const named = await site(note("named", productPage("Kettle", 20, [`${other.url}/pan`])));
  const job = await engineFor({ model: reader() }).extract({
    urls: [`${named.url}/a`, `${folder.url}/p/*`],
    schema: products,
    allowExternalLinks: true,
    scrapeOptions: { headers: { Authorization: "Bearer secret", Cookie: "id=1", "User-Agent": "Agent/1" } },
  });
  expect((await job.wait()).status).toBe("completed");
  const all = ["Bearer secret", "id=1", "Agent/1"];
  expect(told).toEqual({ named: all, below: all, linked: [undefined, undefined, "Agent/1"] });
});

test("without URLs the pages come from a web search; enableWebSearch adds to those named", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/b": productPage("Pan", 30) });
  const asked: string[] = [];
  const search = {
    name: "fake",
    search: async ({ query }: { query: string }) => {
      asked.push(query);
      return [{ url: `${server.url}/b`, title: "", description: "" }];
    },
  };
  const engine = engineFor({ model: reader(), search });
  for (const ignoreInvalidURLs of [false, true]) {
    const job = await engine.extract({ prompt: "pans with prices", schema: products, ignoreInvalidURLs });
    expect((await job.wait()).data).toEqual({ products: [{ name: "Pan", price: 30 }] });
  }
  const both = await (
    await engine.extract({ urls: [`${server.url}/a`], prompt: "all", schema: products, enableWebSearch: true })
  ).wait();
  expect(both.data).toEqual({
    products: [
      { name: "Kettle", price: 20 },
      { name: "Pan", price: 30 },
    ],
  });
  expect(asked).toEqual(["pans with prices", "pans with prices", "all"]);
});

test("without URLs the engine's own pages are found by a prompt that is a sentence", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/b": page("Trains") });
  const engine = engineFor({ model: reader() });
  for (const path of ["/a", "/b"]) await engine.scrape({ url: server.url + path });
  const prompt = "Please extract name and price of every kettle that you can find";
  const status = await (await engine.extract({ prompt, schema: products })).wait();
  expect(status.data).toEqual({ products: [{ name: "Kettle", price: 20 }] });
});

test("a request without a schema is given one from its prompt, the same for all pages", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/b": productPage("Pan", 30) });
  const model = fakeModel(({ prompt }) => {
    if (prompt.startsWith("You write JSON Schemas"))
      return {
        type: "object",
        properties: {
          products: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        },
      };
    return { products: [...prompt.matchAll(/The (\w+) costs/g)].map(([, name]) => ({ name })) };
  });
  const status = await (
    await engineFor({ model }).extract({ urls: [`${server.url}/a`, `${server.url}/b`], prompt: "names of products" })
  ).wait();
  expect(status.data).toEqual({ products: [{ name: "Kettle" }, { name: "Pan" }] });
});

test("a drafted schema that broke off is not used: what is missing in it would not be asked for", async () => {
  const server = await site({ "/a": productPage("Kettle", 20) });
  const isDraft = (prompt: string) => prompt.startsWith("You write JSON Schemas");
  const draft = '{"type": "object", "properties": {"name": {"type": "string"}, "pri';
  const fake = fakeModel(({ prompt }) => (isDraft(prompt) ? draft : { name: "Kettle", price: 20 }));
  const model = {
    ...fake,
    async doGenerate(call: Parameters<typeof fake.doGenerate>[0]) {
      const result = (await fake.doGenerate(call)) as object;
      return isDraft(fake.calls.at(-1)!.prompt) ? { ...result, finishReason: { unified: "length" } } : result;
    },
  };
  const job = await engineFor({ model }).extract({ urls: [`${server.url}/a`], prompt: "name and price" });
  expect((await job.wait()).data).toEqual({ name: "Kettle", price: 20 });
  expect(fake.calls).toHaveLength(2);
  expect(fake.calls[1]!.prompt).not.toContain("JSON Schema");
});

test("what stands in a schema under a name that is no keyword demands nothing, whatever the name", async () => {
  const server = await site({ "/a": productPage("Kettle", 20) });
  const schema = JSON.parse('{"properties": {"name": {"type": "string"}}, "__proto__": {"required": ["colour"]}}');
  const job = await engineFor({ model: fakeModel({ name: "Kettle" }) }).extract({ urls: [`${server.url}/a`], schema });
  expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Kettle" } });
});

test("a schema of very many parts that are like the whole is looked through in a moment", async () => {
  const server = await site({ "/k": declared("Kettle", 20) });
  const parts = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`part${at}`, { $ref: "#/$defs/thing" }]));
  const thing = { type: "object", properties: { name: { type: "string" }, ...parts } };
  const schema = { ...thing, $defs: { thing } };
  const started = cpuTime();
  const job = await engineFor({ model: fakeModel({ name: "Kettle" }) }).extract({ urls: [`${server.url}/k`], schema });
  expect((await job.wait()).data).toEqual({ name: "Kettle" });
  expect(cpuTime() - started).toBeLessThan(4000);
});

test("data that only the schema's library refuses is given with a warning; what is plainly missing is named once", async () => {
  const server = await site({ "/": page("Fair") });
  const data = { starts: "2026-03-01" };
  const engine = engineFor({ model: fakeModel(data) });
  const wait = async (schema: z.ZodType) => (await engine.extract({ urls: [server.url], schema })).wait();
  const starts = z.iso.date().transform((text) => new Date(text));
  expect(await wait(z.object({ starts }))).toMatchObject({ data: { starts: new Date("2026-03-01") } });
  const late = z.object({ starts: z.iso.date().refine((text) => text > "2027", "must be later") });
  expect(await wait(late)).toMatchObject({
    status: "completed",
    data,
    warning: "The data does not fit the schema: starts must be later.",
  });
  const { warning } = await wait(z.object({ starts, ends: z.iso.date() }));
  expect(warning?.match(/does not fit the schema: the data must have ends/g)).toHaveLength(1);
  expect(warning).not.toMatch(/Invalid input/);
});

test("what the service's Python client says without a schema is a request without one", async () => {
  const server = await site({ "/": page("Acme") });
  const model = fakeModel(({ prompt }) =>
    prompt.includes("This page says enough") ? { name: "Acme" } : { type: "object", properties: { name: {} } },
  );
  const job = await engineFor({ model }).extract({
    urls: [server.url],
    prompt: "the name",
    schema: null,
    allowExternalLinks: false,
    enableWebSearch: false,
    showSources: false,
    origin: "python-sdk@2.16.0",
  });
  expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Acme" } });
});

test("a job of a stopped engine goes on in the next one, and pages that are done are not asked again", async () => {
  const server = await site({ "/a": productPage("Kettle", 20), "/b": productPage("Pan", 30) });
  const storage = memoryStorage();
  const reached = Promise.withResolvers<void>();
  const stuck = fakeModel(({ prompt }) => {
    if (prompt.includes("Kettle")) return { products: [{ name: "Kettle", price: 20 }] };
    reached.resolve();
    return new Promise(() => {});
  });
  const first = createEngine({ storage, model: stuck, network: { allowHosts: ["127.0.0.1"] } });
  const job = await first.extract({ urls: [`${server.url}/a`, `${server.url}/b`], schema: products });
  await reached.promise;
  await new Promise((resolve) => setTimeout(resolve, 300));
  await first.close();
  const model = reader();
  const second = engineFor({ storage, model });
  expect((await second.getExtractStatus(job.id)).status).toBe("processing");
  await second.resume();
  await expect.poll(async () => (await second.getExtractStatus(job.id)).status, { timeout: 10_000 }).toBe("completed");
  expect((await second.getExtractStatus(job.id)).data).toEqual({
    products: [
      { name: "Kettle", price: 20 },
      { name: "Pan", price: 30 },
    ],
  });
  expect(model.calls).toHaveLength(1);
});

test("a job can be cancelled, by its handle and by the caller's signal", async () => {
  const server = await site({ "/a": productPage("Kettle", 20) });
  const engine = engineFor({ model: fakeModel(() => new Promise(() => {})) });
  const job = await engine.extract({ urls: [`${server.url}/a`], schema: products });
  expect(await job.cancel()).toEqual({ success: true, status: "cancelled" });
  expect(await job.wait()).toMatchObject({ success: true, status: "cancelled", data: [] });
  const controller = new AbortController();
  const other = await engine.extract({ urls: [`${server.url}/a`], schema: products }, { signal: controller.signal });
  controller.abort();
  expect((await other.wait()).status).toBe("cancelled");
});

test("events: started, then completed with the data or failed with the error", async () => {
  const server = await site({ "/a": productPage("Kettle", 20) });
  const events: { type: string; data: readonly unknown[] }[] = [];
  const engine = engineFor({ model: reader(), events: { emit: (event) => void events.push(event) } });
  await (await engine.extract({ urls: [`${server.url}/a`], schema: products })).wait();
  await expect.poll(() => events.map(({ type }) => type)).toEqual(["extract.started", "extract.completed"]);
  expect(events[1]?.data).toMatchObject([
    { success: true, data: { products: [{ name: "Kettle", price: 20 }] }, totalUrlsScraped: 1 },
  ]);
});

test("a model that never answers and listens to nobody does not hold a job up", async () => {
  const server = await site({ "/": page("Shop") });
  const model = fakeModel(() => new Promise(() => {}));
  const engine = engineFor({ model, limits: { modelTimeoutMs: 200, modelConcurrency: 1 } });
  for (const wish of [
    { prompt: "the name" },
    { schema: { type: "object", properties: { name: { type: "string" } } } },
  ]) {
    const status = await (await engine.extract({ urls: [server.url], ...wish })).wait();
    expect(status).toMatchObject({ status: "failed", error: expect.stringContaining("no answer within 200 ms") });
  }
});

/** A model that drafts a schema and answers by it, and how many tokens it has used. */
function draftingModel() {
  const model = fakeModel({ type: "object", properties: { name: { type: "string" } }, name: "Kettle" });
  let used = 0;
  const doGenerate: typeof model.doGenerate = async (options) => {
    const answer = (await model.doGenerate(options)) as { usage: Record<string, { total: number }> };
    used += (answer.usage["inputTokens"]?.total ?? 0) + (answer.usage["outputTokens"]?.total ?? 0);
    return answer;
  };
  return { model: { ...model, doGenerate }, used: () => used };
}

test.each<[what: string, paths: string[]]>([
  ["once, with one of the pages", ["/a", "/b"]],
  ["though no page could be read", ["/gone"]],
])("the tokens of a drafted schema are charged %s", async (_what, paths) => {
  const { url } = await site({ "/a": productPage("Kettle", 1), "/b": productPage("Kettle", 1), "*": { status: 404 } });
  const { model, used } = draftingModel();
  const { billing, charges } = collectCharges();
  const engine = engineFor({ model, billing });
  const job = await engine.extract({ urls: paths.map((path) => url + path), prompt: "the name of the product" });
  const { tokensUsed } = await job.wait();
  expect(used()).toBeGreaterThan(0);
  expect(tokensUsed).toBe(used());
  await expect.poll(() => charges.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(used());
  expect((await engine.getTokenUsageHistorical()).periods).toMatchObject([{ totalTokens: used() }]);
});

test("the tokens of a drafted schema are charged, though the first page read is another's duplicate", async () => {
  const [isOldRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let visits = 0;
  const { url } = await site({
    "/old": async () => {
      // The other page is on its way, so that this one, which leads to it, ends first.
      await isOldRead.promise;
      return { status: 302, headers: { location: "/new" }, body: "" };
    },
    "/new": async () => {
      isOldRead.resolve();
      if (++visits === 1) await mayAnswer.promise;
      return productPage("Kettle", 1);
    },
  });
  const storage = memoryStorage();
  const { completePage } = storage.jobs;
  const outcomes: string[] = [];
  vi.spyOn(storage.jobs, "completePage").mockImplementation(async (...call) => {
    const result = await completePage(...call);
    outcomes.push(result.status);
    mayAnswer.resolve();
    return result;
  });
  const { model } = draftingModel();
  const prompt = "the name of the product";
  const engine = engineFor({ storage, model });
  const both = await (await engine.extract({ urls: [`${url}/old`, `${url}/new`], prompt })).wait();
  expect(outcomes).toEqual(["duplicate", "stored"]);
  const alone = await (await engine.extract({ urls: [`${url}/new`], prompt })).wait();
  expect(both.tokensUsed).toBe(alone.tokensUsed);
});

test("the options of formats have no effect, even a schema that cannot be stored", async () => {
  const { url } = await site({ "/k": declared("Kettle", 20) });
  const schema: Record<string, unknown> = { "~standard": z.object({ name: z.string() })["~standard"] };
  schema["itself"] = schema;
  const scrapeOptions = { formats: ["json"], jsonOptions: { schema: schema as never } } as const;
  const job = await engineFor().extract({ urls: [`${url}/k`], schema: declaredSchema, scrapeOptions });
  expect((await job.wait()).data).toMatchObject({ name: "Kettle", price: 20 });
});

test("of a page's links to other sites the five most relevant are read, and none of theirs", async () => {
  const third = await site({ "*": productPage("Third", 1) });
  const other = await site({ "*": ({ url }) => productPage(url.pathname.slice(1), 1, [third.url]) });
  const links = ["a", "b", "c", "d", "e", "f", "kettle"].map((name) => `${other.url}/${name}`);
  const { url } = await site({ "/": page("Links", links) });
  const engine = engineFor({ model: reader() });
  const options = { schema: products, prompt: "kettle", allowExternalLinks: true };
  const { data } = await (await engine.extract({ urls: [url], ...options })).wait();
  const names = (data as z.infer<typeof products>).products.map(({ name }) => name);
  expect(names).toContain("kettle");
  expect(names).toHaveLength(5);
  expect(third.requests.size).toBe(0);
});

test("without a model, a list has what is declared, and a warning names what is declared nowhere", async () => {
  const things = ["Kettle", "Pan"].map((name, at) => ({ "@type": "Product", name, offers: { price: 10 + at } }));
  const { url } = await site({
    "/things": `<title>Shop</title><p>Things to buy.</p><script type="application/ld+json">${JSON.stringify(things)}</script>`,
    "/rows":
      "<title>Shop</title><table><tr><th>Name</th><th>Price</th></tr><tr><td>Kettle</td><td>10</td></tr><tr><td>Pan</td><td>11</td></tr></table>",
  });
  const item = { type: "object", properties: { name: { type: "string" }, price: { type: "number" }, weight: {} } };
  const schema = { type: "object", properties: { products: { type: "array", items: item } } };
  for (const page of ["things", "rows"]) {
    const job = await engineFor().extract({ urls: [`${url}/${page}`], schema });
    expect(await job.wait()).toMatchObject({
      status: "completed",
      data: {
        products: [
          { name: "Kettle", price: 10 },
          { name: "Pan", price: 11 },
        ],
      },
      warning: expect.stringContaining("weight"),
    });
  }
});
