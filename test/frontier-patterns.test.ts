import fc from "fast-check";
import { RE2Set } from "re2js";
import { describe, expect, test } from "vitest";
import { readPatterns } from "../src/frontier/patterns.ts";
import { expandedSize } from "../src/shared/pattern-size.ts";
import { cpuTime } from "./cpu-time.ts";

const compile = (patterns: string[]) => readPatterns(patterns, "includePaths").compiled;
const problemsOf = (patterns: string[]) => readPatterns(patterns, "includePaths").problems;

test.each<[pattern: string, text: string, found: boolean]>([
  ["^/blog/.*", "/blog/a", true],
  ["^/blog/.*", "/en/blog/a", false],
  ["blog", "/en/blog/a", true],
  ["\\.pdf$", "/a.pdf", true],
  ["\\.pdf$", "/a.pdf/b", false],
  ["/(de|fr)/", "/fr/x", true],
  ["^/\\d{4}/\\d{2}/", "/2024/05/x", true],
  ["(?i)^/DOCS", "/docs", true],
  ["", "/", true],
  ["^/ドキュメント/", "/%E3%83%89%E3%82%AD%E3%83%A5%E3%83%A1%E3%83%B3%E3%83%88/a", true],
  ["^/%E3%83%89", "/%E3%83%89", true],
  ["^/\\p{Katakana}", "/%E3%83%89", true],
  ["^/\\x{30c9}$", "/%E3%83%89", true],
  ["^/\\p{Katakana}", "/E3", false],
  ["^/é", "/%ZZ", false],
])("%s in %s: %s", (pattern, text, found) => {
  expect(compile([pattern]).matches(text)).toBe(found);
});

test("one of several is enough, none matches nothing", () => {
  expect(compile(["^/a", "^/b"]).matches("/b")).toBe(true);
  expect(compile([]).matches("/b")).toBe(false);
});

test("agrees with the language's own expressions where both know the pattern", () => {
  const piece = fc.constantFrom("a", "b", "/", ".", ".*", "a+", "[^/]", "(a|b)", "\\d", "b?", "a{2}", "\\.", "(?:ab)*");
  const pattern = fc
    .tuple(fc.constantFrom("", "^"), fc.array(piece, { maxLength: 6 }), fc.constantFrom("", "$"))
    .map(([start, pieces, end]) => start + pieces.join("") + end);
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "1", ".") });
  fc.assert(
    fc.property(pattern, text, (source, path) => {
      expect(compile([source]).matches(path)).toBe(new RegExp(source).test(path));
    }),
    { numRuns: 300 },
  );
});

test("agrees with RE2's own search, whatever a pattern is made of", () => {
  const piece = fc.constantFrom(
    "a",
    "[ab]",
    "[^a/]",
    ".",
    "(?s:.)",
    "a*",
    "b+?",
    "(a|b/)*",
    "(|b)",
    "a{2,4}",
    "(?i:K)",
    "(?i:ä)",
    "é",
    "[à-ÿ]",
    "\\p{L}",
    "\\b",
    "\\B",
    "^",
    "$",
    "\\z",
    "(?m:^)",
    "(?m:$)",
    "\\w",
    "\\W+",
    "(?:a?){3}",
    "😀",
    "\\x{7f}",
    "\\x{80}",
  );
  // A repetition that says nothing keeps the pattern from being a plain one.
  const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => `(?:${pieces.join("")}){1}`);
  const character = fc.constantFrom(
    "a",
    "b",
    "/",
    "k",
    "K",
    "\u212a",
    "ä",
    "Ä",
    "é",
    "\n",
    " ",
    "_",
    "1",
    "😀",
    "\x7f",
    "\x80",
    "\ud83d",
  );
  const texts = fc.array(fc.string({ unit: character, maxLength: 12 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), texts, (sources, paths) => {
      const { matches } = compile(sources);
      const set = new RE2Set();
      for (const source of sources) set.add(source);
      for (const path of paths) expect([path, matches(path)]).toEqual([path, set.match(path).length > 0]);
    }),
    { numRuns: 2000 },
  );
});

test("the largest patterns look at long paths in far less time than the library's own search", () => {
  const five = (pattern: (index: number) => string) => Array.from({ length: 5 }, (_, index) => pattern(index));
  const lists = [
    five((index) => `${"a[ab]*".repeat(330)}~${index}`),
    five((index) => `(a|b)*a${".".repeat(1980)}~${index}`),
  ];
  // No two of them lead through the same states.
  const texts = [3, 5, 7].map(
    (seed) => `/${Array.from({ length: 1500 }, (_, at) => "ab".charAt(((at * at * seed) >> 3) & 1)).join("")}`,
  );
  const timeOf = (isFound: (text: string) => boolean): number => {
    const started = cpuTime();
    for (const text of texts) expect(isFound(text)).toBe(false);
    return cpuTime() - started;
  };
  let own = 0;
  let library = 0;
  for (const list of lists) {
    const set = new RE2Set(RE2Set.UNANCHORED, 0, 4 * 1024 * 1024);
    for (const pattern of list) set.add(pattern);
    set.compile();
    own += timeOf(compile(list).matches);
    library += timeOf((text) => set.match(text).length > 0);
  }
  // Side by side, as machines differ: the library takes some five times as long.
  expect(own).toBeLessThan(library / 1.5);
});

