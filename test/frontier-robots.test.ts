import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxCrawlDelay, parseRobots, productToken, robotsOfAnswer } from "../src/frontier/robots.ts";
import { compileRobotsRules } from "../src/frontier/robots-rules.ts";
import { cpuTime } from "./cpu-time.ts";

const agent = "crawlcore";
const allowed = (lines: string, url: string, userAgent = agent) => parseRobots(lines).isAllowed(url, userAgent);
const all = (...rules: string[]) => ["User-agent: *", ...rules].join("\n");

describe("rules", () => {
  test("a robot that is named and forbidden nothing may go everywhere, though all others may not", () => {
    const lines = `User-agent: ${agent}\nDisallow:\n\nUser-agent: *\nDisallow: /`;
    expect([agent, "other"].map((name) => allowed(lines, "/a", name))).toEqual([true, false]);
  });

  test.each<[rules: string[], path: string, expected: boolean]>([
    [[], "/a", true],
    [["Disallow:"], "/a", true],
    [["Disallow: /"], "/a", false],
    [["Disallow: /"], "/robots.txt", true],
    [["Disallow: /a"], "/ab", false],
    [["Disallow: /a/"], "/a", true],
    [["Disallow: /A"], "/a", true],
    // The longest decides, wherever it stands; Allow wins a tie.
    [["Allow: /p", "Disallow: /"], "/page", true],
    [["Disallow: /page", "Allow: /p"], "/page", false],
    [["Disallow: /page", "Allow: /page"], "/page", true],
    [["Allow: /page", "Disallow: /page"], "/page", true],
    [["Disallow: /*.htm", "Allow: /page"], "/page.htm", false],
    [["Allow: /page", "Disallow: /*e.ph"], "/page.ph", false],
    [["Allow: /page", "Disallow: /*.ph"], "/page.ph", true],
    [["Allow: /a/*", "Disallow: /a/b"], "/a/b", true],
    [["Disallow: /*a", "Allow: /*b"], "/ab", true],
    // Wildcards.
    [["Disallow: *.pdf$"], "/a/b.pdf", false],
    [["Disallow: /*.pdf$"], "/a.pdf?x", true],
    [["Disallow: /a*b*c"], "/a/x/b/y/c/z", false],
    [["Disallow: /a*b*c"], "/a/c/b", true],
    [["Disallow: /a$"], "/a", false],
    [["Disallow: /a$"], "/ab", true],
    [["Disallow: /*a$"], "/aba", false],
    [["Disallow: /ab*ba$"], "/aba", true],
    [["Disallow: /*$"], "/anything", false],
    [["Disallow: /**/x"], "/a/x", false],
    [["Disallow: /a$b"], "/a$b", false],
    [["Disallow: /*?"], "/a?b=1", false],
    [["Disallow: /*?"], "/a", true],
    // Spelling.
    [["Disallow: /ä"], "/%C3%A4", false],
    [["Disallow: /%c3%a4"], "/%C3%A4", false],
    // URLs have these characters encoded only.
    [["Disallow: /my files/"], "/my%20files/a", false],
    [["Disallow: /{id}/"], "/%7Bid%7D/a", false],
    [["Disallow: /*|"], "/a|b", false],
    [["Disallow: /*?q=a b"], "/?q=a%20b", false],
    [["Disallow: /%7Eme"], "/~me", false],
    [["Disallow: /~me"], "/%7eme", false],
    [["Disallow: /a%2Fb"], "/a/b", true],
    [["Disallow: /a%2a"], "/a*", false],
    [["Disallow: /a%24"], "/a$x", false],
    // The beginning of any escape, or of some.
    [["Disallow: /*%"], "/b%C3%A4r", false],
    [["Disallow: /a%2"], "/a%2Fb", false],
    [["Disallow: /*%"], "/bar", true],
    [["Disallow: /100%off"], "/100%off", false],
    [["disallow : /a # why"], "/a", false],
    [["DISALLOW:/a"], "/a", false],
  ])("%j %s: %s", (rules, path, expected) => {
    expect(allowed(all(...rules), path)).toBe(expected);
    expect(allowed(all(...rules), `https://user@example.com:80${path}#part`)).toBe(expected);
  });

  test("a URL without a path is the root", () => {
    expect(allowed(all("Disallow: /$"), "https://example.com")).toBe(false);
    expect(allowed(all("Disallow: /?x"), "https://example.com?x=1")).toBe(false);
  });
});

