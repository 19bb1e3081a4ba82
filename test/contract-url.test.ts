import { expect, test } from "vitest";
import { z } from "zod";
import { httpUrl, maxUrlLength, normaliseInputUrl, readInputUrl } from "../src/contract/url.ts";
import { fetchableUrl } from "../src/frontier/fetchable-url.ts";
import { cpuTime } from "./cpu-time.ts";

test.each([
  ["https://example.com", "https://example.com"],
  ["  https://example.com/a \n", "https://example.com/a"],
  ["example.com", "http://example.com"],
  ["example.com:8080/x", "http://example.com:8080/x"],
  ["example.com?u=http://other.example/", "http://example.com?u=http://other.example/"],
  ["//example.com/x", "http://example.com/x"],
  ["HTTPS://Example.COM/A", "HTTPS://Example.COM/A"],
  ["http://example.com/a?b=%7e&c=a b&d=ü&&=#top", "http://example.com/a?b=%7e&c=a b&d=ü&&=#top"],
  ["localhost", "http://localhost"],
  ["localhost:3000", "http://localhost:3000"],
  ["intranet:8080", "http://intranet:8080"],
  ["http://intranet/wiki", "http://intranet/wiki"],
  ["127.0.0.1", "http://127.0.0.1"],
  ["http://10.0.0.12:81", "http://10.0.0.12:81"],
  ["[::1]:3000/x", "http://[::1]:3000/x"],
  ["http://[2001:db8::1]/", "http://[2001:db8::1]/"],
  ["münchen.de", "http://münchen.de"],
  ["https://日本語.jp/パス", "https://日本語.jp/パス"],
  ["http://name:secret@example.com:8080/", "http://name:secret@example.com:8080/"],
  ["example.com./", "http://example.com./"],
  ["http://http/x", "http://http/x"],
  ["http://example.com/http://other.example", "http://example.com/http://other.example"],
])("%j is accepted as %j", (given, url) => {
  expect(normaliseInputUrl(given)).toBe(url);
  expect(normaliseInputUrl(url)).toBe(url);
  expect(httpUrl.parse(given)).toBe(url);
  expect(fetchableUrl(url)).not.toBeNull();
});

test.each([
  "",
  "   ",
  "notaurl",
  "not a url",
  "/path",
  "./path",
  "?query",
  "#hash",
  "...",
  "http://",
  "http://?q",
  "http://.com",
  "http://a..b",
  "http://http://example.com",
  "https://http://example.com",
  "http://https//example.com",
  "ftp://example.com",
  "file:///etc/passwd",
  "ws://example.com",
  "mailto:me@example.com",
  "javascript:alert(1)",
  "data:text/html,hello",
  "about:blank",
  "blob:https://example.com/1",
  "http:example.com",
  "http:/example.com",
  "http://example.com:99999",
  "http://256.1.1.1",
  "http://[::1",
  "http://exa mple.com",
  "http://example.com/\u0000",
  "http://exam\nple.com",
  "http://example.com/\ttab",
  "http://example.com/\ud800",
  "https://*.example.com/",
])("%j is refused", (given) => {
  expect(normaliseInputUrl(given)).toBeNull();
  expect(httpUrl.safeParse(given).success).toBe(false);
});

test("a URL may be as long as the bound, and no longer", () => {
  const start = "http://example.com/";
  expect(normaliseInputUrl(start + "a".repeat(maxUrlLength - start.length))).not.toBeNull();
  expect(normaliseInputUrl(start + "a".repeat(maxUrlLength - start.length + 1))).toBeNull();
  // An ü is six characters of the URL that is sent.
  expect(normaliseInputUrl(start + "ü".repeat(maxUrlLength / 6))).toBeNull();
});

test.each([
  ["https://example.com/*", "https://example.com/*"],
  ["example.com/docs/**", "http://example.com/docs/**"],
  ["https://*.example.com/*", "https://*.example.com/*"],
])("the glob %j is accepted", (given, url) => {
  expect(readInputUrl(given, true)).toEqual({ url });
});

test.each(["https://*/x", "https://*.com/x", "https://exa*.com/", "https://a.*.example.com/", "*", "/*"])(
  "the glob %j is refused",
  (given) => {
    expect(readInputUrl(given, true)).toHaveProperty("problem");
  },
);

test("a refusal quotes the URL, shortly, and never one that may hold a password", () => {
  const text = (given: string) => z.flattenError(httpUrl.safeParse(given).error!).formErrors[0];
  expect(text("ftp://example.com")).toBe('must be an http or https URL: "ftp://example.com"');
  expect(text(`ftp://example.com/${"x".repeat(1000)}`)!.length).toBeLessThan(150);
  expect(text("ftp://me:secret@example.com")).toBe("must be an http or https URL");
});

test("reading takes linear time", () => {
  for (const part of [":", "a:", "//", "@", "*.", "a.", " ", "http://", "[", "%"]) {
    const start = cpuTime();
    for (let at = 0; at < 20; at++) normaliseInputUrl(part.repeat(maxUrlLength / part.length));
    expect(cpuTime() - start).toBeLessThan(500);
  }
});
