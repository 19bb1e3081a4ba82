/** Sites that write the visit, or what a visitor is about to do, into their links: pages are taken once all the same. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("a forum that starts a session for each visitor without a cookie, and names it in its links, ends", async () => {
  let visits = 0;
  const topics = [1, 2, 3, 4];
  const { url } = await site({
    "*": () => {
      const session = (visits++).toString(16).padStart(32, "0a1b2c3d");
      return page(
        "forum",
        topics.map((topic) => `/topic?t=${topic}&amp;sid=${session}`),
      );
    },
  });
  const status = await (await engineFor().crawl({ url, limit: 50, ignoreSitemap: true })).wait();
  const read = status.data.map(({ metadata }) => new URL(metadata.sourceURL ?? "").searchParams.get("t") ?? "");
  expect(read.sort()).toEqual(["", "1", "2", "3", "4"]);
});

test("an article is not taken again for each of its comments that can be answered", async () => {
  const { url } = await site({
    "/": page("home", ["/article"]),
    "*": page("article", ["/article?replytocom=1#respond", "/article?replytocom=2#respond", "/article?page=2"]),
  });
  const status = await (await engineFor().crawl({ url, limit: 50, ignoreSitemap: true })).wait();
  const read = status.data.map(({ metadata }) => metadata.sourceURL?.replace(url, "") || "/");
  expect(read.sort()).toEqual(["/", "/article", "/article?page=2"]);
});
