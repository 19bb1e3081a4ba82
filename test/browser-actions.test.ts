import { setTimeout as sleep } from "node:timers/promises";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test as testInTurn } from "vitest";
import { type Action, createEngine, type Engine, memoryStorage } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import { failure } from "./failure.ts";

/** These mostly wait for a browser, so they do it together. */
const test = testInTurn.concurrent;

let site: TestSite;
let engine: Engine;

beforeAll(async () => {
  site = await startTestSite({
    "/": `<!doctype html><title>Form</title><h1>Form</h1><p>A form with buttons, a field and a box.</p>
      <input id="name"><button id="go" onclick="add('clicked ' + name1.value)">Go</button>
      <button class="more" onclick="add('more')">a</button><button class="more" onclick="add('more')">b</button>
      <a id="next" href="/next">Next</a><div id="box" style="height:50px;overflow:auto"><div style="height:500px"></div></div>
      <ul id="log"></ul><div style="height:3000px"></div>
      <script>const name1 = document.getElementById("name");
        function add(text) { const item = document.createElement("li"); item.textContent = text; log.append(item); }
        name1.addEventListener("keydown", (event) => { if (event.key === "Enter") add("enter " + name1.value); });
        setTimeout(() => { const late = document.createElement("p"); late.id = "late"; late.textContent = "late"; document.body.append(late); }, 400);
        box.addEventListener("scroll", () => add("box " + (box.scrollTop > 0)), { once: true });
        addEventListener("scroll", () => add("page " + (scrollY > 0)), { once: true });</script>`,
    "/many": `<h1>Many</h1><div hidden>${'<button class="more">hidden</button>'.repeat(40)}</div><ul>${[
      "a",
      "b",
      "c",
      "d",
      "e",
    ]
      .map(
        (name) =>
          `<li><button class="more" onclick="this.className = ''; this.textContent += ' open'">${name}</button></li>`,
      )
      .join(
        "",
      )}</ul><button class="more" onclick="late.hidden = false">on</button><p id="late" hidden><b class="more" onclick="this.textContent = 'late one'">hidden</b></p>
      <ol>${'<li class="more" onclick="this.remove()">gone</li>'.repeat(5)}</ol>`,
    "/crowd": `<h1>Crowd</h1><div hidden>${'<b class="more">hidden</b>'.repeat(5_000)}</div>
      <button class="more" onclick="this.textContent = 'clicked'">one</button>
      <p>${"<b class=seen>b</b>".repeat(1_001)}</p>`,
    "/reach": `<style>@keyframes beat { to { transform: scale(1.5) } } #beats { animation: beat 1s infinite alternate }
      .off { position: fixed; left: -500px }</style><h1>Reach</h1>
      <nav style="display:none"><button class="menu" onclick="add('hidden')">Menu</button></nav>
      <button class="menu" onclick="add('seen')">Menu</button><button id="beats" onclick="add('beats')">Beats</button>
      <button class="off" onclick="add('beside')">Beside</button><button id="hidden" hidden>Hidden</button><ul id="log"></ul>
      <button id="below" onclick="add('below')" style="position:fixed;bottom:0">Below</button>
      <aside style="position:fixed;bottom:0;width:100%;height:200px;z-index:1">Subscribe to the letter</aside>
      <script>function add(text) { const item = document.createElement("li"); item.textContent = text; log.append(item); }</script>`,
    "/drawn": `<h1>Drawn</h1><svg width="90" height="90"><circle id="part" cx="40" cy="40" r="40" onclick="add('part')"/></svg>
      <form id="form" onclick="add('form')">A form <input name="click"></form><ul id="log"></ul>
      <aside style="position:fixed;inset:0">Subscribe to the letter</aside>
      <script>function add(text) { const item = document.createElement("li"); item.textContent = text; log.append(item); }</script>`,
    "/application": `<style>html, body { height: 100%; margin: 0 } main { height: 100%; overflow: auto }</style>
      <main id="box"><h1>Application</h1><ul id="list"></ul></main>
      <script>let count = 0; const more = () => { for (let i = 0; i < 20; i += 1) list.insertAdjacentHTML("beforeend", '<li style="height:60px">item ' + (count += 1) + "</li>"); };
        more(); box.addEventListener("scroll", () => { if (box.scrollTop + box.clientHeight > box.scrollHeight - 600) more(); });</script>`,
    "/boxes": `<h1>Boxes</h1><p hidden class="box">For phones</p><div class="box" style="height:50px;overflow:auto"
      onscroll="this.firstChild.textContent = 'scrolled'"><p style="height:500px">For desktops</p></div>`,
    "/opens": `<h1>Opens</h1><button id="open" onclick="window.open('/none').blur(); log.textContent = 'shown'">Show</button><p id="log"></p>`,
    "/table.csv": {
      headers: { "content-type": "text/csv", "content-disposition": "attachment" },
      body: "name,price\nKettle,20\n",
    },
    "/next": "<title>Next</title><h1>The next page</h1>",
    // Each step has its answer from the server, a moment later.
    "/answering": `<title>Answering</title><h1>Answering</h1><button id="go">Go</button><input id="name">
      <div id="box" style="height:50px;overflow:auto"><div style="height:500px"></div></div><ul id="log"></ul><p style="height:3000px">Long</p>
      <script>const ask = async (what) => { await fetch("/slow"); document.title = what + " answered"; };
        go.onclick = () => ask("click"); document.getElementById("name").onkeyup = ({ key }) => ask("key " + key);
        addEventListener("scroll", () => ask("scroll"));</script>`,
    // Its pictures take long, its scripts do not.
    "/heavy": `<title>Top</title><style>@keyframes turn { to { transform: rotate(360deg) } }
      b { position: fixed; inset: 0; background: repeating-conic-gradient(red 0 1deg, blue 1deg 2deg); filter: blur(40px); mix-blend-mode: difference; animation: turn 3s infinite linear }</style>
      <h1>Heavy</h1><p style="height:3000px">Long</p>${"<b></b>".repeat(6)}
      <script>addEventListener("scroll", () => { document.title = "scrolled"; });</script>`,
    "/hesitant": `<h1>Hesitant</h1><button id="go">Go</button><ul id="log"></ul><script>
      go.onmouseup = () => { const end = Date.now() + 2500; while (Date.now() < end); };
      go.onclick = () => log.insertAdjacentHTML("beforeend", "<li>clicked</li>");</script>`,
    // When the mouse comes, it is busy for longer than a click is waited for, clicks on something itself, and then takes
    // no click for a while.
    "/startled": `<h1>Startled</h1><button id="first">First</button><p style="height:300px"></p><button id="go">Go</button>
      <button id="other">Other</button><ul id="log"></ul><script>
      for (const name of ["first", "go"]) document.getElementById(name).onclick = () => log.insertAdjacentHTML("beforeend", "<li>" + name + "</li>");
      go.onmouseenter = () => { go.onmouseenter = null; go.disabled = true; const end = Date.now() + 2500; while (Date.now() < end);
        other.click(); setTimeout(() => { go.disabled = false; }, 1000); };</script>`,
    "/disabled": `<h1>Disabled</h1><button id="go" disabled onclick="document.title = 'clicked'">Go</button>`,
    "/slow": async () => {
      await sleep(150);
      return { body: "done" };
    },
    "/typed": `<h1>Typed</h1><textarea id="text"></textarea><p id="later">now</p><p hidden id="hidden">Hidden</p>
      <script>var keys = 0; text.onkeydown = () => { keys += 1; };
        later.onclick = () => setTimeout(() => { later.textContent = "later"; }, 900);</script>`,
    "/sheet": `<body style="margin:0;background:#ff0000"><h1>Sheet</h1><div style="height:3000px"></div>`,
  });
  engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const run = async (actions: readonly Action[], options: object = {}) =>
  (await engine.scrape({ url: site.url, actions, onlyMainContent: false, timeout: 90_000, ...options })).data;
test("all nine kinds, in order, with their results; the page's end is what is captured", async () => {
  const { actions, markdown, screenshot, metadata } = await run(
    [
      { type: "wait", milliseconds: 10 },
      { type: "wait", selector: "#late" },
      { type: "scrape" },
      { type: "click", selector: "#name" },
      { type: "write", text: "Ada" },
      { type: "press", key: "Enter" },
      { type: "click", selector: "#go" },
      { type: "click", selector: ".more", all: true },
      { type: "click", selector: ".none", all: true },
      { type: "scroll", selector: "#box" },
      { type: "scroll" },
      { type: "scroll", direction: "up" },
      { type: "screenshot" },
      { type: "screenshot", fullPage: true, quality: 40 },
      { type: "executeJavascript", script: "document.title" },
      { type: "pdf", format: "A5", landscape: true, scale: 0.5 },
      { type: "click", selector: "#next" },
      { type: "wait", selector: "h1" },
      { type: "scrape" },
    ],
    { formats: ["markdown", "screenshot"] },
  );
  expect(markdown).toContain("The next page");
  expect(metadata).toMatchObject({ title: "Next", url: `${site.url}/next` });
  expect(screenshot).toMatch(/^data:image\/png/);
  expect(actions?.screenshots.map((uri) => uri.slice(0, 16))).toEqual(["data:image/png;b", "data:image/jpeg;"]);
  expect(Buffer.from(actions?.pdfs[0]?.split(",")[1] ?? "", "base64").toString("latin1")).toMatch(/^%PDF-/);
  expect(actions?.javascriptReturns).toEqual([{ type: "string", value: "Form" }]);
  expect(actions?.scrapes.map(({ url }) => new URL(url).pathname)).toEqual(["/", "/next"]);
  expect(actions?.scrapes[0]?.html).toMatch(/^<!DOCTYPE html><html>.*late/s);
});

test("an address that leads to a file has no results of actions, but lists for them, and says so", async () => {
  const { data } = await engine.scrape({
    url: `${site.url}/table.csv`,
    actions: [{ type: "screenshot" }, { type: "scrape" }],
  });
  expect(data.markdown).toContain("name,price");
  expect(data.actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] });
  expect(data.warning).toContain("no actions done");
});

