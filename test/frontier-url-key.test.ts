import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxUrlLength } from "../src/contract/url.ts";
import { fetchableUrl } from "../src/frontier/fetchable-url.ts";
import { urlKey } from "../src/frontier/url-key.ts";
import { cpuTime } from "./cpu-time.ts";

const similar = { ignoreQueryParameters: false, deduplicateSimilarURLs: true };
const exact = { ignoreQueryParameters: false, deduplicateSimilarURLs: false };

describe("one page, one key", () => {
  test.each<[what: string, ...urls: string[]]>([
    ["scheme", "http://example.com/a", "https://example.com/a"],
    ["default port", "http://example.com:80/a", "https://example.com:443/a", "https://example.com/a"],
    ["www", "https://www.example.com/a", "https://example.com/a"],
    ["case of the host", "https://EXAMPLE.com/a", "https://example.com/a"],
    ["closing dots of the host", "https://example.com./a", "https://example.com../a", "https://example.com/a"],
    ["IDN", "https://bücher.example/a", "https://xn--bcher-kva.example/a"],
    ["trailing slash", "https://example.com/a/", "https://example.com/a"],
    ["root", "https://example.com", "https://example.com/", "https://example.com/index.html"],
    ["index file", "https://example.com/a/index.html", "https://example.com/a/index.PHP", "https://example.com/a/"],
    ["fragment", "https://example.com/a#part", "https://example.com/a#", "https://example.com/a"],
    ["empty route", "https://example.com/a#/", "https://example.com/a#!", "https://example.com/a"],
    ["dot segments", "https://example.com/x/../a/./b", "https://example.com/a/b"],
    ["percent-encoding", "https://example.com/%7euser/%e4", "https://example.com/~user/%E4"],
    ["order of the query", "https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"],
    ["empty query", "https://example.com/a?", "https://example.com/a?&", "https://example.com/a"],
    ["empty value", "https://example.com/?a=&b=1", "https://example.com/?a&b=1"],
    ["repeated pair", "https://example.com/?a=1&a=1", "https://example.com/?a=1"],
    ["tracking", "https://example.com/a?utm_source=x&id=1&gclid=3&UTM_Medium=y", "https://example.com/a?id=1"],
    ["session", "https://example.com/a;jsessionid=1A2B/b?PHPSESSID=3", "https://example.com/a/b"],
    ["session of a forum", `https://example.com/t?id=7&sid=${"0a1b".repeat(8)}`, "https://example.com/t?id=7"],
    ["tracking of other names", "https://example.com/a?mtm_source=x&srsltid=AfmB&li_fat_id=1", "https://example.com/a"],
    ["the cart", "https://example.com/shop/?add-to-cart=33&quantity=1", "https://example.com/shop/?quantity=1"],
    ["the comment to answer", "https://example.com/post/?replytocom=33", "https://example.com/post/"],
    [
      "order of a listing",
      "https://example.com/pub/?C=N;O=D",
      "https://example.com/pub/?C=S&O=A",
      "https://example.com/pub/",
    ],
    ["credentials", "https://user:secret@example.com/a", "https://example.com/a"],
  ])("%s", (_what, ...urls) => {
    expect(new Set(urls.map((url) => urlKey(url, similar)))).toHaveProperty("size", 1);
  });

  test.each<[what: string, ...urls: string[]]>([
    ["path", "https://example.com/a", "https://example.com/b", "https://example.com/a.html"],
    ["case of the path", "https://example.com/A", "https://example.com/a"],
    ["query", "https://example.com/?a=1", "https://example.com/?a=2", "https://example.com/"],
    [
      "story",
      "https://example.com/?sid=1234",
      "https://example.com/?sid=5f1a2b3c4d5e6f7a8b9c0d1e",
      "https://example.com/",
    ],
    ["name like that of tracking", "https://example.com/?utmost=1", "https://example.com/"],
    ["letters", "https://example.com/?C=N", "https://example.com/?C=N;O=D&page=2", "https://example.com/?C=X;O=D"],
    // No folder, whose listing would have the same files in each order.
    ["answers", "https://example.com/quiz?C=N&O=A", "https://example.com/quiz?C=N&O=D", "https://example.com/quiz"],
    ["order of one name's values", "https://example.com/?a=1&a=2", "https://example.com/?a=2&a=1"],
    ["routes", "https://example.com/#/a", "https://example.com/#/b", "https://example.com/#!a", "https://example.com/"],
    ["other port", "https://example.com:8080/", "https://example.com/"],
    ["subdomain", "https://docs.example.com/", "https://example.com/"],
    ["escaped slash", "https://example.com/a%2Fb", "https://example.com/a/b"],
    ["feed in the folder", "https://example.com/index.xml", "https://example.com/"],
    ["www as the name itself", "https://www.com/", "https://com/"],
  ])("apart by %s", (_what, ...urls) => {
    expect(new Set(urls.map((url) => urlKey(url, similar)))).toHaveProperty("size", urls.length);
  });

  test("is readable", () => {
    expect(urlKey("http://www.example.com/docs/index.html?b=2&a=1#intro", similar)).toBe("example.com/docs?a=1&b=2");
  });

  test("without the query when it is to be ignored", () => {
    const options = { ...similar, ignoreQueryParameters: true };
    expect(urlKey("https://example.com/a?b=1", options)).toBe(urlKey("https://example.com/a", options));
    expect(urlKey("https://example.com/a?b=1", { ...exact, ignoreQueryParameters: true })).toBe(
      "https://example.com/a",
    );
  });

  test("exact but for the fragment when similar URLs are to be kept apart", () => {
    const urls = [
      "http://example.com/a",
      "https://example.com/a",
      "https://www.example.com/a",
      "https://example.com/a/",
    ];
    expect(new Set(urls.map((url) => urlKey(url, exact))).size).toBe(urls.length);
    expect(urlKey("https://example.com/a#part", exact)).toBe("https://example.com/a");
    expect(urlKey("https://example.com/a#/route", exact)).toBe("https://example.com/a#/route");
  });

  const path = fc
    .array(
      fc.constantFrom(
        "a",
        "B",
        "/",
        "//",
        "a.b",
        "%",
        "%2f",
        "%7E",
        "%41",
        "é",
        ";jsessionid=",
        "index.html",
        "4",
        "1",
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => `/${parts.join("")}`);
  const query = fc
    .array(fc.constantFrom("a=1", "b", "a=2", "=", "&", "utm_source=x", "%61=1", "%", "%%34%31"), { maxLength: 8 })
    .map((pairs) => pairs.join("&"));
  const address = fc
    .tuple(
      fc.constantFrom("http", "https"),
      fc.constantFrom("www.a.b", "a.b:80", "a.b:443", "www.www.a.b", "1.2.3.4:81"),
      path,
      query,
    )
    .map(([scheme, host, way, search]) => `${scheme}://${host}${way}?${search}`);

  test("is the key of itself", () => {
    fc.assert(
      fc.property(address, (url) => {
        const key = urlKey(url, similar);
        expect(urlKey(`https://${key}`, similar)).toBe(key);
        expect(urlKey(`http://www.${key}`.replace("www.1", "1"), similar)).toBe(key);
        expect(urlKey(urlKey(url, exact), exact)).toBe(urlKey(url, exact));
      }),
    );
  });

  test("takes any text, and as fast when it is hostile", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof urlKey(text, similar) === "string"));
    const started = cpuTime();
    for (const part of ["/index.html", "%", ";jsessionid=", "?a", "&a=", "/"]) {
      urlKey(`https://example.com/${part.repeat(30_000)}`, similar);
    }
    expect(cpuTime() - started).toBeLessThan(3000);
  });
});

