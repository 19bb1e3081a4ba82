import { describe, expect, test } from "vitest";
import { CrawlcoreError } from "../src/errors.ts";
import { createScope, type FoundAt, type ScopeOptions } from "../src/frontier/scope.ts";
import { siteDomain } from "../src/frontier/site.ts";

const defaults: ScopeOptions = {
  startUrl: "https://example.com/",
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  maxDepth: 10,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
};

/** What the scope says to a URL: "yes", or the reason. */
function verdict(options: Partial<ScopeOptions>, url: string, found: FoundAt = { depth: 1 }): string {
  const answer = createScope({ ...defaults, ...options }).admit(url, found);
  return answer.admitted ? "yes" : answer.reason;
}

test.each<[start: string, url: string, expected: string]>([
  // Segments, not letters, decide what is below the start.
  ["https://example.com/", "https://example.com/a/b", "yes"],
  ["https://example.com/docs", "https://example.com/docs", "yes"],
  ["https://example.com/docs", "https://example.com/docs/x", "yes"],
  ["https://example.com/docs", "https://example.com/docs?page=2", "yes"],
  ["https://example.com/docs", "https://example.com/docs-old", "OUTSIDE_START_PATH"],
  ["https://example.com/docs", "https://example.com/", "OUTSIDE_START_PATH"],
  ["https://example.com/docs/", "https://example.com/docs", "yes"],
  ["https://example.com/docs/index.html", "https://example.com/docs/x", "yes"],
  ["https://example.com/docs/index.html", "https://example.com/other", "OUTSIDE_START_PATH"],
  ["https://example.com/sitemap.xml", "https://example.com/other", "yes"],
  ["https://example.com/docs/sitemap.xml.gz", "https://example.com/docs/x", "yes"],
  ["https://example.com/docs/feed.xml", "https://example.com/other", "OUTSIDE_START_PATH"],
  ["https://example.com/index.php?page=home", "https://example.com/other", "yes"],
  // A leaf has children below it only; one with an ending owns the folder of its name.
  ["https://example.com/features/one", "https://example.com/features/one/tips", "yes"],
  ["https://example.com/features/one", "https://example.com/features/two", "OUTSIDE_START_PATH"],
  ["https://example.com/docs/guide.html", "https://example.com/docs/guide/part", "yes"],
  ["https://example.com/docs/guide.html", "https://example.com/docs/guide", "yes"],
  ["https://example.com/docs/guide.html", "https://example.com/docs/other.html", "OUTSIDE_START_PATH"],
  ["https://example.com/%7Eme/", "https://example.com/~me/page", "yes"],
  // Hosts.
  ["https://example.com/", "http://www.example.com/a", "yes"],
  ["https://www.example.com/", "https://example.com/a", "yes"],
  ["https://example.com/", "https://docs.example.com/a", "SUBDOMAIN"],
  ["https://docs.example.com/", "https://example.com/a", "SUBDOMAIN"],
  ["https://example.com/", "https://example.org/a", "EXTERNAL"],
  ["https://example.com/", "https://notexample.com/a", "EXTERNAL"],
  ["https://example.com/", "https://example.com.evil.example/a", "EXTERNAL"],
  ["https://one.github.io/", "https://two.github.io/a", "EXTERNAL"],
  ["https://one.co.uk/", "https://two.co.uk/a", "EXTERNAL"],
  // A public suffix may be a host itself; those below it belong to others all the same.
  ["https://github.io/", "https://one.github.io/a", "EXTERNAL"],
  ["https://www.gov.uk/", "https://www.gov.uk/a", "yes"],
  ["https://www.gov.uk/", "https://council.gov.uk/a", "EXTERNAL"],
  ["http://localhost:3000/", "http://app.localhost:3000/a", "SUBDOMAIN"],
  ["http://localhost:3000/", "http://localhost:3000/a", "yes"],
  ["http://localhost:3000/", "http://localhost:4000/a", "EXTERNAL"],
  ["http://127.0.0.1:3000/", "http://127.0.0.1:4000/a", "EXTERNAL"],
  ["http://[::1]:3000/", "http://[::1]:3000/a", "yes"],
  ["http://[::1]:3000/", "http://[::2]:3000/a", "EXTERNAL"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/a", "yes"],
  // What is fetched.
  ["https://example.com/", "https://example.com/photo.JPG", "FILE_TYPE"],
  ["https://example.com/", "https://example.com/a.zip?x=1", "FILE_TYPE"],
  ["https://example.com/", "https://example.com/paper.pdf", "yes"],
  ["https://example.com/", "https://example.com/notes.md", "yes"],
  ["https://example.com/", "https://example.com/wiki/example.com", "yes"],
  ["https://example.com/", "https://example.com/v1.2", "yes"],
  ["https://example.com/", "javascript:alert(1)", "INVALID_URL"],
  ["https://example.com/", "data:text/html,x", "INVALID_URL"],
  ["https://example.com/", "mailto:a@example.com", "INVALID_URL"],
  ["https://example.com/", "nonsense", "INVALID_URL"],
])("start %s: %s: %s", (startUrl, url, expected) => {
  expect(verdict({ startUrl }, url)).toBe(expected);
});

test("a page that links to itself with ever longer queries comes to an end", () => {
  let url = "https://example.com/?next=";
  let links = 0;
  for (let depth = 1; verdict({}, url, { depth }) === "yes"; depth++) {
    url += "abcdefgh";
    links++;
  }
  expect(links).toBeLessThan(300);
  expect(verdict({}, url)).toBe("URL_TOO_LONG");
  expect(verdict({}, `https://example.com/?${"x=1&".repeat(100_000)}`)).toBe("INVALID_URL");
});

test.each([
  ["http://www.docs.example.co.uk:8080/a", "example.co.uk"],
  ["http://localhost:3000/", "localhost"],
  ["http://[2001:db8::1]/", "[2001:db8::1]"],
  ["http://[2001:db8::1]:3000/", "[2001:db8::1]"],
])("the hosts of the site of %s share %s", (url, expected) => {
  expect(siteDomain(new URL(url))).toBe(expected);
});

test("the longest URL of a crawl has 2048 characters", () => {
  const longest = `https://example.com/${"a".repeat(2048 - "https://example.com/".length)}`;
  expect(verdict({}, longest)).toBe("yes");
  expect(verdict({}, `${longest}a`)).toBe("URL_TOO_LONG");
});

test("an admitted URL comes as it is to be fetched, with its key", () => {
  const answer = createScope(defaults).admit("http://user:secret@www.example.com/a/?b=2&a=1#part", { depth: 1 });
  expect(answer).toEqual({ admitted: true, url: "http://www.example.com/a/?b=2&a=1", key: "example.com/a?a=1&b=2" });
});

describe("options", () => {
  const docs = { startUrl: "https://example.com/docs" };

  test("crawlEntireDomain lifts the start path", () => {
    expect(verdict({ ...docs, crawlEntireDomain: true }, "https://example.com/blog")).toBe("yes");
    expect(verdict({ ...docs, crawlEntireDomain: true }, "https://example.org/docs/x")).toBe("EXTERNAL");
  });

  test("allowSubdomains admits the hosts of the domain, wherever their pages lie", () => {
    expect(verdict({ ...docs, allowSubdomains: true }, "https://blog.example.com/post")).toBe("yes");
    expect(verdict({ ...docs, allowSubdomains: true }, "https://example.com/post")).toBe("OUTSIDE_START_PATH");
    expect(verdict({ ...docs, allowSubdomains: true }, "https://example.org/docs")).toBe("EXTERNAL");
    expect(verdict({ startUrl: "https://docs.example.com/", allowSubdomains: true }, "https://example.com/")).toBe(
      "yes",
    );
    expect(verdict({ startUrl: "http://localhost:1/", allowSubdomains: true }, "http://a.localhost:1/")).toBe("yes");
    expect(verdict({ startUrl: "http://10.0.0.1/", allowSubdomains: true }, "http://10.0.0.2/")).toBe("EXTERNAL");
  });

  test("allowExternalLinks goes one step away from the site", () => {
    const open = { ...docs, allowExternalLinks: true };
    const inside = { depth: 1, from: "https://www.example.com/docs/x" };
    const outside = { depth: 2, from: "https://example.org/" };
    expect(verdict(open, "https://example.org/", inside)).toBe("yes");
    expect(verdict(open, "https://docs.example.com/", inside)).toBe("yes");
    expect(verdict(open, "https://example.org/next", outside)).toBe("EXTERNAL_FROM_EXTERNAL");
    expect(verdict(open, "https://example.net/", outside)).toBe("EXTERNAL_FROM_EXTERNAL");
    expect(verdict(open, "https://example.com/docs/x", outside)).toBe("yes");
    expect(verdict(open, "https://example.com/blog", inside)).toBe("OUTSIDE_START_PATH");
  });

  test("maxDepth counts segments, index files and closing slashes not among them", () => {
    const depth = { maxDepth: 2 };
    expect(verdict(depth, "https://example.com/a/b")).toBe("yes");
    expect(verdict(depth, "https://example.com/a/b/index.html")).toBe("yes");
    expect(verdict(depth, "https://example.com/a//b/")).toBe("yes");
    expect(verdict(depth, "https://example.com/a/b/c")).toBe("MAX_DEPTH");
    expect(verdict({ maxDepth: 0 }, "https://example.com/?page=2")).toBe("yes");
    expect(verdict({ maxDepth: 0 }, "https://example.com/a")).toBe("MAX_DEPTH");
  });

  test("maxDiscoveryDepth counts links from the start", () => {
    expect(verdict({ maxDiscoveryDepth: 1 }, "https://example.com/a", { depth: 1 })).toBe("yes");
    expect(verdict({ maxDiscoveryDepth: 1 }, "https://example.com/a", { depth: 2 })).toBe("MAX_DISCOVERY_DEPTH");
    expect(verdict({ maxDiscoveryDepth: 0 }, "https://example.com/", { depth: 0 })).toBe("yes");
  });

  test("includePaths and excludePaths see the pathname, or the URL on demand", () => {
    const paths = { includePaths: ["^/blog/", "^/docs/"], excludePaths: ["/private"] };
    expect(verdict(paths, "https://example.com/blog/a")).toBe("yes");
    expect(verdict(paths, "https://example.com/about")).toBe("NOT_INCLUDED");
    expect(verdict(paths, "https://example.com/blog/private/a")).toBe("EXCLUDED");
    expect(verdict({ excludePaths: ["page=2"] }, "https://example.com/?page=2")).toBe("yes");
    expect(verdict({ excludePaths: ["page=2"], regexOnFullURL: true }, "https://example.com/?page=2")).toBe("EXCLUDED");
    expect(verdict({ includePaths: ["^https://example"], regexOnFullURL: true }, "https://example.com/a")).toBe("yes");
  });

  test("robots.txt is asked last, for what would be admitted", () => {
    const asked: string[] = [];
    const isAllowedByRobots = (url: string) => {
      asked.push(url);
      return !url.includes("/private");
    };
    expect(verdict({ isAllowedByRobots }, "https://example.com/private/a#x")).toBe("ROBOTS");
    expect(verdict({ isAllowedByRobots }, "https://example.com/a")).toBe("yes");
    expect(verdict({ isAllowedByRobots }, "https://example.org/private")).toBe("EXTERNAL");
    expect(asked).toEqual(["https://example.com/private/a", "https://example.com/a"]);
  });
});

describe("where the start URL led to", () => {
  const from = (startUrl: string, landedUrl: string, url: string) =>
    createScope({ ...defaults, startUrl })
      .rebase(landedUrl)
      .admit(url, { depth: 1 });

  test.each<[start: string, landed: string, url: string, admitted: boolean]>([
    ["http://example.com/", "https://www.example.com/en/", "https://example.com/fr/", true],
    ["https://example.com/", "https://example.org/", "https://example.org/a", true],
    ["https://example.com/", "https://example.org/", "https://example.com/a", false],
    ["https://example.com/docs", "https://docs.example.com/docs/v2", "https://docs.example.com/docs/v1", true],
    ["https://example.com/docs", "https://docs.example.com/", "https://docs.example.com/any", true],
    ["https://example.com/old", "https://example.com/new/", "https://example.com/new/a", true],
    ["https://example.com/old", "https://example.com/new/", "https://example.com/old/a", false],
  ])("%s -> %s: %s %s", (start, landed, url, admitted) => {
    expect(from(start, landed, url).admitted).toBe(admitted);
  });

  test("may be deeper than maxDepth without failing the crawl", () => {
    const scope = createScope({ ...defaults, maxDepth: 1 }).rebase("https://example.com/a/b/c");
    expect(scope.admit("https://example.com/x", { depth: 1 }).admitted).toBe(true);
  });
});

test("what is wrong with the options is said at once", () => {
  const options = {
    ...defaults,
    startUrl: "ftp://example.com/a/b",
    includePaths: ["ok", "(?=x)"],
    excludePaths: ["[a-"],
  };
  let error: unknown;
  try {
    createScope(options);
  } catch (thrown) {
    error = thrown;
  }
  expect(CrawlcoreError.isInstance(error) && error.code).toBe("BAD_REQUEST");
  expect(CrawlcoreError.isInstance(error) && error.details?.map(({ path }) => path)).toEqual([
    ["includePaths", 1],
    ["excludePaths", 0],
    ["url"],
  ]);
});