test("a text with places left open is found as the engine for the others finds it", () => {
  const piece = fc.constantFrom(
    "a",
    "/",
    "-",
    ".",
    "\\.",
    "\\d",
    "\\w",
    "\\-",
    "\\/",
    "\\$",
    " ",
    "%",
    "\\+",
    "_",
    "~",
    ".*",
  );
  const pattern = fc
    .tuple(fc.constantFrom("", "^", ".*"), fc.array(piece, { maxLength: 5 }), fc.constantFrom("", "$", ".*"))
    .map(([start, pieces, end]) => start + pieces.join("") + end);
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "/", "1", ".", "-", "$", "+", "\n", "\u2028", "😀", "é", "_", "%", "~"),
  });
  fc.assert(
    fc.property(pattern, text, (source, path) => {
      // A group says nothing else, and is nothing plain.
      expect(compile([source]).matches(path)).toBe(compile([`(?:${source})`]).matches(path));
    }),
    { numRuns: 3000 },
  );
});

test("a thousand plain patterns are looked for in no time", () => {
  const word = (index: number) => (((index % 300) * 7919 + 12_345) ** 2).toString(36);
  const { matches } = compile(Array.from({ length: 1000 }, (_, index) => `/${word(index)}${index}`));
  expect(matches(`/shop/${word(999)}999`)).toBe(true);
  const started = cpuTime();
  for (let index = 0; index < 300; index++)
    matches(`/${word(index * 7)}/${word(index * 11)}-${word(index * 13)}/${index}`);
  expect(cpuTime() - started).toBeLessThan(300);
});

describe("refused, each with its place", () => {
  test("all at once", () => {
    const problems = problemsOf(["^/ok", "(?=a)b", "(a)\\1", "[a-", "(?<!x)y", "*"]);
    expect(problems.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map((index) => ["includePaths", index]));
    expect(problems[0]?.message).toMatch(/look-around/);
    expect(problems[1]?.message).toMatch(/back-references/);
    expect(problems[2]?.message).toMatch(/missing closing/);
  });

  test.each([
    ["nested repetition", "(a{1000}){1000}"],
    ["long repeated group", `(${"abcdefghij".repeat(100)}){900}`],
    ["many repetitions", "a{999}".repeat(300)],
    ["deep nesting", `${"(".repeat(900)}a${")".repeat(900)}${"{2}".repeat(3)}`],
    ["long pattern", "a".repeat(2001)],
    ["repeat beyond the engine's", "a{1001}"],
    ["repetitions behind quoted text", `\\Q[\\E${"\\pL{990}".repeat(60)}`],
    ["a repetition of a repetition", `(?:${"\\pL".repeat(60)}){30}(?i){33}`],
  ])("%s", (_what, pattern) => {
    const started = cpuTime();
    expect(problemsOf([pattern])).toHaveLength(1);
    expect(cpuTime() - started).toBeLessThan(1000);
  });

  test("too large together", () => {
    expect(problemsOf(Array(30).fill("a{990}"))).toHaveLength(28);
    expect(problemsOf(Array(6).fill("a".repeat(2000)))).toHaveLength(1);
    // A pattern that is smaller than it is long leaves no more room for repetitions.
    expect(problemsOf(["\\.".repeat(1000), "a{990}", "a{990}", "a{990}"])).toHaveLength(1);
  });
});

test("a pattern that would hang a backtracking engine answers at once", () => {
  const patterns = compile(["^/(a+)+$", "^/(a|a)*b$", "(x+x+)+y", "(.*a){20}$"]);
  const started = cpuTime();
  expect(patterns.matches(`/${"a".repeat(8000)}!`)).toBe(false);
  expect(patterns.matches(`/${"x".repeat(8000)}`)).toBe(false);
  expect(cpuTime() - started).toBeLessThan(2000);
});

test.each<[pattern: string, size: number]>([
  ["abc", 3],
  ["a{3}", 3],
  ["[a-z\\]]{2,5}x", 6],
  ["\\{a{2}", 3],
  ["(ab){10}", 30],
  ["((a{2}){3}){4}", 40],
  ["a{,}", 4],
  ["[]{9}", 1],
  ["(", 0],
  ["\\Q[\\Ea{3}]", 5],
  ["\\Qa{9}", 4],
  ["a{5}\\Q\\E{5}", 25],
  ["a(?i){5}", 5],
  ["(?:ab){5}(?s-i){5}", 125],
])("size of %s", (pattern, size) => {
  expect(expandedSize(pattern)).toBe(size);
});