test("what actions do shows in the page", async () => {
  const { markdown } = await run([
    { type: "click", selector: "#name" },
    { type: "write", text: "Ada" },
    { type: "press", key: "Enter" },
    { type: "click", selector: "#go" },
    { type: "click", selector: ".more", all: true },
    { type: "scroll", selector: "#box" },
    { type: "scroll" },
  ]);
  const log = [...(markdown ?? "").matchAll(/^[-*+] +(.*)$/gm)].map((match) => match[1]);
  expect(log).toEqual(["enter Ada", "clicked Ada", "more", "more", "box true", "page true"]);
});

test("a step sees what the step before it has asked the server for", async () => {
  const steps: Action[] = [
    { type: "click", selector: "#go" },
    { type: "click", selector: "#name" },
    { type: "write", text: "a" },
    { type: "press", key: "Enter" },
    { type: "scroll" },
    { type: "executeJavascript", script: "void ask('script')" },
  ];
  const { actions } = await run(
    steps.flatMap((step) => [step, { type: "scrape" }]),
    { url: `${site.url}/answering` },
  );
  const titles = actions?.scrapes.map(({ html }) => /<title>(.*?)<\/title>/.exec(html)?.[1]);
  expect(titles).toEqual(
    ["click", "click", "key a", "key Enter", "scroll", "script"].map((what) => `${what} answered`),
  );
});

