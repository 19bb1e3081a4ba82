/** Lists of links among which the page itself is lead around the site, whatever they are called. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";

const chapters = Array.from({ length: 12 }, (_, chapter) => ({
  name: `${chapter + 1}. ${["Lamps", "Lenses", "Clockwork", "Fog horns", "Stairs", "Paint"][chapter % 6]}`,
  file: `chapter-${chapter + 1}.html`,
  sections: ["Parts and their names", "Daily care", "Repairs in winter", "What the inspector asks"],
}));

/** The contents of a whole manual, as converters write them below each short page. */
const contents = `<div id="frame"><ul class="list">${chapters
  .map(
    ({ name, file, sections }) =>
      `<li><a href="${file}">${name}</a><ul class="list">${sections
        .map((section, index) => `<li><a href="${file.replace(".html", `-${index + 1}.html`)}">${section}</a></li>`)
        .join("")}</ul></li>`,
  )
  .join("")}</ul></div>`;

const manual = (list: string): string =>
  `<html><head><title>3.2 Daily care</title></head><body><div class="text"><h3>3.2 Daily care</h3>
<p>Wind the clockwork before the lamp is lit.</p></div>${list}</body></html>`;

const path = "/handbook/en/chapter-3-2.html";

test("the contents of a whole manual do not bury a short page", async () => {
  const markdown = await scraped(manual(contents), {}, path);
  expect(markdown).toContain("Wind the clockwork before the lamp is lit.");
  expect(markdown).not.toContain("What the inspector asks");
});

test("nor does a menu that marks the present page by itself", async () => {
  const marked = contents.replace(`href="chapter-3-2.html"`, `href="#" aria-current="page"`);
  const markdown = await scraped(manual(marked), {}, path);
  expect(markdown).toContain("Wind the clockwork before the lamp is lit.");
  expect(markdown).not.toContain("What the inspector asks");
});

test("a page that is nothing but such a list keeps it", async () => {
  const markdown = await scraped(`<html><head><title>Handbook</title></head><body>${contents}</body></html>`, {}, path);
  expect(markdown).toContain("What the inspector asks");
});

test("the list of a page of contents stays; one that leads to places in the page does not become content", async () => {
  const page = manual(contents).replaceAll("3.2 Daily care", "Table of Contents");
  const markdown = await scraped(page, {}, "/handbook/en/contents.html");
  expect(markdown).toContain("What the inspector asks");
  const within = await scraped(
    page.replaceAll(/href="[\w-]+\.html"/g, 'href="#place"'),
    {},
    "/handbook/en/contents.html",
  );
  expect(within).not.toContain("What the inspector asks");
});
