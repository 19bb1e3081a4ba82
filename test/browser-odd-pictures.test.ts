/** Pictures of pages that are no usual ones. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test as testInTurn } from "vitest";
import { createEngine } from "../src/index.ts";
import { page, site } from "./start-engine.ts";

/** These mostly wait for a browser, so they do it together. */
const test = testInTurn.concurrent;

const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
afterAll(() => engine.close());

const sizeOf = (uri = "") => {
  const bytes = Buffer.from(uri.replace("data:image/png;base64,", ""), "base64");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};
const withBox = (width: number, height: number) =>
  page("Box").replace("<body>", `<body style="margin:0"><div style="width:${width}px;height:${height}px"></div>`);
const formats = ["screenshot@fullPage" as const];

// Much work, or a matter of time.
testInTurn(
  "a very wide page is pictured up to a width, with a warning, and ends no browser",
  async ({ onTestFinished }) => {
    const { url } = await site({ "/wide": withBox(1_000_000, 100), "/huge": withBox(60_000, 14_000) }, onTestFinished);
    const wide = (await engine.scrape({ url: `${url}/wide`, formats })).data;
    expect(sizeOf(wide.screenshot)).toEqual([16_000, 800]);
    expect(wide.warning).toBe("The page is 1000000 pixels wide; its picture shows the first 16000.");
    const actions = [{ type: "screenshot" as const, fullPage: true }];
    expect((await engine.scrape({ url: `${url}/wide`, actions })).data.warning).toBe(wide.warning);
    const huge = (await engine.scrape({ url: `${url}/huge`, formats, timeout: 60_000 })).data;
    expect(sizeOf(huge.screenshot)).toEqual([16_000, 5_000]);
    expect(huge.warning).toMatch(/pixels tall; .* first 5000\. .* 60000 pixels wide; .* first 16000\./);
  },
);

test("a page that has removed itself has an empty picture", async ({ onTestFinished }) => {
  const { url } = await site(
    { "/": "<h1>Gone</h1><script>document.documentElement.remove()</script>" },
    onTestFinished,
  );
  const { data } = await engine.scrape({ url, formats, timeout: 60_000 });
  expect(sizeOf(data.screenshot)).toEqual([1280, 800]);
});

test("a page that may run no scripts has its picture", async ({ onTestFinished }) => {
  const body = withBox(100, 3000);
  const { url } = await site({ "/": { headers: { "content-security-policy": "sandbox" }, body } }, onTestFinished);
  const [whole, acted] = await Promise.all([
    engine.scrape({ url, formats, timeout: 60_000 }),
    engine.scrape({ url, actions: [{ type: "screenshot" }, { type: "scroll" }, { type: "pdf" }], timeout: 60_000 }),
  ]);
  expect(sizeOf(whole.data.screenshot)).toEqual([1280, expect.closeTo(3100, -3)]);
  expect(acted.data.actions).toMatchObject({ screenshots: [expect.any(String)], pdfs: [expect.any(String)] });
});

test("a tall page on a phone has all of its picture, with fewer pixels", async ({ onTestFinished }) => {
  const body = withBox(100, 9000).replace("<head>", '<head><meta name="viewport" content="width=device-width">');
  const { url } = await site({ "/": body, "/short": body.replace("9000px", "1000px") }, onTestFinished);
  const [tall, short] = await Promise.all(
    [url, `${url}/short`].map((address) => engine.scrape({ url: address, mobile: true, formats, timeout: 60_000 })),
  );
  expect(sizeOf(tall?.data.screenshot)).toEqual([412, expect.closeTo(9150, -3)]);
  expect(tall?.data.warning).toBeUndefined();
  expect(sizeOf(short?.data.screenshot)[0]).toBeGreaterThan(1000);
});

test("what a tall page loads when it is seen is in the picture of the whole page, though it takes a moment to come", async ({
  onTestFinished,
}) => {
  const dot =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="red"/></svg>';
  const boxes = (loading: string) => {
    const box = (_: unknown, index: number) =>
      `<div style="height:900px"><img width="9" height="9" loading="${loading}" src="/dot.svg?${index}"></div>`;
    return `<body style="margin:0">${Array.from({ length: 8 }, box).join("")}`;
  };
  const { url } = await site(
    {
      "/lazy": boxes("lazy"),
      "/eager": boxes("eager"),
      "/dot.svg": async () => {
        await sleep(500);
        return { headers: { "content-type": "image/svg+xml" }, body: dot };
      },
    },
    onTestFinished,
  );
  const actions = [{ type: "screenshot" as const, fullPage: true }];
  const eager = await engine.scrape({ url: `${url}/eager`, formats, timeout: 90_000 });
  const lazy = await engine.scrape({ url: `${url}/lazy`, formats, timeout: 90_000 });
  const acted = await engine.scrape({ url: `${url}/lazy`, actions, timeout: 90_000 });
  expect(lazy.data.screenshot).toBe(eager.data.screenshot);
  expect(acted.data.actions?.screenshots[0]).toBe(eager.data.screenshot);
});

test("what a page was loading before its picture is still waited for by the step after it", async ({
  onTestFinished,
}) => {
  const script = 'setTimeout(async () => { box.textContent = await (await fetch("/slow")).text() }, 1000)';
  const { url } = await site(
    {
      "/": `${page("Late")}<div id="box" style="height:3000px"></div><script>${script}</script>`,
      "/slow": async () => {
        await sleep(1800);
        return "It came late.";
      },
    },
    onTestFinished,
  );
  const actions = [
    { type: "wait" as const, milliseconds: 1000 },
    { type: "screenshot" as const, fullPage: true },
    { type: "scroll" as const },
  ];
  const { data } = await engine.scrape({ url, actions, formats: ["rawHtml"], timeout: 90_000 });
  expect(data.rawHtml).toContain("It came late.");
});

test("a page that leads on while all of it is scrolled through is pictured where it led", async ({
  onTestFinished,
}) => {
  const delays = Array.from({ length: 12 }, (_, index) => index * 9);
  const leading = (delay: number) =>
    `${withBox(100, 8000)}<script>addEventListener("scroll", () => setTimeout(() => { location = "/next" }, ${delay}), { once: true })</script>`;
  const { url } = await site(
    { ...Object.fromEntries(delays.map((delay) => [`/${delay}`, leading(delay)])), "/next": withBox(100, 8000) },
    onTestFinished,
  );
  const actions = [{ type: "screenshot" as const, fullPage: true, quality: 1 }];
  const pages = await Promise.all(
    delays.map((delay) => engine.scrape({ url: `${url}/${delay}`, actions, timeout: 170_000 })),
  );
  expect(pages.map(({ data }) => data.actions?.screenshots.length)).toEqual(delays.map(() => 1));
});

testInTurn(
  "what a page loads in vain when it is seen is waited for once, however many pictures are taken",
  async ({ onTestFinished }) => {
    const asks = `<script>addEventListener("scroll", () => scrollY > 0 && fetch("/never?" + Math.random()))</script>`;
    const { url } = await site(
      {
        "/": withBox(100, 2000) + asks,
        "*": ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
      },
      onTestFinished,
    );
    // Little work, so that a slow machine has time for all of them.
    const whole = { type: "screenshot" as const, fullPage: true, quality: 1 };
    // Four seconds for each would be more than its time.
    const actions = Array.from({ length: 7 }, () => whole);
    const { data } = await engine.scrape({ url, actions, formats, timeout: 30_000 });
    expect(data.actions?.screenshots).toHaveLength(7);
  },
);