describe("the URL to fetch", () => {
  const base = "https://example.com/docs/page?x=1";
  test.each<[href: string, url: string | null]>([
    ["other", "https://example.com/docs/other"],
    ["/root", "https://example.com/root"],
    ["?y=2", "https://example.com/docs/page?y=2"],
    ["//cdn.example.com/a", "https://cdn.example.com/a"],
    ["  https://example.com/a\n ", "https://example.com/a"],
    ["\u00a0/a\u00a0", "https://example.com/a"],
    ["/lo\nng/\tpath", "https://example.com/long/path"],
    ["http:/example.org/a", "http://example.org/a"],
    ["https:/example.org/a", "https://example.org/a"],
    ["HTTP://EXAMPLE.ORG/A", "http://example.org/A"],
    ["/a#part", "https://example.com/a"],
    ["/a#", "https://example.com/a"],
    ["#part", "https://example.com/docs/page?x=1"],
    ["#/route", "https://example.com/docs/page?x=1#/route"],
    ["#!route", "https://example.com/docs/page?x=1#!route"],
    ["#/", "https://example.com/docs/page?x=1"],
    ["#!/", "https://example.com/docs/page?x=1"],
    ["https://user:secret@example.com:8080/a", "https://example.com:8080/a"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["javascript:alert(1)", null],
    [" JavaScript:void(0)", null],
    ["java\nscript:alert(1)", null],
    ["data:text/html,<p>", null],
    ["mailto:a@example.com", null],
    ["tel:+123", null],
    ["ftp://example.com/", null],
    ["file:///etc/passwd", null],
    ["blob:https://example.com/1", null],
    ["http://", null],
    ["http://http://example.com", null],
    ["https://exa mple.com/", null],
  ])("%j", (href, url) => {
    expect(fetchableUrl(href, base)).toBe(url);
  });

  test("is never longer than a server could need", () => {
    expect(fetchableUrl(`/a#:~:text=${"a".repeat(maxUrlLength)}`, base)).toBe("https://example.com/a");
    expect(fetchableUrl(`/${"a".repeat(maxUrlLength)}`, base)).toBeNull();
    expect(fetchableUrl(`data:image/png;base64,${"A".repeat(1_000_000)}`, base)).toBeNull();
  });

  test("has no base to lean on", () => {
    expect(fetchableUrl("/a")).toBeNull();
    expect(fetchableUrl("https://example.com")).toBe("https://example.com/");
  });
});
