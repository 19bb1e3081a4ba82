/** As of when a text is, below its title, as a scrape gives it. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";

const sections = ["Your account", "Payment", "Rights in the service", "What we store", "How to reach us"];
const text = sections
  .map(
    (name, index) =>
      `<h2>${index + 1}. ${name}</h2><p>You must be sixteen or older to use the service, and you are responsible for what happens under your account, as section ${index + 1} says in detail.</p>`,
  )
  .join("");

const terms = (title: string, line: string): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Looply</title></head><body><header><a href="/">Looply</a><nav><a href="/product">Product</a> <a href="/login">Log in</a></nav></header>
<main><ul class="legal-nav"><li><a href="/privacy">Privacy Policy</a></li><li><a href="/cookies">Cookie Policy</a></li></ul><div class="legal"><h1>${title}</h1><p>${line}</p>
<ol class="toc">${sections.map((name, index) => `<li><a href="#s${index}">${name}</a></li>`).join("")}</ol>${text}</div></main><footer>Looply Inc.</footer></body></html>`;

test.each([
  ["Terms of Service", "Last updated: January 4, 2026"],
  ["Privacy policy", "Effective date: 2026-01-04"],
  ["Datenschutzerklärung", "Stand: Januar 2026"],
  ["Mentions légales", "Dernière mise à jour : 4 janvier 2026"],
  ["利用規約", "最終更新日：2026年12月14日"],
])("%s: %s", async (title, line) => {
  const markdown = await scraped(terms(title, line), {}, "/terms");
  expect(markdown).toContain(line);
  expect(markdown).toContain("section 5 says");
  expect(markdown).not.toContain("Cookie Policy");
});

test("not how long ago that was, nor the date of an article, which its metadata has", async () => {
  expect(await scraped(terms("Terms of Service", "Updated 3 weeks ago"), {}, "/terms")).not.toContain("weeks ago");
  const dated = '<span class="author">Ann Moss</span> <time datetime="2026-01-04">Updated January 4, 2026</time>';
  expect(await scraped(terms("What the terms say", dated), {}, "/2026/01/terms")).not.toContain("January 4, 2026");
});

test.each(["Stand up comedy 2019", "Effective altruism in 2019", "Updated housing plan for 2030"])(
  "%s is no date",
  async (line) => {
    expect(await scraped(terms("Terms of Service", line), {}, "/terms")).not.toContain(line);
  },
);
