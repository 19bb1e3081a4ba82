import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScrapeError } from "../src/errors.ts";
import { expandSitemaps, sitemapSeeds } from "../src/frontier/expand-sitemaps.ts";
import { parseSitemap, type SitemapEntry } from "../src/frontier/sitemap.ts";
import { cpuTime } from "./cpu-time.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function entriesOf(body: string | Uint8Array, pieceSize = 1 << 20): Promise<SitemapEntry[]> {
  const bytes = typeof body === "string" ? bytesOf(body) : body;
  return collect(parseSitemap(inPieces(bytes, pieceSize)));
}

const urlset = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment with <loc>https://example.com/no</loc> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc> https://example.com/?a=1&amp;b=2 </loc>
    <lastmod>2024-01-02</lastmod>
    <image:image><image:loc>https://example.com/photo.jpg</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
  </url>
  <url><image:image><image:loc>https://example.com/x.jpg</image:loc></image:image><loc><![CDATA[https://example.com/b?c&d]]></loc></url>
  <url><loc>https://example.com/&#252;&#x2F;&unknown;</loc><priority>0.5</priority></url>
  <url/><url><loc/></url><url><loc></loc></url>
</urlset>`;
const urlsetEntries = [
  { loc: "https://example.com/?a=1&b=2", lastmod: "2024-01-02" },
  { loc: "https://example.com/b?c&d" },
  { loc: "https://example.com/ü/&unknown;" },
];

describe("kinds of sitemaps", () => {
  test.each<[kind: string, body: string, entries: SitemapEntry[]]>([
    ["urlset", urlset, urlsetEntries],
    [
      "index",
      "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc><lastmod>2024</lastmod></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>",
      [{ sitemap: "https://example.com/1.xml" }, { sitemap: "/2.xml.gz" }],
    ],
    [
      "prefixed",
      '<s:urlset xmlns:s="x"><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>',
      [{ loc: "https://example.com/a" }],
    ],
    [
      "RSS",
      `<rss><channel><link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
       <item><title>A &amp; B</title><link>https://example.com/a</link><pubDate>Mon, 01 Jan 2024</pubDate></item></channel></rss>`,
      [{ loc: "https://example.com/a", lastmod: "Mon, 01 Jan 2024", title: "A & B" }],
    ],
    [
      "news and videos",
      `<urlset><url><loc>https://example.com/a</loc><image:image><image:loc>https://example.com/i</image:loc></image:image>
       <news:news><news:publication><news:name>Paper</news:name></news:publication><news:title>Rain</news:title></news:news></url>
       <url><loc>https://example.com/b</loc><video:video><video:title>Sun</video:title>
       <video:description><![CDATA[<b>All</b> day ${"long ".repeat(100)}]]></video:description></video:video></url>
       <url><loc>https://example.com/c</loc></url></urlset>`,
      [
        { loc: "https://example.com/a", title: "Rain" },
        { loc: "https://example.com/b", title: "Sun", description: expect.stringMatching(/^All {2}day .{200,300}$/) },
        { loc: "https://example.com/c" },
      ],
    ],
    [
      "Atom",
      `<feed><link href="https://example.com/"/><entry><link rel="self" href="https://example.com/self"/>
       <link rel='alternate' href='https://example.com/a?x&amp;y'/><updated>2024-01-01</updated></entry>
       <entry><link href="https://example.com/b"/></entry></feed>`,
      [{ loc: "https://example.com/a?x&y", lastmod: "2024-01-01" }, { loc: "https://example.com/b" }],
    ],
    [
      "feeds whose entries have an address only as their identifier",
      `<rss><channel><item><guid>https://example.com/a</guid></item><item><guid isPermaLink="false">https://example.com/b</guid></item>
       <item><guid isPermaLink="true">https://example.com/c</guid><link>https://example.com/d</link></item>
       <item><guid>tag:example.com,2024:e</guid></item></channel>
       <entry><id>https://example.com/f</id></entry><entry><id>urn:uuid:1</id></entry></rss>`,
      [{ loc: "https://example.com/a" }, { loc: "https://example.com/d" }, { loc: "https://example.com/f" }],
    ],
    [
      "text",
      "\ufeffhttps://example.com/a\r\n\r\n  https://example.com/b  \nnot a url\nhttps://example.com/c",
      [{ loc: "https://example.com/a" }, { loc: "https://example.com/b" }, { loc: "https://example.com/c" }],
    ],
    ["empty", "", []],
    ["white space", " \n ", []],
    ["HTML page", "<!doctype html><html><head><link href='https://example.com/x'></head><body><a href='/b'>", []],
    ["JSON", '{"url": "https://example.com"}', []],
  ])("%s, whole and byte by byte, plain and packed", async (_kind, body, entries) => {
    expect(await entriesOf(body)).toEqual(entries);
    expect(await entriesOf(body, 1)).toEqual(entries);
    expect(await entriesOf(gzipSync(body))).toEqual(entries);
    expect(await entriesOf(gzipSync(body), 1)).toEqual(entries);
  });

  test("other encodings", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(urlset, "utf16le")]);
    expect(await entriesOf(utf16)).toEqual(urlsetEntries);
    expect(await entriesOf(utf16.swap16())).toEqual(urlsetEntries);
    expect(await entriesOf(urlset.replace("UTF-8", "UTF-16"))).toEqual(urlsetEntries);
    const latin1 = Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><urlset><url><loc>https://example.com/é</loc></url></urlset>',
      "latin1",
    );
    expect(await entriesOf(latin1)).toEqual([{ loc: "https://example.com/é" }]);
  });

  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><urlset><url><loc>https://example.com/é</loc></url></urlset>`;

  test.each<[what: string, bytes: Buffer]>([
    ["declared", Buffer.from(declared("iso-8859-1"), "latin1")],
    ["marked", Buffer.from(`\ufeff${declared("UTF-16")}`, "utf16le")],
    ["UTF-16 without a mark", Buffer.from(declared("UTF-16LE"), "utf16le")],
    ["UTF-16 without a mark, the other way round", Buffer.from(declared("UTF-16BE"), "utf16le").swap16()],
  ])("an encoding is recognised wherever the file is cut: %s", async (_what, bytes) => {
    for (const file of [bytes, gzipSync(bytes)]) {
      for (let cut = 0; cut < file.length; cut++) {
        const pieces = (async function* () {
          yield file.subarray(0, cut);
          yield file.subarray(cut);
        })();
        expect(await collect(parseSitemap(pieces))).toEqual([{ loc: "https://example.com/é" }]);
      }
      expect(await entriesOf(file, 1)).toEqual([{ loc: "https://example.com/é" }]);
    }
  });
});

