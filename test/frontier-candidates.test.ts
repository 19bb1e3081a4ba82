import { expect, test } from "vitest";
import { Candidates } from "../src/frontier/candidates.ts";
import { createScope } from "../src/frontier/scope.ts";
import { usualIdentity } from "../src/frontier/url-key.ts";

const candidates = (isWanted?: (url: string) => boolean) =>
  new Candidates(
    createScope({
      startUrl: "https://a.example/",
      regexOnFullURL: false,
      maxDepth: 10,
      crawlEntireDomain: true,
      allowExternalLinks: false,
      allowSubdomains: false,
      ...usualIdentity,
    }),
    usualIdentity,
    isWanted,
  );

test("each page that is wanted is there once, with all that is said of it, once and up to a length", async () => {
  const found = candidates((url) => !url.includes("no"));
  await found.add([
    { url: "https://a.example/tea", title: "Tea" },
    { url: "https://a.example/no", title: "No" },
  ]);
  await found.add([
    { url: "https://a.example/tea/", title: "Tea", description: "Leaves" },
    { url: "https://www.a.example/tea", title: "Green tea" },
    { url: "https://b.example/tea", title: "Elsewhere" },
  ]);
  expect(found.all()).toEqual([
    { url: "https://a.example/tea", key: "a.example/tea", title: "Tea Green tea", description: "Leaves" },
  ]);
  for (let at = 0; at < 300; at++)
    await found.add([{ url: "https://a.example/tea", description: `Sort ${at} of tea` }]);
  expect(found.all()[0]!.description).toHaveLength(600);
});
