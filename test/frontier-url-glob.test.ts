import { describe, expect, test } from "vitest";
import { readUrlGlob } from "../src/frontier/url-glob.ts";

const matches = (glob: string, url: string, subdomains = false) => readUrlGlob(glob).matches(url, { subdomains });

describe("globs", () => {
  test.each<[glob: string, url: string, expected: boolean]>([
    ["https://example.com/*", "http://www.example.com/a/b?c#d", true],
    ["https://example.com/*", "https://blog.example.com/", false],
    ["https://*.example.com/*", "https://blog.example.com/", true],
    ["https://*.example.com/*", "https://example.com/", true],
    ["https://*.example.com/*", "https://badexample.com/", false],
    ["https://example.com/a/", "https://example.com/a/", true],
    ["https://example.com/a", "https://example.com/a/", true],
    ["https://example.com/a/*", "https://example.com/a", true],
    ["https://example.com/a/*", "https://example.com/ab", false],
    ["https://example.com/*/b", "https://example.com/a/b", true],
    ["https://example.com/*/b", "https://example.com/a/a/b", false],
    ["https://example.com/**/b", "https://example.com/a/a/b", true],
    ["https://example.com/%2A", "https://example.com/a", false],
    ["https://example.com/[a]", "https://example.com/a", false],
    ["https://example.com/a?path=/b/*", "https://example.com/a?path=/b/c/d", true],
    ["https://example.com/a?path=*", "https://example.com/a?page=1", false],
    ["https://example.com/a", "https://example.com/a?page=1", true],
    ["https://example.com/*", `https://example.com/${"a".repeat(3000)}`, false],
  ])("%s %s: %s", (glob, url, expected) => {
    expect(matches(glob, url)).toBe(expected);
  });

  test("match subdomains where those are wanted", () => {
    expect(matches("https://example.com/*", "https://blog.example.com/a", true)).toBe(true);
    expect(matches("https://example.com/*", "https://badexample.com/a", true)).toBe(false);
  });

  test("enter a site at the deepest folder that holds all matches", () => {
    expect(readUrlGlob("https://example.com/a/b*/c").entries).toEqual([
      "https://example.com/a/",
      "https://example.com/a",
    ]);
    expect(readUrlGlob("https://*.example.com/*").entries).toEqual(["https://example.com/"]);
  });
});
