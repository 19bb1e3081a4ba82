// Marks of footnotes in the digits and words of other languages.
import { expect, test } from "vitest";
import { scrapedWhole } from "./scraped.ts";

const page = (first: string, second: string): string =>
  `<p>The tower is old<sup><a href="#fn1" id="r1">${first}</a></sup> and white.<sup>${second}</sup></p>
  <ol><li id="fn1">Of the harbour. <a href="#r1">↩</a></li></ol><p><sup>${second}</sup> Of stone.</p>`;

test.each([
  ["Arabic", "[١]", "٢", "١", "٢"],
  ["Persian", "۱", "۲", "۱", "۲"],
  ["Hindi", "१", "२", "१", "२"],
  ["Thai", "(๑)", "๒", "๑", "๒"],
  ["Japanese", "注1", "２", "注1", "２"],
])("%s", async (_, first, second, one, two) => {
  expect(await scrapedWhole(page(first, second))).toBe(
    `The tower is old[^${one}] and white.[^${two}]\n\n[^${one}]: Of the harbour.\n\n[^${two}]: Of stone.`,
  );
});

test("a short word that leads to a note is no mark of one", async () => {
  const markdown = await scrapedWhole('<p>如<a href="#note-1">第一章</a>所述。</p><p id="note-1">灯台の話。</p>');
  expect(markdown).toBe("如[第一章](/page#note-1)所述。\n\n灯台の話。");
});