test("a button is clicked once on a page that takes long to answer the mouse", async () => {
  const { markdown } = await run([{ type: "click", selector: "#go" }], { url: `${site.url}/hesitant` });
  expect(markdown?.match(/clicked/g)).toEqual(["clicked"]);
});

test("a page's own clicks, and those of earlier steps, are not taken for the one that is being tried", async () => {
  const actions = ["#first", "#go"].map((selector): Action => ({ type: "click", selector }));
  const { markdown } = await run(actions, { url: `${site.url}/startled` });
  expect([...(markdown ?? "").matchAll(/^- (.*)$/gm)].map((match) => match[1])).toEqual(["first", "go"]);
});

test("a button that is disabled cannot be clicked, not by script either", async () => {
  const error = await failure(run([{ type: "click", selector: "#go" }], { url: `${site.url}/disabled` }));
  expect(error).toMatchObject({ message: 'actions[0] (click "#go") failed: the element cannot be acted on' });
});

test("a step sees what a page does about a scroll, of which it hears when it is drawn", async () => {
  const { actions } = await run([{ type: "scroll" }, { type: "scrape" }], { url: `${site.url}/heavy` });
  expect(actions?.scrapes[0]?.html).toContain("<title>scrolled</title>");
});

test("a page that a click leads to is asked for once and waited for, however slowly it answers", async () => {
  let asked = 0;
  const slow = await startTestSite({
    "/": `<title>Shop</title><h1>Shop</h1><p>One thing is sold here.</p><form action="/bought"><button id="buy">Buy</button></form>`,
    "/bought": async () => {
      asked++;
      await sleep(4_500);
      return { headers: { "content-type": "text/html" }, body: "<title>Bought</title><h1>Bought</h1>" };
    },
  });
  try {
    const { data } = await engine.scrape({
      url: slow.url,
      formats: ["markdown"],
      timeout: 90_000,
      actions: [{ type: "click", selector: "#buy" }, { type: "scrape" }],
    });
    expect(data.actions?.scrapes.map(({ html }) => html.includes("<h1>Bought</h1>"))).toEqual([true]);
    expect(data.markdown).toContain("# Bought");
    expect(asked).toBe(1);
  } finally {
    await slow.close();
  }
});