describe("broken files give what can be read", () => {
  test.each<[what: string, body: string, locs: string[]]>([
    [
      "cut after a URL",
      "<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.example/2</loc>",
      ["1", "2"],
    ],
    ["cut after a URL, in what is said about it", "<urlset><url><loc>https://a.example/1</loc><lastmod>20", ["1"]],
    ["cut inside a URL", "<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa", ["1"]],
    [
      "unclosed loc",
      "<urlset><url><loc>https://a.example/1</url><url><loc>https://a.example/2</loc></url>",
      ["1", "2"],
    ],
    [
      "unclosed url",
      "<urlset><url><loc>https://a.example/1</loc><url><loc>https://a.example/2</loc></urlset>",
      ["1", "2"],
    ],
    ["unclosed tag", "<urlset><url <loc>https://a.example/1</loc></url>", ["1"]],
    ["bare ampersand", "<urlset><url><loc>https://a.example/1?a&b</loc></url>", ["1?a&b"]],
    ["text around", "junk is text <urlset>", []],
    ["comments in a URL", "<urlset><url><loc>https://a.example/<!-- or b -->1<?or c?></loc></url>", ["1"]],
    ["a character that there is not", "<urlset><url><loc>https://a.example/&#x110000;</loc></url>", ["&#x110000;"]],
    [
      "two addresses of an entry",
      '<feed><entry><link href="https://a.example/1"/><link href="https://a.example/2"/></entry>',
      ["1"],
    ],
    ["capitals", "<URLSET><URL><LOC>https://a.example/1</LOC></URL></URLSET>", ["1"]],
    [
      "doctype and instruction",
      "<!DOCTYPE x><?xml-stylesheet?><urlset><url><loc>https://a.example/1</loc></url>",
      ["1"],
    ],
  ])("%s", async (_what, body, locs) => {
    const expected = locs.map((path) => ({ loc: `https://a.example/${path}` }));
    expect(await entriesOf(body)).toEqual(expected);
    expect(await entriesOf(body, 1)).toEqual(expected);
  });

  test("white space that comes alone, before the rest", async () => {
    async function* pieces() {
      yield bytesOf(" \r\n\n");
      yield bytesOf(urlset);
    }
    expect(await collect(parseSitemap(pieces()))).toEqual(urlsetEntries);
  });

  test("a packed file whose source fails is no file that ends there", async () => {
    async function* pieces() {
      yield new Uint8Array(gzipSync(urlset)).subarray(0, 100);
      throw new Error("lost");
    }
    await expect(collect(parseSitemap(pieces()))).rejects.toThrow("lost");
  });

  test("a cut or damaged gzip stream", async () => {
    const lines = Array.from({ length: 20_000 }, (_, page) => `https://example.com/${page}-${Math.sin(page)}`).join(
      "\n",
    );
    const packed = gzipSync(lines);
    const cut = await entriesOf(packed.subarray(0, packed.length / 2));
    expect(cut.length).toBeGreaterThan(1000);
    // Only the check sum is missing.
    expect(await entriesOf(packed.subarray(0, -8), 1000)).toHaveLength(20_000);
    expect(await entriesOf(Buffer.concat([Buffer.from([0x1f, 0x8b]), bytesOf("garbage")]))).toEqual([]);
  });

  test("any bytes are taken, in any pieces", async () => {
    const part = fc.constantFrom(
      "<",
      ">",
      "/",
      "url",
      "loc",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "&",
      "&amp;",
      "#x;",
      " ",
      "é",
      "?",
      "!",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const body = `<urlset>${parts.join("")}`;
        expect(await entriesOf(body, size)).toEqual(await entriesOf(body));
      }),
    );
  });
});

