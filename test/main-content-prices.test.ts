// The price of a product, with the one that it had before.
import { expect, it } from "vitest";
import { scrapedKind } from "./scraped.ts";

it("the present price stays beside the old one, with how much less it is", async () => {
  const markdown = await scrapedKind("prestashop", "/en/mugs/12-stoneware-mug.html");
  expect(markdown).toContain("€23.90\n\n€19.12 Save 20%");
  expect(markdown).not.toContain("€49.00");
});

it("of two blocks of prices that say the same, only the one that says more is kept", async () => {
  const markdown = await scrapedKind("shopify", "/products/wool-blanket");
  expect(markdown).toContain("# Wool blanket\n\nRegular price ~~€120,00 EUR~~ Sale price €89,00 EUR\n\nWoven");
});