test("a wait takes its time, and is for an element that exists, seen or not", async () => {
  const { actions } = await run(
    [
      { type: "click", selector: "#later" },
      { type: "wait", milliseconds: 1_000 },
      { type: "wait", selector: "#hidden" },
      { type: "scrape" },
    ],
    { url: `${site.url}/typed`, timeout: 60_000 },
  );
  expect(actions?.scrapes[0]?.html).toContain(">later</p>");
});

test("a text is typed key by key, a long one is inserted at once", async () => {
  const read: Action = { type: "executeJavascript", script: "[text.value.length, keys]" };
  const { actions } = await run(
    [
      { type: "click", selector: "#text" },
      { type: "write", text: "a".repeat(20) },
      read,
      { type: "write", text: "b".repeat(501) },
      read,
      { type: "write", text: "\r\nc" },
      read,
    ],
    { url: `${site.url}/typed` },
  );
  expect(actions?.javascriptReturns.map(({ value }) => value)).toEqual([
    [20, 20],
    [521, 20],
    [523, 22],
  ]);
});

test("one scrolls by what is seen at once, down and up", async () => {
  const read: Action = {
    type: "executeJavascript",
    script: "[scrollY / innerHeight, box.scrollTop / box.clientHeight]",
  };
  const steps: Action[] = [
    { type: "scroll" },
    { type: "scroll" },
    { type: "scroll", direction: "up" },
    { type: "scroll", selector: "div" },
    { type: "scroll", selector: "#box" },
    { type: "scroll", selector: "#box", direction: "up" },
  ];
  const { actions } = await run(
    steps.flatMap((step) => [step, read]),
    { url: `${site.url}/answering` },
  );
  expect(actions?.javascriptReturns.map(({ value }) => value)).toEqual([
    [1, 0],
    [2, 0],
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 1],
  ]);
});