describe("groups", () => {
  const text = `
User-agent: crawlcore
User-agent: OtherBot/2.1
Disallow: /both

Sitemap: https://example.com/map.xml
User-agent: *
Disallow: /all
Crawl-delay: 3

User-agent: CrawlCore
Disallow: /more
Crawl-delay: 0.5
Unknown: line
`;
  test.each<[agent: string, path: string, expected: boolean]>([
    ["crawlcore", "/both", false],
    ["crawlcore", "/more", false],
    ["crawlcore", "/all", true],
    ["otherbot", "/both", false],
    ["otherbot", "/more", true],
    ["somebody", "/all", false],
    ["somebody", "/both", true],
    ["crawlcorelike", "/both", true],
    ["crawlcore/1.0 (+https://example.com)", "/more", false],
  ])("%s %s: %s", (userAgent, path, expected) => {
    expect(allowed(text, path, userAgent)).toBe(expected);
  });

  test("crawl delay is the group's own, and capped", () => {
    expect(parseRobots(text).crawlDelay("crawlcore")).toBe(0.5);
    expect(parseRobots(text).crawlDelay("otherbot")).toBeUndefined();
    expect(parseRobots(text).crawlDelay("somebody")).toBe(3);
    expect(parseRobots(all("Crawl-delay: 86400")).crawlDelay(agent)).toBe(maxCrawlDelay);
    for (const value of ["", "-1", "soon", "NaN"]) {
      expect(parseRobots(all(`Crawl-delay: ${value}`)).crawlDelay(agent)).toBeUndefined();
    }
  });

  test("an agent after a crawl delay begins a new group", () => {
    const delays = parseRobots("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /");
    expect(delays.isAllowed("/x", "a")).toBe(true);
    expect(delays.isAllowed("/x", "b")).toBe(false);
  });

  test("rules before any group count for nobody", () => {
    expect(allowed("Disallow: /\nUser-agent: x\nDisallow: /", "/a")).toBe(true);
  });

  test("sitemaps stand anywhere", () => {
    expect(parseRobots(`Sitemap: https://a.example/1.xml\n${text}`).sitemaps).toEqual([
      "https://a.example/1.xml",
      "https://example.com/map.xml",
    ]);
  });
});

test.each([
  ["ExampleBot/1.2 (+https://example.com)", "examplebot"],
  ["Mozilla/5.0 (compatible; ExampleBot/1.2; +https://example.com)", "examplebot"],
  ["example-bot", "example-bot"],
  ["", ""],
])("product token of %j", (userAgent, token) => {
  expect(productToken(userAgent)).toBe(token);
});

describe("answers", () => {
  const forbidding = all("Disallow: /");
  test.each([
    [200, forbidding, false],
    [404, forbidding, true],
    [403, forbidding, true],
    [503, forbidding, true],
    [302, forbidding, true],
    [200, "<!doctype html><pre>\nUser-agent: *\nDisallow: /\n</pre>", true],
    [200, "", true],
  ])("%i: allowed %s", (status, body, expected) => {
    expect(robotsOfAnswer(status, body).isAllowed("/a", agent)).toBe(expected);
  });

  test("what is cut off in the middle of a line forbids no more than was written", () => {
    const cut = all("Disallow: /a", "Disallow: /");
    expect(parseRobots(cut, false).isAllowed("/b", agent)).toBe(true);
    expect(parseRobots(cut, false).isAllowed("/a", agent)).toBe(false);
  });

  test("no more sitemaps are taken from a file than a site may have, nor a second delay", () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `Sitemap: https://a.example/${at}.xml`);
    expect(parseRobots(lines.join("\n")).sitemaps).toHaveLength(1000);
    expect(parseRobots(all("Crawl-delay: 2", "Crawl-delay: 9")).crawlDelay(agent)).toBe(2);
  });

  test.each([
    ["byte-order mark", `\ufeff${forbidding}`],
    ["old Macintosh lines", forbidding.replaceAll("\n", "\r")],
    ["Windows lines", forbidding.replaceAll("\n", "\r\n")],
    ["bytes", new TextEncoder().encode(`\ufeff${forbidding}`)],
    ["UTF-16", Buffer.from(`\ufeff${forbidding}`, "utf16le")],
    ["UTF-16, the other way round", Buffer.from(`\ufeff${forbidding}`, "utf16le").swap16()],
    ["blank lines inside a group", "User-agent: *\n\n\nDisallow: /"],
  ])("%s", (_what, body) => {
    expect(parseRobots(body).isAllowed("/a", agent)).toBe(false);
  });
});

