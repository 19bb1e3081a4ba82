/** Files of the demo: URLs are written by strangers, and must not choose where a file goes. */
import { isAbsolute, join, normalize, relative } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FileNames } from "../examples/demo/file-names.ts";

it.each([
  ["https://example.com/", "example.com/index.md"],
  ["https://example.com/docs/install/?v=2", "example.com/docs/install--v=2.md"],
  ["https://example.com/a.html", "example.com/a.md"],
  ["https://example.com/%C5%BC%C3%B3%C5%82w", "example.com/żółw.md"],
  ["https://example.com/..%2f..%2f..%2fetc%2fpasswd", "example.com/-..-..-etc-passwd.md"],
  ["https://example.com/%2e%2e/%2e%2e/x", "example.com/x.md"],
  ["https://example.com/.ssh/.hidden", "example.com/ssh/hidden.md"],
  ["https://example.com/con/nul.txt", "example.com/_con/_nul.txt.md"],
  ["https://example.com/x.md/y", "example.com/x-md/y.md"],
  ["https://example.com/a%00b%0Ac%5Cd", "example.com/a-b-c-d.md"],
  ["http://[::1]:8080/x", "---1-/x.md"],
])("%s becomes %s", (url, file) => {
  expect(new FileNames().for(url)).toBe(file);
});

it("gives no name twice, also where case does not count", () => {
  const names = new FileNames();
  const files = ["/a", "/A", "/a/", "/a.html", "/?a", "/index.html?a"].map((path) =>
    names.for(`https://example.com${path}`),
  );
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
});

it("keeps any URL inside the folder, with names of a bounded length", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom("..", ".", "%2e%2e", "%2f", "\\..\\", "~", "\0"),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 40 }),
      fc.string({ maxLength: 300 }),
      fc.boolean(),
      (parts, query, encode) => {
        const path = parts.map((each) => (encode ? encodeURIComponent(each.toWellFormed()) : each)).join("/");
        const url = URL.parse(`https://example.com/${path}?${query}`);
        if (url === null) return;
        const file = new FileNames().for(url.href);
        const inside = relative("/out", normalize(join("/out", file)));
        expect(isAbsolute(inside) || inside.startsWith("..") || inside.includes("\0") || inside.includes("\\")).toBe(
          false,
        );
        expect(Math.max(...file.split("/").map((name) => Buffer.byteLength(name)))).toBeLessThan(256);
        expect(file.split("/").length).toBeLessThanOrEqual(14);
      },
    ),
  );
});