test("of several boxes that match, the one is scrolled that is seen", async () => {
  const { markdown } = await run([{ type: "scroll", selector: ".box" }], { url: `${site.url}/boxes` });
  expect(markdown).toContain("scrolled");
});

test("a picture of the whole page leaves it scrolled to where it was", async () => {
  const place: Action = { type: "executeJavascript", script: "scrollY" };
  const whole: Action = { type: "screenshot", fullPage: true };
  const { actions } = await run([{ type: "scroll" }, place, whole, place]);
  const [before, after] = actions?.javascriptReturns.map(({ value }) => value) ?? [];
  expect(before).toBeGreaterThan(0);
  expect(after).toBe(before);
});

test("a pdf has the format, the side and the scale that were asked for, and the page's colours", async () => {
  const { actions } = await run(
    [{ type: "pdf" }, { type: "pdf", format: "A5", landscape: true }, { type: "pdf", format: "A5", scale: 0.5 }],
    { url: `${site.url}/sheet` },
  );
  const sheets = (actions?.pdfs ?? []).map((uri) => {
    const pdf = Buffer.from(uri.split(",")[1] ?? "", "base64").toString("latin1");
    const drawn = [...pdf.matchAll(/FlateDecode.*?stream\r?\n(.*?)endstream/gs)].map(([, bytes = ""]) =>
      inflateSync(Buffer.from(bytes, "latin1")).toString("latin1"),
    );
    const [, width = "", height = ""] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    return {
      size: [width, height].map((side) => Math.round(Number(side))),
      pages: pdf.match(/\/Type \/Page\b/g)?.length,
      isRed: drawn.some((text) => /\b1 0 0 rg$/m.test(text)),
    };
  });
  expect(sheets).toEqual([
    { size: [612, 792], pages: 3, isRed: true },
    { size: [596, 420], pages: 6, isRed: true },
    { size: [420, 596], pages: 2, isRed: true },
  ]);
});

test("a picture has the quality that was asked for, of the window and of the whole page", async () => {
  const pictures = [1, 100].flatMap((quality): Action[] => [
    { type: "screenshot", quality },
    { type: "screenshot", quality, fullPage: true },
  ]);
  const { actions } = await run(pictures, { url: `${site.url}/sheet` });
  const [window = 0, whole = 0, fineWindow, fineWhole] = actions?.screenshots.map(({ length }) => length) ?? [];
  expect(fineWindow).toBeGreaterThan(window);
  expect(fineWhole).toBeGreaterThan(whole);
});

test("every match is clicked, whatever the clicks before have done to the others; hidden ones hold nobody up", async () => {
  const { markdown } = await run([{ type: "click", selector: ".more", all: true }], { url: `${site.url}/many` });
  expect([...(markdown ?? "").matchAll(/^- (.*)$/gm)].map((match) => match[1])).toEqual(
    ["a", "b", "c", "d", "e"].map((name) => `${name} open`),
  );
  expect(markdown).toContain("late one");
  expect(markdown).not.toContain("gone");
});

test("where thousands match, those that can be seen are clicked, up to a thousand", async () => {
  const url = `${site.url}/crowd`;
  const { markdown } = await run([{ type: "click", selector: ".more", all: true }], { url });
  expect(markdown).toContain("clicked");
  const error = await failure(run([{ type: "click", selector: ".seen", all: true }], { url }));
  expect(error).toMatchObject({
    message: 'actions[0] (click ".seen") failed: 1001 elements match; no more than 1000 are clicked',
  });
});

test("what a reader would manage to click is clicked: what moves, lies below something, or is there twice", async () => {
  const selectors = [".menu", "#beats", "#below", ".off"];
  const actions = selectors.map((selector): Action => ({ type: "click", selector }));
  const { markdown } = await run(actions, { url: `${site.url}/reach` });
  expect([...(markdown ?? "").matchAll(/^- (.*)$/gm)].map((match) => match[1])).toEqual([
    "seen",
    "beats",
    "below",
    "beside",
  ]);
  const error = await failure(run([{ type: "click", selector: "#hidden" }], { url: `${site.url}/reach` }));
  expect(error).toMatchObject({ message: 'actions[0] (click "#hidden") failed: the element cannot be seen' });
});

