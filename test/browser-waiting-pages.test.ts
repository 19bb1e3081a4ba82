/** Pages whose content is fetched by scripts are opened in the browser, however much the site's frame says. */
import { expect, test } from "vitest";
import { hasPlaceholder, hasUnfilledMain, saysToWait } from "../src/fetch/waiting-page.ts";
import { engineFor, site } from "./start-engine.ts";

const frame = (
  main: string,
  rest = "",
): string => `<!doctype html><html lang="en"><head><title>Tides</title></head><body>
  <header><nav>${Array.from({ length: 40 }, (_, at) => `<a href="/place/${at}">Harbour number ${at}</a>`).join(" ")}</nav></header>
  ${main}<footer>Tides of all harbours, without warranty</footer>${rest}</body></html>`;
const script = `<script>fetch("/heights").then((answer) => answer.json()).then((heights) => {
  document.querySelector("[data-heights]").innerHTML = "<h1>Heights</h1><ul>" + heights.map((height) => "<li>" + height + "</li>").join("") + "</ul>";
});</script>`;
const heights = {
  headers: { "content-type": "application/json" },
  body: JSON.stringify(["3 m at noon", "1 m at six", "2 m at nine, with the wind from the north, and less without it"]),
};

test.each([
  ["an empty main part", "<main data-heights></main>"],
  [
    "one that says to wait",
    `<main class="tides"><div data-heights><img src="/wait.svg" alt=""><p>Loading heights…</p></div></main>`,
  ],
  ["one with empty boxes", "<main><div data-heights><div class=skeleton></div><div class=skeleton></div></div></main>"],
])("%s below a long menu is filled in", async (_, main) => {
  const { url } = await site({ "/": frame(main, script), "/heights": heights });
  const { data } = await engineFor().scrape({ url });
  expect(data.metadata).toMatchObject({ engine: "browser", engineReason: "empty-main" });
  expect(data.markdown).toContain("3 m at noon");
});

test("so is a short page that says to wait, and further pages of its host", async () => {
  const short = `<title>Tides</title><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a> <a href=/d>D</a><div data-heights>Bitte warten...</div>${script}`;
  const { url } = await site({ "*": short, "/heights": heights });
  const engine = engineFor();
  for (const path of ["/1", "/2", "/3", "/4"]) {
    const { data } = await engine.scrape({ url: url + path });
    expect(data.metadata.engineReason).toBe("loading");
    expect(data.markdown).toContain("1 m at six");
  }
});

test.each([
  ["boxes in the shape of what is to come", "<div data-heights><span class='line MuiSkeleton-root'></span></div>"],
  ["elements that are made for that", "<div data-heights><ion-skeleton-text animated></ion-skeleton-text></div>"],
  ["a part that declares itself busy", '<section data-heights aria-busy="true"><i></i></section>'],
])("and one with %s below a short menu", async (_, part) => {
  const menu = "<a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a> <a href=/d>D</a>";
  const { url } = await site({ "/": `<title>Tides</title>${menu}${part}${script}`, "/heights": heights });
  const { data } = await engineFor().scrape({ url });
  expect(data.metadata).toMatchObject({ engine: "browser", engineReason: "loading" });
  expect(data.markdown).toContain("1 m at six");
});

test("a host on which nothing is ever filled in is left alone after two pages", async () => {
  const { url } = await site({ "*": frame("<main></main>", "<script>1</script>") });
  const engine = engineFor();
  const engines: unknown[] = [];
  for (const path of ["/1", "/2", "/3"]) engines.push((await engine.scrape({ url: url + path })).data.metadata.engine);
  expect(engines).toEqual(["browser", "browser", "http"]);
});

const long = `<p>${"What the main part is called does not matter here, for this text is long. ".repeat(30)}</p>`;

test.each([
  ["text", "<main><p>High water is at noon</p></main>", false],
  ["a text that begins like a notice", "<main><p>Loading docks and how to build them</p></main>", false],
  ["a map", "<main><iframe src=/map></iframe></main>", false],
  ["a picture", "<main><img src=/map.png></main>", false],
  ["a form", "<main><input name=q></main>", false],
  ["a part that comes later", `<main><!--$?--><template id="B:0"></template>Loading…<!--/$--></main>`, false],
  ["no end", "<main>", false],
  ["a long text elsewhere", `<main></main>${long}`, false],
  ["a notice", "<main><span>読み込み中…</span></main>", true],
  ["nothing but a comment and a script", "<main id=a><!-- x --><script>1 < 2</script></main>", true],
])("a main part with %s", (_, body, isUnfilled) => {
  expect(hasUnfilledMain(Buffer.from(`<body><nav>Home</nav>${body}</body>`))).toBe(isUnfilled);
});

test.each([
  ["<p>Loading</p>", true],
  ["<p> Chargement en cours… </p>", true],
  ["<b>Please wait...</b>", true],
  ["<p>Загрузка</p>", true],
  ['<h2>Tides</h2><img src="/wait.gif" alt="Loading...">', true],
  ['<img src="/dock.jpg" alt="Loading dock">', false],
  ["<p>Loading and unloading</p>", false],
  ["<p>Laden Sie uns ein!</p>", false],
  ["<script>a = '<p>Loading…</p>'</script>", false],
])("%s", (body, isNotice) => {
  expect(saysToWait(Buffer.from(body))).toBe(isNotice);
});

test.each([
  ["<i class='line skeleton'></i>", true],
  ['<i aria-busy="true"></i>', true],
  ['<i aria-busy="false"></i>', false],
  ["<p title='A skeleton'>Bones</p>", false],
  ["<p>A page about class='skeleton'</p>", false],
  ['<template><i class="skeleton"></i></template>', false],
])("%s", (body, isPlaceholder) => {
  expect(hasPlaceholder(Buffer.from(body))).toBe(isPlaceholder);
});