describe("hostile files", () => {
  const within = (milliseconds: number, run: () => void) => {
    const started = cpuTime();
    run();
    expect(cpuTime() - started).toBeLessThan(milliseconds);
  };

  test("5 MB: the first 512 KiB count, up to the last whole line", () => {
    within(2000, () => {
      const line = "Disallow: /private/section\n";
      const robots = parseRobots(`User-agent: *\nDisallow: /first\n${line.repeat(200_000)}Disallow: /last`);
      expect(robots.isAllowed("/first", agent)).toBe(false);
      expect(robots.isAllowed("/last", agent)).toBe(true);
      expect(robots.isAllowed("/p", agent)).toBe(true);
      expect(robots.isAllowed("/private/section", agent)).toBe(false);
    });
  });

  test.each([
    ["stars", `Disallow: /${"*a".repeat(200_000)}b`],
    ["many wildcard rules", Array.from({ length: 30_000 }, (_, index) => `Disallow: /*${index}`).join("\n")],
    ["many plain rules", Array.from({ length: 30_000 }, (_, index) => `Disallow: /${index}x`).join("\n")],
    ["long rule", `Disallow: /${"a".repeat(500_000)}`],
    ["percents", `Disallow: /${"%".repeat(500_000)}`],
  ])("%s", (_what, rules) => {
    within(3000, () => {
      const robots = parseRobots(all(rules));
      for (let index = 0; index < 100; index++) robots.isAllowed(`/${"a".repeat(8000)}${index}c`, agent);
    });
  });

  test("many groups and agents", () => {
    const agents = Array.from({ length: 10_000 }, (_, index) => `User-agent: bot${index}`).join("\n");
    const rules = Array.from({ length: 10_000 }, (_, index) => `Disallow: /${index}`).join("\n");
    within(2000, () => expect(allowed(`${agents}\n${rules}`, "/77", "bot7")).toBe(false));
    const groups = Array.from({ length: 10_000 }, (_, index) => `User-agent: bot${index}\nDisallow: /${index}`).join(
      "\n",
    );
    within(2000, () => expect(allowed(groups, "/77", "bot77")).toBe(false));
  });

  test("of the patterns with stars, the first two thousand count", () => {
    const stars = Array.from({ length: 2001 }, (_, index) => `Disallow: /*/${index}$`);
    const robots = parseRobots(all(...stars));
    expect(robots.isAllowed("/a/1999", agent)).toBe(false);
    expect(robots.isAllowed("/a/2000", agent)).toBe(true);
  });

  test("any text is taken", () => {
    expect(allowed(all("Disallow: /half a letter: \ud83d"), "/\ud83d")).toBe(true);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => typeof allowed(all(text), `/${text}`) === "boolean"),
    );
  });
});

test("agrees with a plain reading of the wildcard rules", () => {
  const pattern = fc
    .tuple(fc.array(fc.constantFrom("a", "b", "/", "*"), { maxLength: 6 }), fc.constantFrom("", "$"))
    .map(([parts, end]) => `/${parts.join("")}${end}`);
  const rules = fc.array(fc.record({ allow: fc.boolean(), pattern }), { maxLength: 5 });
  const path = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 8 }).map((parts) => `/${parts.join("")}`);
  fc.assert(
    fc.property(rules, path, (list, text) => {
      const matching = list
        .map((rule) => ({ ...rule, pattern: rule.pattern.replace(/\*+/g, "*") }))
        .filter((rule) => new RegExp(`^${rule.pattern.replaceAll("*", ".*")}`).test(text));
      const longest = Math.max(...matching.map((rule) => rule.pattern.length));
      const deciding = matching.filter((rule) => rule.pattern.length === longest);
      expect(compileRobotsRules(list)(text)).toBe(deciding.length === 0 || deciding.some((rule) => rule.allow));
    }),
    { numRuns: 500 },
  );
});