test("out of the mouse's reach, part of a drawing is clicked like any element, and a form whose field is named click", async () => {
  const actions = ["#part", "#form"].map((selector): Action => ({ type: "click", selector }));
  const { markdown } = await run(actions, { url: `${site.url}/drawn`, blockAds: false });
  expect([...(markdown ?? "").matchAll(/^- (.*)$/gm)].map((match) => match[1])).toEqual(["part", "form"]);
});

test("a click that opens a pop-up goes on as if it were there", async () => {
  const { markdown } = await run([{ type: "click", selector: "#open" }], { url: `${site.url}/opens` });
  expect(markdown).toContain("shown");
});

test("the page scrolls where an application has all of it in a box", async () => {
  const { markdown } = await run([{ type: "scroll" }, { type: "scroll" }], { url: `${site.url}/application` });
  expect(markdown).toContain("item 60");
});

test("a script may be an expression, statements, a function body, or a promise", async () => {
  const scripts = [
    "1 + 1",
    "const a = [1, 2]; a",
    "return { deep: null }",
    "await Promise.resolve(true)",
    "null",
    "undefined",
    "const a = 3; return await Promise.resolve(a)",
    "(await fetch('/next')).status",
    "JSON.stringify([await Promise.resolve(4)])",
    "let sum = 0; for await (const part of [2, 3]) sum += part; sum",
    "const b = [await Promise.resolve(6)]; return b[0]",
    "-scrollY",
  ];
  const actions = scripts.map((script): Action => ({ type: "executeJavascript", script }));
  expect((await run(actions)).actions?.javascriptReturns).toEqual([
    { type: "number", value: 2 },
    { type: "array", value: [1, 2] },
    { type: "object", value: { deep: null } },
    { type: "boolean", value: true },
    { type: "null", value: null },
    { type: "undefined", value: null },
    { type: "number", value: 3 },
    { type: "number", value: 200 },
    { type: "string", value: "[4]" },
    { type: "number", value: 5 },
    { type: "number", value: 6 },
    { type: "number", value: 0 },
  ]);
});

test("what a script ends with is given as JSON has it", async () => {
  const scripts = [
    "new Date(0)",
    "({ at: new Date(0), where: new URL('http://a.test/b'), what() {}, count: NaN })",
    "[undefined, () => 1, new Date(NaN)]",
    "new Map([[1, 2]])",
    "Array.prototype.toJSON = () => 'from an old library'; [['a']]",
    "JSON.stringify = () => { throw new Error('of the page') }; ({ a: ['b'] })",
  ];
  const actions = scripts.map((script): Action => ({ type: "executeJavascript", script }));
  const { actions: done, warning } = await run(actions);
  expect(warning).toBeUndefined();
  expect(done?.javascriptReturns).toEqual([
    { type: "string", value: "1970-01-01T00:00:00.000Z" },
    { type: "object", value: { at: "1970-01-01T00:00:00.000Z", where: "http://a.test/b", count: null } },
    { type: "array", value: [null, null, null] },
    { type: "object", value: {} },
    { type: "array", value: [["a"]] },
    { type: "object", value: { a: ["b"] } },
  ]);
});

test.each([
  ["1n", "bigint"],
  ["Symbol()", "symbol"],
  ["() => 1", "function"],
  ["({ toJSON() {} })", "object"],
])("a value that has no JSON form becomes null, with a warning: %s", async (script, type) => {
  const { actions, warning } = await run([{ type: "executeJavascript", script }]);
  expect(actions?.javascriptReturns).toEqual([{ type, value: null }]);
  expect(warning).toContain("no plain data");
});

