// Pages whose server calls their encoding UTF-8, although it is another.
import { expect, test } from "vitest";
import { engineFor, site } from "./start-engine.ts";

test("a page that is called UTF-8 by its server and its markup comes with its own letters, title and links", async () => {
  // "Старый маяк" in windows-1251.
  const words = "\xd1\xf2\xe0\xf0\xfb\xe9 \xec\xe0\xff\xea";
  const html = `<meta charset="utf-8"><title>${words}</title><h1>${words}</h1><p>${words} <a href="/oil">${words}</a></p>`;
  const { url } = await site({
    "/": { headers: { "content-type": "text/html; charset=utf-8" }, body: Buffer.from(html, "latin1") },
  });
  const { data } = await engineFor().scrape({ url, onlyMainContent: false });
  expect(data.markdown).toBe(`# Старый маяк\n\nСтарый маяк [Старый маяк](${url}/oil)`);
  expect(data.metadata.title).toBe("Старый маяк");
});
