import { describe, expect, it } from "vitest";
import { transformHtml } from "./transform-input.ts";

const metadataOf = async (head: string) => (await transformHtml(head, { formats: [] })).metadata;

describe("metadata", () => {
  it("has the service's fields beside the raw tags", async () => {
    const metadata = await metadataOf(`<html lang="en-GB"><head>
      <title> A
        title </title><link rel="shortcut icon" href="/old.ico"><link rel="icon" href="f.png">
      <meta name="description" content="Short."><meta name="Description" content="Longer.">
      <meta property="og:title" content="OG"><meta property="og:image" content="a.png"><meta property="og:image" content="b.png">
      <meta property="og:locale:alternate" content="de_DE"><meta property="article:published_time" content="2024-01-02">
      <meta name="article:tag" content="tea"><meta name="dc.subject" content="water"><meta name="dcterms.created" content="2020">
      <meta name="keywords" content="a"><meta name="keywords" content="b"><meta itemprop="price" content="12">
      <meta name="title" content="another title"><meta charset="utf-8"><meta http-equiv="refresh" content="0">`);
    expect(metadata).toMatchObject({
      title: "A title",
      description: "Short., Longer.",
      language: "en-GB",
      favicon: "https://example.test/section/f.png",
      ogTitle: "OG",
      "og:title": "OG",
      ogImage: "a.png",
      "og:image": ["a.png", "b.png"],
      ogLocaleAlternate: ["de_DE"],
      publishedTime: "2024-01-02",
      articleTag: "tea",
      dcSubject: "water",
      dcTermsCreated: "2020",
      keywords: ["a", "b"],
      price: "12",
    });
    expect(Object.keys(metadata)).not.toContain("charset");
  });

  it("takes Open Graph by name and sections by property where the page has them so", async () => {
    const byName = '<meta name="og:title" content="N"><meta name="article:published_time" content="2024-01-02">';
    expect(await metadataOf(byName)).toMatchObject({ ogTitle: "N", "og:title": "N", publishedTime: "2024-01-02" });
    expect(await metadataOf(`${byName}<meta property="og:title" content="P">`)).toMatchObject({ ogTitle: "P" });
    expect(await metadataOf('<meta property="article:tag" content="tea">')).toMatchObject({ articleTag: "tea" });
  });

  it("takes a description by other attributes when there is none by name", async () => {
    const [itemprop, property] = [
      '<meta itemprop="description" content="I">',
      '<meta property="description" content="P">',
    ];
    expect(await metadataOf(itemprop)).toMatchObject({ description: "I" });
    expect(await metadataOf(property + itemprop)).toMatchObject({ description: "P" });
    expect(await metadataOf(`${itemprop}<meta name="description" content="N">`)).toMatchObject({ description: "N" });
  });

  it("takes the root element's language, not a list of it and what a meta element says", async () => {
    const meta = '<meta name="language" content="English">';
    expect(await metadataOf(`<html lang="en">${meta}`)).toMatchObject({ language: "en" });
    expect(await metadataOf(meta)).toMatchObject({ language: "English" });
    const sent = '<meta http-equiv="Content-Language" content="de">';
    expect(await metadataOf(`<html xml:lang="fr">${meta}${sent}`)).toMatchObject({ language: "fr" });
    expect(await metadataOf(meta + sent)).toMatchObject({ language: "English" });
    expect(await metadataOf(sent)).toMatchObject({ language: "de" });
    expect(await metadataOf('<html lang="en"><body><html lang="de">')).toMatchObject({ language: "en" });
  });

  it("takes an icon that can be fetched rather than one in the page, and no empty one", async () => {
    const [empty, inline, touch] = ["data:,", "data:image/png;base64,iVBORw0KGgo=", "/touch.png"].map(
      (href, index) => `<link rel="${index === 2 ? "apple-touch-icon" : "icon"}" href="${href}">`,
    );
    expect(await metadataOf(`${empty}${inline}${touch}`)).toMatchObject({
      favicon: "https://example.test/touch.png",
    });
    expect(await metadataOf(`${empty}${inline}`)).toMatchObject({ favicon: "data:image/png;base64,iVBORw0KGgo=" });
    expect(Object.keys(await metadataOf(empty!))).not.toContain("favicon");
    expect(Object.keys(await metadataOf('<link rel="icon" href="">'))).not.toContain("favicon");
  });

  it("does not let a page speak for the engine", async () => {
    const names = ["error", "contentType", "numPages", "cacheState", "cachedAt"];
    const metadata = await metadataOf(names.map((name) => `<meta name="${name}" content="x">`).join(""));
    expect(Object.keys(metadata)).toEqual([]);
  });

  it("keeps the form of its fields, whatever tags bear their names", async () => {
    const names = ["ogTitle", "publishedTime", "ogLocaleAlternate", "favicon", "statusCode", "language"];
    const tags = names.map((name) => `<meta name="${name}" content="1st"><meta name="${name}" content="2nd">`);
    const metadata = await metadataOf(`<head>${tags.join("")}<meta property="og:title" content="OG">`);
    expect(metadata).toEqual({
      ogTitle: "OG",
      "og:title": "OG",
      publishedTime: "1st",
      ogLocaleAlternate: ["1st", "2nd"],
      language: "1st",
    });
  });

  it("does not take the title of a drawing for the page's", async () => {
    expect(await metadataOf(`<svg><title>Icon</title></svg><title>Page</title>`)).toMatchObject({ title: "Page" });
  });

  it("takes the title from its element only", async () => {
    const metadata = await metadataOf('<meta name="title" content="T"><meta property="og:title" content="O">');
    expect(Object.keys(metadata)).toEqual(["ogTitle", "og:title"]);
  });

  it("is bounded, whichever element a value comes from", async () => {
    const long = "x".repeat(50_000);
    const of = async (head: string) => JSON.stringify(await metadataOf(head)).length;
    const alternate = `<meta property="og:locale:alternate" content="${long}">`;
    const joined = `<meta name="description" content="${long.slice(0, 900)}">`;
    for (const head of [
      `<title>${long}</title>`,
      `<meta property="description" content="${long}">`,
      `<meta http-equiv="content-language" content="${long}">`,
      joined.repeat(500),
    ]) {
      expect(await of(head)).toBeLessThan(11_000);
    }
    expect(await of(alternate.repeat(500))).toBeLessThan(2_100_000);
    expect(await of('<meta name="keywords" content="k">'.repeat(5000))).toBeLessThan(1000);
  });

  it("is safe against the names of a hostile page, and bounded", async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `<meta name="k${index}" content="v">`).join("");
    const long = `<meta name="long" content="${"x".repeat(50_000)}">`;
    const metadata = await metadataOf(
      `<meta name="__proto__" content="polluted"><meta name="constructor" content="c">${long}${many}`,
    );
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(Object.hasOwn(metadata, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(metadata).length).toBeLessThanOrEqual(510);
    expect(metadata["long"]).toHaveLength(10_000);
  });
});