test.each(["new Array(1e9)", "Array.from({ length: 2e6 }, () => ({}))", "['x'.repeat(1e6)]"])(
  "a result that is too large fails the page, and does not leave the browser: %s",
  async (script) => {
    const error = await failure(run([{ type: "executeJavascript", script }], { timeout: 60_000 }));
    expect(error).toMatchObject({
      code: "SCRAPE_ACTION_ERROR",
      message: expect.stringContaining("the script's result is too large"),
    });
  },
);

test("a script that ends with what cannot leave the page has done its work", async () => {
  const { actions, warning, metadata } = await run([
    { type: "executeJavascript", script: "go.owner = { go }; go.click(); go" },
    { type: "executeJavascript", script: "document.title = 'Changed'; window" },
    { type: "executeJavascript", script: "({ get broken() { throw new Error('not to be read') } })" },
    { type: "executeJavascript", script: "let deep = []; for (let i = 0; i < 900; i++) deep = [deep]; deep" },
  ]);
  expect(actions?.javascriptReturns).toEqual([
    { type: "object", value: null },
    { type: "object", value: null },
    { type: "object", value: null },
    { type: "object", value: null },
  ]);
  expect(warning).toContain("no plain data");
  expect(metadata.title).toBe("Changed");
});

test.each<[string, Action, RegExp]>([
  [
    "an element that is not there",
    { type: "click", selector: "#gone" },
    /actions\[1\] \(click "#gone"\) failed: no element matches/,
  ],
  [
    "a selector that the browser does not know",
    { type: "click", selector: "a:no-such-thing" },
    /actions\[1\] \(click "a:no-such-thing"\) failed: the selector is not valid/,
  ],
  [
    "a script that throws",
    { type: "executeJavascript", script: "throw new Error('no')" },
    /actions\[1\] \(executeJavascript\) failed: Error: no/,
  ],
  [
    "a script that throws what is no error",
    { type: "executeJavascript", script: "throw 'no such luck'" },
    /actions\[1\] \(executeJavascript\) failed: .*no such luck/,
  ],
  [
    "a script that reads what is no JSON, once",
    { type: "executeJavascript", script: "if (window.ran) throw new Error('twice'); ran = true; JSON.parse('await')" },
    /actions\[1\] \(executeJavascript\) failed: SyntaxError: .*JSON/,
  ],
  [
    "a key that is none",
    { type: "press", key: "NoSuchKey" },
    /actions\[1\] \(press\) failed: Unknown key: "NoSuchKey"/,
  ],
])("%s fails the page, and says which action it was", async (_, action, message) => {
  const error = await failure(run([{ type: "wait", milliseconds: 1 }, action]));
  expect(error).toMatchObject({
    code: "SCRAPE_ACTION_ERROR",
    details: [{ path: expect.arrayContaining(["actions", 1]) }],
  });
  expect((error as Error).message).toMatch(message);
});

test("a character that is on no US keyboard can be pressed", async () => {
  const { actions } = await run([
    { type: "click", selector: "#name" },
    ...["é", "A", "日", "€", "Backspace", "😀"].map((key): Action => ({ type: "press", key })),
    { type: "executeJavascript", script: "name1.value" },
  ]);
  expect(actions?.javascriptReturns).toEqual([{ type: "string", value: "éA日😀" }]);
});

test("a wait for what never comes ends with the deadline", async () => {
  const error = await failure(run([{ type: "wait", selector: "#never" }], { timeout: 12_000 }));
  expect(error).toMatchObject({
    code: "SCRAPE_TIMEOUT",
    message: 'Not finished within 12000 ms: waited for actions[0] (wait "#never")',
  });
});

