import { type AddressInfo, createServer } from "node:net";
import { chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";

let site: TestSite;
let engine: Engine;

const text = "This page has a sentence of its own, which is what a reader comes for. ".repeat(5);

/** A page that asks for a script, a frame or a picture at an address of somebody else. */
const foreign: Readonly<Record<string, string>> = {
  "an ad server": "http://securepubads.g.doubleclick.net:PORT/tag.js",
  "an exchange": "http://ib.adnxs.com:PORT/ut/v3.js",
  "a recommendation widget": "http://cdn.taboola.com:PORT/libtrc/loader.js",
  "a tag manager": "http://www.googletagmanager.com:PORT/gtm.js?id=GTM-1",
  "an analytics service": "http://static.hotjar.com:PORT/c/hotjar-1.js",
  "a social tracker": "http://connect.facebook.net:PORT/en_US/fbevents.js",
  "a push service": "http://cdn.onesignal.com:PORT/sdks/x.js",
  "a script of the site's own, of a known shape": "http://shop.example:PORT/js/matomo.js",
};
const wanted: Readonly<Record<string, string>> = {
  "a library of a delivery network": "http://cdn.jsdelivr.net:PORT/npm/vue.js",
  "a script of the site": "http://shop.example:PORT/js/app.js",
  "a host whose name only ends alike": "http://notdoubleclick.net:PORT/x.js",
};

const dialogs: Readonly<Record<string, string>> = {
  OneTrust: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter" style="position:fixed;inset:0"></div>
    <div id="onetrust-banner-sdk" style="position:fixed;bottom:0" role="region"><p>DIALOG We value your privacy and use cookies.</p>
    <button id="onetrust-reject-all-handler" onclick="decline(this)">Reject All</button>
    <button id="onetrust-accept-btn-handler" onclick="accept(this)">Accept All Cookies</button></div></div>`,
  Cookiebot: `<div id="CybotCookiebotDialog" style="position:fixed;bottom:0"><p>DIALOG This website uses cookies.</p>
    <button id="CybotCookiebotDialogBodyButtonDecline" onclick="decline(this)">Deny</button>
    <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" onclick="accept(this)">Allow all</button></div>`,
  Didomi: `<div id="didomi-host"><div id="didomi-notice" style="position:fixed;bottom:0"><p>DIALOG With your agreement, we use cookies.</p>
    <button class="didomi-continue-without-agreeing" onclick="decline(this)">Continue without agreeing</button>
    <button id="didomi-notice-agree-button" onclick="accept(this)">Agree</button></div></div>`,
  "one of the site's own": `<div class="site-cookie-bar" style="position:fixed;bottom:0"><p>DIALOG We use cookies to improve this site.</p>
    <button onclick="accept(this)">Fine</button></div>`,
};

/** What lies over the page and speaks of cookies, but is the page. */
const pages: Readonly<Record<string, string>> = {
  "an application that fills the window and links to its cookie policy": `<div id="app" style="position:fixed;inset:0;overflow:auto">
    <h1>Chairs</h1><p>KEPT ${text}</p><button>Buy</button> <footer><a href="/c">Cookie policy</a></footer></div>`,
  "one whose content has no marks of its own": `<div id="app" style="position:fixed;inset:0;overflow:auto">
    <div>KEPT ${text}</div><button>Buy</button> <a href="/c">Cookie policy</a></div>`,
  "one that notes in its class that there is a pop-up": `<div class="app cookie-bar-open" style="position:fixed;inset:0;overflow:auto">
    <main><p>KEPT ${text}</p></main></div>`,
  "the head of a page about baking": `<header style="position:sticky;top:0"><h1>KEPT: chocolate chip cookies</h1> <a href="/r">More</a></header><p>${text}</p>`,
  "the menu of a bakery": `<nav style="position:fixed;top:0"><a href="/a">Cakes</a> <a href="/b">KEPT Cookies</a> <button>Basket</button></nav><p>${text}</p>`,
  "a menu of a handbook": `<aside style="position:sticky;top:0"><a href="/a">Headers</a> <a href="/b">Cookies</a> <a href="/c">KEPT</a></aside><p>${text}</p>`,
  "the head of a shop that is named after its wares": `<div class="cookie-shop" style="position:sticky;top:0">
    <a href="/">KEPT</a> <nav><a href="/a">Tins</a> <a href="/b">Jars</a></nav> <button>Find</button></div><p>${text}</p>`,
};

/** Pop-ups most of whose text are links, as a menu's is, or whose element is one for menus. */
const linked: Readonly<Record<string, string>> = {
  "with links for buttons": `<div style="position:fixed;bottom:0"><p>DIALOG: cookies.</p><a href="#">That is fine for me</a>
    <a href="javascript:void 0">Choose some of them</a> <a href="/p">Preferences</a></div>`,
  "of links to policies": `<div id="cookie-bar" style="position:fixed;bottom:0"><a href="/p">DIALOG Privacy</a> <a href="/c">Cookies</a>
    <a href="/i">Imprint</a> <button>OK</button></div>`,
  "in a bar for menus": `<nav style="position:fixed;bottom:0"><p>DIALOG We use cookies.</p><a href="/p">More</a> <button>OK</button></nav>`,
};

/** What sites say in languages that have a word of their own for what others call a cookie. */
const notices = [
  "Bu site çerez kullanır.",
  "Käytämme evästeitä.",
  "Sütiket használunk.",
  "Używamy ciasteczek.",
  "Kasutame küpsiseid.",
  "Vi bruker informasjonskapsler.",
  "Vi använder kakor.",
  "Мы используем файлы куки.",
  "Използваме бисквитки.",
  "אנו משתמשים בעוגיות.",
  "نستخدم ملفات تعريف الارتباط.",
  "このサイトはクッキーを使用します。",
  "이 사이트는 쿠키를 사용합니다.",
];

/** What a frame of a consent manager tells the page around it. */
const tell = (what: string) => `parent.postMessage("${what}", "*")`;
const choices = `<p>DIALOG We and our partners use cookies.</p><button class="sp_choice_type_11" onclick='${tell("accepted")}'>Accept all</button>`;
const managerPath = "/privacy-manager/index.html?message_id=2";
const frames: Readonly<Record<string, string>> = {
  "with a button to refuse": `${choices}<button class="sp_choice_type_13" onclick='${tell("declined")}'>Reject all</button>`,
  "with the refusal in a second frame": `${choices}<button class="sp_choice_type_12" onclick='${tell("manage")}'>Options</button>`,
  "with the refusal on a second page": `${choices}<button class="sp_choice_type_12" onclick="location.href = '${managerPath}'">Options</button>`,
};

beforeAll(async () => {
  site = await startTestSite({
    "*": ({ url }) => ({
      headers: { "content-type": "text/javascript" },
      body: `window.loaded = ${JSON.stringify(url.href)}`,
    }),
    "/page": ({ url }) =>
      `<main><h1>Page</h1><p>${text}</p></main><script src="${url.searchParams.get("src")}"></script>`,
    "/dialog": ({ url }) => `<html style="overflow:hidden"><main><h1>Page</h1><p>${text}</p></main>
      <script>
        // It waits for the answer: the page may be closed as soon as the dialog is gone.
        function tell(path, b) { const request = new XMLHttpRequest(); request.open("GET", path, false); request.send(); b.closest("div").remove(); }
        function decline(b) { tell("/declined", b); }
        function accept(b) { tell("/accepted", b); }</script>
      ${dialogs[url.searchParams.get("kind") ?? ""]}`,
    "/pagead/js/page": `<main><h1>Page</h1><p>${text}</p></main>`,
    "/page-like": ({ url }) => `<!doctype html>${pages[url.searchParams.get("kind") ?? ""]}<script>1</script>`,
    "/linked": ({ url }) =>
      `<main><h1>Page</h1><p>${text}</p></main><script>1</script>${linked[url.searchParams.get("kind") ?? ""]}`,
    "/notices": `<meta charset="utf-8"><main><h1>Page</h1><p>${text}</p></main><script>1</script>
      ${notices.map((notice) => `<div style="position:fixed;bottom:0"><p>DIALOG ${notice}</p><button>OK</button></div>`).join("")}`,
    "/framed": ({ url }) => `<main><h1>Page</h1><p>${text}</p></main>
      <div id="sp_message_container_1" style="position:fixed;inset:0"></div><script>
        const open = (path) => { sp_message_container_1.innerHTML = '<iframe src="http://cdn.cmp.example:${site.port}' + path + '" style="width:100%;height:100%"></iframe>'; };
        open("/index.html?message_id=1&kind=${encodeURIComponent(url.searchParams.get("kind") ?? "")}");
        addEventListener("message", ({ data }) => {
          if (data === "manage") return open("${managerPath}");
          fetch("/" + data);
          sp_message_container_1.remove();
        });
      </script>`,
    "/index.html": ({ url }) => frames[url.searchParams.get("kind") ?? ""] ?? "",
    "/privacy-manager/index.html": `<div class="type-modal">${choices}<button class="sp_choice_type_REJECT_ALL" onclick='${tell("declined")}'>Reject all</button></div>`,
    "/banner": `<main><h1>Page</h1><p>${text}</p></main><div class="promo-box">BUY THIS</div><div class="promo-bar">BUY THIS TOO</div><script src="/own/banner.js"></script>
      <script>for (const host of ["shop", "other"]) document.body.append(Object.assign(new Image(), { src: "http://" + host + ".example:" + location.port + "/pixel?" + host })),
        document.head.append(Object.assign(document.createElement("script"), { src: "http://" + host + ".example:" + location.port + "/count.js?" + host }))</script>`,
  });
  engine = createEngine({
    network,
    browser: {
      filterLists: ["/own/banner.js\n/count.js$third-party,script\n/pixel$script\n##.promo-box\n##.promo-bar"],
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const network = {
  allowHosts: ["127.0.0.1", "*.example", "*.net", "*.com"],
  lookup: async () => [{ address: "127.0.0.1", family: 4 }],
};
/** How many frames are left in the page. */
const remaining = [{ type: "executeJavascript", script: "document.querySelectorAll('iframe').length" } as const];
const rendered = { waitFor: 1, timeout: 90_000, formats: ["markdown"] } as const;

describe("advertisements", () => {
  const ask = async (address: string, blockAds: boolean): Promise<number> => {
    const src = address.replace("PORT", String(site.port));
    const url = `http://shop.example:${site.port}/page?src=${encodeURIComponent(src)}`;
    const { data } = await engine.scrape({ url, blockAds, ...rendered });
    expect(data.markdown).toContain("a sentence of its own");
    const target = new URL(src);
    return site.requests.get(target.pathname + target.search) ?? 0;
  };

  // These mostly wait for a browser, so they do it together.
  test.concurrent.each(Object.entries(foreign))("%s is not asked for anything", async (_, address) => {
    expect(await ask(address, true)).toBe(0);
  });

  test.concurrent.each(Object.entries(wanted))("%s is asked as ever", async (_, address) => {
    expect(await ask(address, true)).toBe(1);
  });

  test("an ad server is not even connected to over TLS", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    site.route("/tls", `<main><p>${text}</p></main><script src="https://ib.adnxs.com:${port}/ut.js"></script>`);
    const url = `http://shop.example:${site.port}/tls`;
    await engine.scrape({ url, ...rendered });
    expect(connections).toBe(0);
    await engine.scrape({ url, ...rendered, blockAds: false });
    expect(connections).toBeGreaterThan(0);
  });

  test("blockAds: false lets them through", async () => {
    expect(await ask(foreign["an ad server"]!, false)).toBe(1);
  });

  test("the page of an advertiser can be scraped like any other", async () => {
    for (const address of ["www.taboola.com:PORT/page", "shop.example:PORT/pagead/js/page"]) {
      const url = `http://${address.replace("PORT", String(site.port))}`;
      expect((await engine.scrape({ url, ...rendered })).data.markdown).toContain("a sentence of its own");
    }
  });

  test("the host's filter lists block requests and hide elements", async () => {
    site.clear();
    const { data } = await engine.scrape({
      url: `http://shop.example:${site.port}/banner`,
      ...rendered,
      onlyMainContent: false,
      actions: [{ type: "screenshot" }],
    });
    expect(site.requests.get("/own/banner.js")).toBeUndefined();
    // What a list says about strangers only, or about scripts only, is not meant for others.
    expect([site.requests.get("/count.js?shop"), site.requests.get("/count.js?other")]).toEqual([1, undefined]);
    expect([site.requests.get("/pixel?shop"), site.requests.get("/pixel?other")]).toEqual([1, 1]);
    expect(data.markdown).not.toContain("BUY THIS");
    const all = await engine.scrape({
      url: `http://shop.example:${site.port}/banner`,
      ...rendered,
      onlyMainContent: false,
      blockAds: false,
    });
    expect(site.requests.get("/own/banner.js")).toBe(1);
    expect(all.data.markdown).toContain("BUY THIS");
  });
});

describe("cookie pop-ups", () => {
  /** There is a second to find the button, which a busy machine may miss: then the dialog is removed, or stays. */
  const retry = 3;

  test.each(Object.keys(dialogs))("%s is declined or removed", { retry }, async (kind) => {
    site.clear();
    const url = `http://shop.example:${site.port}/dialog?kind=${encodeURIComponent(kind)}`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false });
    expect(data.markdown).toContain("a sentence of its own");
    expect(data.markdown).not.toContain("DIALOG");
    if (kind !== "one of the site's own") {
      expect(site.requests.get("/declined")).toBe(1);
      expect(site.requests.get("/accepted")).toBeUndefined();
    }
  });

  test.concurrent.each(Object.keys(pages))("%s stays", async (kind) => {
    const url = `http://shop.example:${site.port}/page-like?kind=${encodeURIComponent(kind)}`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false });
    expect(data.markdown).toContain("KEPT");
  });

  test.each(Object.keys(linked))("one %s is removed", async (kind) => {
    const url = `http://shop.example:${site.port}/linked?kind=${encodeURIComponent(kind)}`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false });
    expect(data.markdown).toContain("a sentence of its own");
    expect(data.markdown).not.toContain("DIALOG");
  });

  test("one that says so in another language is removed", async () => {
    const url = `http://shop.example:${site.port}/notices`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false });
    expect(data.markdown).toContain("a sentence of its own");
    expect(data.markdown).not.toContain("DIALOG");
  });

  test.each(Object.keys(frames))("in a frame of another host, %s, is declined", { retry }, async (kind) => {
    site.clear();
    const url = `http://shop.example:${site.port}/framed?kind=${encodeURIComponent(kind)}`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false, actions: remaining });
    expect(data.markdown).toContain("a sentence of its own");
    expect([site.requests.get("/declined"), site.requests.get("/accepted")]).toEqual([1, undefined]);
    expect(data.actions?.javascriptReturns[0]?.value).toBe(0);
  });

  test("in a frame that has a process of its own, in a browser of the caller's", { retry }, async () => {
    const found = findBrowser();
    if (found?.kind !== "launch" || !found.executablePath) throw new Error("The tests need a browser");
    const browser = await chromium.launch({
      executablePath: await found.executablePath(),
      args: [...found.flags, "--site-per-process"],
      chromiumSandbox: process.getuid?.() !== 0,
    });
    onTestFinished(() => browser.close());
    await using own = createEngine({ network, browser: { browser } });
    for (const kind of Object.keys(frames)) {
      site.clear();
      const url = `http://shop.example:${site.port}/framed?kind=${encodeURIComponent(kind)}`;
      await own.scrape({ url, ...rendered });
      expect([kind, site.requests.get("/declined")]).toEqual([kind, 1]);
    }
  });

  test("blockAds: false leaves them alone", async () => {
    const url = `http://shop.example:${site.port}/dialog?kind=OneTrust`;
    const { data } = await engine.scrape({ url, ...rendered, onlyMainContent: false, blockAds: false });
    expect(data.markdown).toContain("DIALOG");
  });
});
