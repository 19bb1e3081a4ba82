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

test("a web server's listing of a folder is taken once, not in each order in which it can be sorted", async () => {
  const orders = ["N;O=D", "M;O=A", "S;O=A", "D;O=A", "N;O=A", "M;O=D", "S;O=D", "D;O=D"].map((order) => `?C=${order}`);
  const { url } = await site({
    "/pub/": page("Index of /pub", [...orders, "/pub/notes/", "/pub/notes.txt"]),
    "/pub/notes/": page("Index of /pub/notes", [...orders, "/pub/"]),
    "/pub/notes.txt": page("notes"),
  });
  const status = await (await engineFor().crawl({ url: `${url}/pub/`, limit: 50, ignoreSitemap: true })).wait();
  const read = status.data.map(({ metadata }) => metadata.sourceURL?.replace(url, "")).sort();
  expect(read).toEqual(["/pub/", "/pub/notes.txt", "/pub/notes/"]);
});