test("what all actions give together is bounded, because it becomes one document", async () => {
  const own = createEngine({ network: { allowHosts: ["127.0.0.1"], maxBodyBytes: 200_000 } });
  const actions: Action[] = [
    { type: "executeJavascript", script: 'document.body.append("x".repeat(150000)); 1' },
    { type: "scrape" },
    { type: "scrape" },
    { type: "scrape" },
  ];
  const { data } = await own.scrape({ url: site.url, actions: actions.slice(0, 3), timeout: 60_000 });
  expect(data.actions?.scrapes).toHaveLength(2);
  expect(await failure(own.scrape({ url: site.url, actions, timeout: 60_000 }))).toMatchObject({
    code: "SCRAPE_ACTION_ERROR",
    message: "actions[3] (scrape) failed: what the actions give is larger than 400000 bytes",
  });
  await own.close();
  const small = createEngine({ network: { allowHosts: ["127.0.0.1"], maxBodyBytes: 1_000 } });
  const pdf = { url: `${site.url}/next`, actions: [{ type: "pdf" }], timeout: 60_000 } as const;
  expect(await failure(small.scrape(pdf))).toMatchObject({
    message: "actions[0] (pdf) failed: what the actions give is larger than 2000 bytes",
  });
  await small.close();
});

test("the host can switch scripts of callers off", async () => {
  const own = createEngine({ network: { allowHosts: ["127.0.0.1"] }, browser: { allowScripts: false } });
  const error = await failure(own.scrape({ url: site.url, actions: [{ type: "executeJavascript", script: "1" }] }));
  expect(error).toMatchObject({
    code: "SCRAPE_ACTION_ERROR",
    message: expect.stringContaining("runs no scripts of callers"),
  });
  await own.close();
});

test("a storage with a place for files is given the pictures, unless nothing may be kept", async () => {
  const kept: string[] = [];
  const storage = {
    ...memoryStorage(),
    files: {
      async put({ team, contentType, bytes }: { team: string; contentType: string; bytes: Uint8Array }) {
        kept.push(`${team} ${contentType} ${bytes.byteLength > 100}`);
        return `https://files.example/${kept.length}`;
      },
    },
  };
  const own = createEngine({ storage, network: { allowHosts: ["127.0.0.1"] } });
  const request = { url: site.url, formats: ["screenshot"], actions: [{ type: "pdf" }] } as const;
  const { data } = await own.scrape(request, { team: "a" });
  expect(data.screenshot).toBe("https://files.example/1");
  expect(data.actions?.pdfs).toEqual(["https://files.example/2"]);
  expect(kept).toEqual(["a image/png true", "a application/pdf true"]);
  const secret = await own.scrape({ ...request, zeroDataRetention: true });
  expect(secret.data.screenshot).toMatch(/^data:image/);
  expect(kept).toHaveLength(2);
  await own.close();
});

test("without a browser actions are refused by name", async () => {
  const own = createEngine({ browser: false });
  expect(await failure(own.scrape({ url: site.url, actions: [{ type: "scroll" }] }))).toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("actions needs a browser"),
  });
  await own.close();
});

test("a text that is typed into no field is a warning, not a failure: the page may listen itself", async () => {
  const { warning } = await run([{ type: "write", text: "Ada" }]);
  expect(warning).toContain("no field had the focus");
  const click = { type: "click", selector: "#name" } as const;
  expect((await run([click, { type: "write", text: "Ada" }])).warning).toBeUndefined();
});

test.each(["Control+V", "Shift+Control+KeyV", "Shift+Insert"])(
  "what a page of another team has copied is not pasted by %s",
  async (key) => {
    site.route(
      "/copies",
      `<button onclick="field.select(); document.execCommand('copy')">Copy</button><input id="field" value="secret">`,
    );
    site.route("/pastes", '<input id="field" oninput="said.textContent = value"><p id="said">Nothing</p>');
    await engine.scrape({ url: `${site.url}/copies`, actions: [{ type: "click", selector: "button" }] }, { team: "a" });
    const actions: Action[] = [
      { type: "click", selector: "#field" },
      { type: "press", key },
    ];
    await expect(engine.scrape({ url: `${site.url}/pastes`, actions }, { team: "b" })).rejects.toMatchObject({
      code: "SCRAPE_ACTION_ERROR",
      message: expect.stringContaining("actions[1] (press) failed: nothing is pasted"),
    });
  },
);
