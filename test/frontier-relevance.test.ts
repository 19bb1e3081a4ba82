import fc from "fast-check";
import { expect, test } from "vitest";
import { rankByRelevance } from "../src/frontier/relevance.ts";
import { turnTimes } from "./cpu-time.ts";

const page = (path: string, title?: string, description?: string) => ({
  url: `https://example.com${path}`,
  title,
  description,
});

test.each<[search: string, pages: ReturnType<typeof page>[], best: string]>([
  ["pricing", [page("/about"), page("/pricing")], "/pricing"],
  ["install docs", [page("/docs/api"), page("/install"), page("/docs/install")], "/docs/install"],
  ["refund", [page("/a", "Terms"), page("/b", "Refunds")], "/b"],
  ["refund", [page("/a", "Terms", "How shipping works"), page("/b", "Terms", "When we refund you")], "/b"],
  ["guide", [page("/x"), page("/guides")], "/guides"],
  ["cafe menu", [page("/a"), page("/Caf%C3%A9-Men%C3%BC")], "/Caf%C3%A9-Men%C3%BC"],
  ["東京 料理", [page("/a", "大阪の天気"), page("/b", "東京の料理")], "/b"],
  ["документация", [page("/a"), page(encodeURI("/документация"))], encodeURI("/документация")],
  ["web scraping", [page("/blog/2024/news/web/more/words/here/and/there"), page("/web-scraping")], "/web-scraping"],
  ["install", [page("/installation"), page("/install")], "/install"],
  ["go", [page("/a"), page("/google")], "/a"],
  ["auth", [page("/a"), page("/authentication")], "/authentication"],
])("%s", async (search, pages, best) => {
  expect((await rankByRelevance(pages, search))[0]?.url).toBe(`https://example.com${best}`);
});

test("a character of Chinese that is searched alone is found inside words", async () => {
  const pages = [page("/a"), { ...page("/b"), title: "紅茶専門店" }];
  expect((await rankByRelevance(pages, "茶"))[0]?.url).toBe("https://example.com/b");
});

test("the name of a host counts, less than that of a page", async () => {
  const pages = ["https://www.example.com/", "https://docs.example.com/", "https://www.example.com/docs"].map(
    (url) => ({ url }),
  );
  const ranked = await rankByRelevance(pages, "docs");
  expect(ranked.map(({ url }) => url)).toEqual(pages.map(({ url }) => url).toReversed());
});

test("without words, or without a difference, the order stays", async () => {
  const pages = [page("/b"), page("/a"), page("/c")];
  expect(await rankByRelevance(pages, "")).toEqual(pages);
  expect(await rankByRelevance(pages, "?!")).toEqual(pages);
  expect(await rankByRelevance(pages, "elsewhere")).toEqual(pages);
  expect(await rankByRelevance(pages, "example")).toEqual(pages);
  expect(await rankByRelevance([], "a")).toEqual([]);
});

test("nothing is lost or made up, whatever the text", async () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ url: text, title: text })), text, async (pages, search) => {
      const ranked = await rankByRelevance(pages, search);
      expect(new Set(ranked)).toEqual(new Set(pages));
      expect(ranked).toHaveLength(pages.length);
      expect(await rankByRelevance(pages, search)).toEqual(ranked);
    }),
  );
});

test("others get in between while tens of thousands of pages are ranked, to the end", async () => {
  const pages = Array.from({ length: 60_000 }, (_, number) => ({ url: `a${number % 7}` }));
  const search = Array.from({ length: 32 }, (_, number) => `word${number}`).join(" ");
  const rank = () => rankByRelevance(pages, search);
  // The code is compiled.
  await rank();
  const { longest, total } = await turnTimes(rank);
  // Added up in one go, the scores took two fifths.
  expect(longest).toBeLessThan(total / 4);
});