describe("large and hostile files", () => {
  const megabytes = (text: string, count: number) => text.repeat(Math.ceil((count * 1024 * 1024) / text.length));

  test("50,000 entries", async () => {
    const body = `<urlset>${Array.from({ length: 50_000 }, (_, page) => `<url><loc>https://example.com/${page}</loc></url>`).join("")}</urlset>`;
    const entries = await entriesOf(gzipSync(body), 16_384);
    expect(entries).toHaveLength(50_000);
    expect(entries[49_999]).toEqual({ loc: "https://example.com/49999" });
  });

  test.each([
    ["tags that never close", "<"],
    ["nested elements", "<url>"],
    ["one endless tag", "<a b='"],
    ["one endless comment", "<!-- x"],
    ["one endless CDATA section", "<urlset><url><loc><![CDATA[x"],
    ["one endless text", "<urlset><url><loc>x"],
    ["ampersands", "<urlset>&"],
    ["one endless line", "https://example.com/"],
    ["empty lines", "\n"],
  ])("2 MB of %s, in small pieces", async (_what, text) => {
    const head = text.slice(0, -1);
    const body = head + megabytes(text.slice(-1) === ">" ? text : text.slice(-1), 2);
    const started = cpuTime();
    expect(await entriesOf(body, 1024)).toEqual([]);
    // If all that has come were read again with each piece, it would take five times as long.
    expect(cpuTime() - started).toBeLessThan(3000);
  });

  test.each([
    ["a comment", `<!-- ${"x".repeat(70_000)}--`, ">"],
    [
      "a tag, nothing of which is one",
      `<x ${" ".repeat(70_000)}`,
      "sitemap>/no.xml<loc>https://a.example/no</loc></sitemap>",
    ],
  ])("what comes after %s that is too long is read", async (_what, long, rest) => {
    async function* pieces() {
      yield bytesOf(`<urlset>${long}`);
      yield bytesOf(`${rest}<url><loc>https://a.example/1</loc></url>`);
    }
    expect(await collect(parseSitemap(pieces()))).toEqual([{ loc: "https://a.example/1" }]);
  });

  test("a gzip bomb is read to 50 MB and no further", async () => {
    const line = `https://example.com/${"a".repeat(1003)}\n`;
    const entries = await entriesOf(gzipSync(line.repeat(80 * 1024)));
    expect(entries.length).toBe(50 * 1024);
  });

  test("the reader may stop early; the source is told", async () => {
    for (const pack of [(text: string) => bytesOf(text), (text: string) => new Uint8Array(gzipSync(text))]) {
      let stopped = false;
      async function* source() {
        try {
          yield* inPieces(pack("https://example.com/a\n".repeat(100_000)), 64);
        } finally {
          stopped = true;
        }
      }
      for await (const entry of parseSitemap(source())) {
        expect(entry).toEqual({ loc: "https://example.com/a" });
        break;
      }
      await expect.poll(() => stopped).toBe(true);
    }
  });

  test("stops with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const reading = (async () => {
      const body = bytesOf("https://example.com/a\n".repeat(100_000));
      for await (const _ of parseSitemap(inPieces(body, 1 << 20), { signal: controller.signal }))
        controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });
});

