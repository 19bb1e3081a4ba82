/** Rules of the host's own for markdown, through Turndown. */
import TurndownService from "turndown";
import { expect, test } from "vitest";
import { engineFor, site } from "./start-engine.ts";

test("a Turndown service with rules of its own makes the markdown", async () => {
  const picture = "data:image/png;base64,iVBORw0KGgo=";
  const { url } = await site({
    "/": `<main><h1>Title</h1><p>Some <mark>marked</mark> words in a paragraph that is long enough.</p><img alt="dot" src="${picture}"></main>`,
  });
  const turndown = new TurndownService({ headingStyle: "atx" });
  turndown.addRule("mark", { filter: ["mark"], replacement: (content) => `==${content}==` });
  const { data } = await engineFor({ turndown }).scrape({ url, onlyMainContent: false });
  expect(data.markdown).toContain("# Title\n\nSome ==marked== words");
  expect(data.markdown).toContain("![dot](<Base64-Image-Removed>)");
  const built = await engineFor().scrape({ url, onlyMainContent: false });
  expect(built.data.markdown).toContain("Some marked words");
});