describe("following index files", () => {
  const site = "https://example.com";
  const index = (...names: string[]) =>
    `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join("")}</sitemapindex>`;
  const pages = (...names: string[]) => names.map((name) => `${site}/${name}`).join("\n");

  function serve(files: Record<string, string | Error>) {
    const fetched: string[] = [];
    const fetch = async (url: string) => {
      fetched.push(url.slice(site.length));
      const file = files[url.slice(site.length)];
      if (file instanceof Error) throw file;
      return file === undefined ? null : inPieces(bytesOf(file), 100);
    };
    return { fetched, fetch };
  }

  const urlsOf = async (options: Omit<Parameters<typeof expandSitemaps>[0], "siteUrl">) =>
    (await collect(expandSitemaps({ siteUrl: site, ...options }))).map(({ url }) => url.slice(site.length));

  test("each file once, also one that names itself", async () => {
    const { fetch, fetched } = serve({
      "/sitemap.xml": index(
        "/sitemap.xml",
        "a.xml",
        `${site}/a.xml`,
        "http://www.example.com/sitemap.xml",
        "b.xml",
        "none.xml",
      ),
      "/a.xml": `<urlset><url><loc>/one?x&amp;y#part</loc><lastmod>2024</lastmod></url><url><loc>mailto:x@y</loc></url></urlset>`,
      "/b.xml": pages("two", "sitemap-more.xml", "feed.xml"),
      "/sitemap-more.xml": pages("three"),
    });
    expect(await urlsOf({ seeds: [`${site}/sitemap.xml`, `${site}/sitemap.xml`], fetch })).toEqual([
      "/one?x&y",
      "/two",
      "/feed.xml",
      "/three",
    ]);
    expect(fetched).toEqual(["/sitemap.xml", "/a.xml", "/b.xml", "/none.xml", "/sitemap-more.xml"]);
  });

  test("no more files and no deeper than allowed", async () => {
    const many = Array.from({ length: 50 }, (_, number) => `/${number}.xml`);
    const wide = serve({ "/sitemap.xml": index(...many) });
    await urlsOf({ seeds: [`${site}/sitemap.xml`], fetch: wide.fetch, maxFiles: 10 });
    expect(wide.fetched).toHaveLength(10);

    const chain = Object.fromEntries(many.map((name, number) => [name, index(`/${number + 1}.xml`)]));
    const deep = serve(chain);
    await urlsOf({ seeds: [`${site}/0.xml`], fetch: deep.fetch });
    expect(deep.fetched).toHaveLength(6);
  });

  test("addresses may lack the scheme, where the site is named with its host", async () => {
    const { fetch } = serve({
      "/sitemap.xml": index("example.com/a.xml", "www.example.com/b.xml"),
      "/a.xml": `<urlset>${["example.com/one", "example.com.au/two", "/example.com/three"].map((loc) => `<url><loc>${loc}</loc></url>`).join("")}</urlset>`,
    });
    expect(await urlsOf({ seeds: [`${site}/sitemap.xml`], fetch })).toEqual([
      "/one",
      "/example.com.au/two",
      "/example.com/three",
    ]);
    expect(sitemapSeeds("https://www.example.com/", ["example.com/maps.xml"])).toContain(
      "https://example.com/maps.xml",
    );
  });

  test("files at another site are fetched as long as they name something", async () => {
    const names = Array.from({ length: 200 }, (_, number) => `/${number}.xml`);
    const elsewhere = (hosts: readonly string[]) => index(...names.map((name, at) => hosts[at % hosts.length]! + name));
    const fetchedWith = async (hosts: readonly string[], answer: (url: string) => string | null) => {
      let count = 0;
      const fetch = async (url: string) => {
        const text = url.startsWith(`${site}/`) ? elsewhere(hosts) : answer(url);
        if (!url.startsWith(`${site}/`)) count++;
        return text === null ? null : inPieces(bytesOf(text), 100);
      };
      await urlsOf({ seeds: [`${site}/sitemap.xml`], fetch, atOnce: () => 6 });
      return count;
    };
    const [one, other] = ["https://files.victim.test", "https://www.victim.test"];
    expect(await fetchedWith([one], () => null)).toBeLessThan(30);
    expect(await fetchedWith([one, other], () => "<html>no sitemap</html>")).toBeLessThan(30);
    expect(await fetchedWith([one], (url) => (url.endsWith("0.xml") ? pages("a") : null))).toBe(200);
    expect(await fetchedWith([site.replace("//", "//files.")], () => null)).toBe(200);
  });

  test("no more URLs than allowed, and no file after them", async () => {
    const { fetch, fetched } = serve({
      "/sitemap.xml": index("/a.xml", "/b.xml"),
      "/a.xml": pages("one", "two", "three"),
    });
    expect(await urlsOf({ seeds: [`${site}/sitemap.xml`], fetch, maxUrls: 4 })).toEqual(["/one", "/two"]);
    expect(fetched).toEqual(["/sitemap.xml", "/a.xml"]);
  });

  test("a file that cannot be had is empty; other errors are not hidden", async () => {
    const { fetch } = serve({
      "/a.xml": new ScrapeError("SCRAPE_SITE_ERROR", "connection lost"),
      "/b.xml": pages("one"),
    });
    expect(await urlsOf({ seeds: [`${site}/a.xml`, `${site}/b.xml`], fetch })).toEqual(["/one"]);
    const defect = serve({ "/a.xml": new TypeError("defect") });
    await expect(urlsOf({ seeds: [`${site}/a.xml`], fetch: defect.fetch })).rejects.toThrow("defect");
  });

  test("has come to its end if it is stopped only after its last URL", async () => {
    const stop = new AbortController();
    const { fetch } = serve({ "/a.xml": pages("one") });
    const found: string[] = [];
    for await (const { url } of expandSitemaps({
      siteUrl: site,
      seeds: [`${site}/a.xml`],
      fetch,
      signal: stop.signal,
    })) {
      found.push(url);
      stop.abort();
    }
    expect(found).toEqual([`${site}/one`]);
  });

  test("stops with the signal's reason, also while a file is being fetched", async () => {
    const reason = new Error("enough");
    const fetch = async () => {
      controller.abort(reason);
      throw new ScrapeError("SCRAPE_SITE_ERROR", "connection lost");
    };
    const controller = new AbortController();
    await expect(urlsOf({ seeds: [`${site}/a.xml`], fetch, signal: controller.signal })).rejects.toBe(reason);
  });

  test("however many sites are waited for, few files are fetched before their turn", async () => {
    const seeds = Array.from({ length: 6 }, (_, number) => `${site}/${number}.xml`);
    const ahead = { count: 0 };
    let fetched = 0;
    const fetch = (_url: string, signal: AbortSignal) => {
      fetched++;
      return new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));
    };
    for (let round = 0; round < 2; round++) {
      fetched = 0;
      const stop = new AbortController();
      const urls = Array.from({ length: 100 }, () =>
        urlsOf({ seeds, fetch, atOnce: () => 6, ahead, signal: stop.signal }).catch(() => []),
      );
      expect(fetched).toBeGreaterThan(100);
      expect(fetched).toBeLessThan(200);
      stop.abort();
      await Promise.all(urls);
      expect(ahead.count).toBe(0);
    }
    const files = serve(Object.fromEntries(seeds.map((url) => [url.slice(site.length), pages(url)])));
    expect(await urlsOf({ seeds, fetch: files.fetch, atOnce: () => 6, ahead })).toHaveLength(6);
  });

  test("where to begin", () => {
    expect(
      sitemapSeeds("https://example.com/docs/intro.html?x", [
        "/map.xml",
        "nonsense:",
        "https://example.com/sitemap.xml",
      ]),
    ).toEqual([
      "https://example.com/map.xml",
      "https://example.com/sitemap.xml",
      "https://example.com/docs/sitemap.xml",
    ]);
    expect(sitemapSeeds("https://example.com", [])).toEqual(["https://example.com/sitemap.xml"]);
    expect(sitemapSeeds("https://example.com/docs", [])[1]).toBe("https://example.com/docs/sitemap.xml");
    expect(sitemapSeeds("https://example.com/maps/all.xml.gz", [])).toEqual(["https://example.com/maps/all.xml.gz"]);
  });
});
