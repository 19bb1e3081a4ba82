import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import { failure } from "./failure.ts";

let site: TestSite;
let engine: Engine;

const sentence = "A sentence that only the script knows how to write. ".repeat(6);
const app = (body: string, script: string) =>
  `<!doctype html><html lang="en"><head><title>App</title></head><body>${body}<script>${script}</script></body></html>`;
const fill = `document.getElementById("root").innerHTML = "<h1>Filled</h1><p>" + ${JSON.stringify(sentence)} + "</p>"`;

/** A valid PDF of one page that says "Hello PDF". */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 24 Tf 20 40 Td (Hello PDF) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`;

beforeAll(async () => {
  site = await startTestSite({
    "/app": app('<div id="root"></div>', `setTimeout(() => { ${fill} }, 300)`),
    "/untyped": ({ response }) => void response.end(app('<div id="root"></div>', fill)),
    "/onload": `<html><head><title>Moved</title></head><body bgcolor="white" onload="location.href = '/app'"></body></html>`,
    "/slow-api": app('<div id="root"></div>', `fetch("/api").then(() => { ${fill} })`),
    "/api": { delay: 800, body: "{}" },
    "/slower-api": app('<div id="root"></div>', `fetch("/later").then(() => { ${fill} })`),
    "/later": { delay: 2500, body: "{}" },
    "/never-quiet": app('<div id="root"></div>', `${fill}; setInterval(() => fetch("/ping?" + Math.random()), 50)`),
    "/notice": `<noscript>You need to enable JavaScript to run this app.</noscript><div class="x"></div><script>document.querySelector(".x").textContent = ${JSON.stringify(sentence)}</script>`,
    "/article": `<script>document.title = "changed"</script><main><h1>Article</h1><p>${sentence}</p></main>`,
    "/broken.csv": ({ response }) => {
      response.writeHead(200, { "content-type": "text/csv", "content-length": "2000" }).write("a,b\n".repeat(200));
      setTimeout(() => response.destroy(), 100);
    },
    "/slow-save": app(`<p>${sentence}</p>`, `setTimeout(() => { location.href = "/slow.csv" }, 50)`),
    "/only-save": app("<p>A moment</p>", `setTimeout(() => { location.href = "/slow.csv" }, 50)`),
    "/cut-save": app(
      "<p>A moment</p>",
      `setTimeout(() => { location.href = "/slow.csv" }, 50); setTimeout(() => { location.href = "/nothing" }, 1500)`,
    ),
    "/broken-save": app(
      "<p>A moment</p>",
      `setTimeout(() => { location.href = "/broken.zip" }, 50); setTimeout(() => { location.href = "/short" }, 800)`,
    ),
    "/broken.zip": ({ response }) => {
      response.writeHead(200, { "content-type": "application/zip", "content-length": "2000" }).write("PK");
      setTimeout(() => response.destroy(), 100);
    },
    "/slow.csv": ({ response }) => {
      const headers = { "content-type": "text/csv", "content-disposition": "attachment" };
      response.writeHead(200, headers).write("a,b\n".repeat(200));
    },
    "/short": "<h1>Short</h1><p>Hello</p>",
    "/links": `<script>1</script><ul>${'<li><a href="/a">x</a></li>'.repeat(10)}</ul>`,
    "/shadow": `<h1>Trees</h1><my-card><b>slotted</b></my-card><iframe src="/inner"></iframe><script>
      const root = document.querySelector("my-card").attachShadow({ mode: "open" });
      root.innerHTML = "<style>p { color: red }</style><p>before <slot></slot> after</p>";</script>`,
    "/trees": `<style>a > b { color: red }</style><my-card title="a &quot;b&quot; &amp; <c>"><b>slotted</b></my-card><iframe src="/trees/inner"></iframe>
      <script>document.querySelector("my-card").attachShadow({ mode: "open" }).innerHTML = '<style>p { color: red }</style><!--kept-->' +
        '<p>before <slot></slot> after</p><slot name="note"><i>usual note</i></slot><template><u>never</u></template>1 &lt; 2 &amp; 3&nbsp;4<br>';</script>`,
    "/trees/inner": `<a href="next">next</a><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" srcset="one.png 1x, two.png 2x"><video poster="still.png"></video><q cite="said">x</q>`,
    "/still": "<h1>Seen</h1><p>Once it has come in</p>",
    "/fades-in": `<style>@keyframes in { from { opacity: 0 } to { opacity: 1 } } body { animation: in 60s }</style><h1>Seen</h1><p>Once it has come in</p>`,
    "/heavy": `<style>@font-face { font-family: F; src: url(/dot.svg?font) } p { font-family: F }</style><p>${sentence}</p>
      <img src="/dot.svg?picture"><video preload="auto" src="/dot.svg?video"></video>`,
    "/hops": ({ url }) => {
      const left = Number(url.searchParams.get("left"));
      const location = `/hops?left=${left - 1}`;
      return left > 0 ? { status: 302, headers: { location } } : '<script>location.href = "/redirect/6"</script>';
    },
    "/fields": `<h1>Fields</h1><iframe src="/inner"></iframe><form>${[
      "attributes",
      "childNodes",
      "localName",
      "nodeType",
      "parentNode",
      "shadowRoot",
    ]
      .map((name) => `<input name="${name}">`)
      .join("")}<p>in the form</p></form>`,
    "/inner": "<p>from the frame</p>",
    "/dialogs": `<script>alert(1); const no = confirm(2); const none = prompt(3); window.open("/popup");
      document.write("<p>no: " + no + ", none: " + none + "</p>")</script>`,
    "/popups": `<p id="out"></p><script>const opened = new Set();
      for (let i = 0; i < 100; i += 1) opened.add(String(window.open("/popup")));
      out.textContent = "opened: " + [...opened]</script>`,
    "/popup": "<p>pop-up</p>",
    "/lead": '<script>location.href = "/app"</script>',
    "/refused": { status: 403, body: "<h1>No entry</h1>" },
    "/empty-error": { status: 500 },
    "/nothing": { status: 204 },
    "/loop": { status: 302, headers: { location: "/loop?again" } },
    "/hop": { status: 301, headers: { location: "/article" } },
    "/file.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(pdf) },
    "/download": {
      headers: { "content-type": "text/csv", "content-disposition": "attachment; filename=a.csv" },
      body: "a,b\n1,2",
    },
    "/thanks": `<h1>Thank you</h1><p>${sentence}</p><a id="save" href="/download">Save</a><a id="show" href="/file.pdf">Show</a>
      <script>setTimeout(() => { location = "/download" }, 50)</script>`,
    "/counts": `<h1>Counted</h1><p>${sentence}</p><script>setTimeout(() => { location = "/nothing" }, 50)</script>`,
    "/way": '<p>Your file is coming.</p><script>location = "/download"</script>',
    "/no-answer": ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
    "/font": `<style>@font-face { font-family: F; src: url(/no-answer?font) } body { font-family: F; margin: 0; height: 2000px }</style><p>${sentence}</p>
      <iframe srcdoc="<style>@font-face { font-family: F; src: url(/no-answer?font) } p { font-family: F }</style><p>inside</p>"></iframe>`,
    "/streams": async (exchange) => {
      exchange.response.setHeader("content-type", "text/html");
      exchange.response.write(`<h1>Streams</h1><p>${sentence}</p><script>1</script>`);
      while (!exchange.signal.aborted) {
        exchange.response.write("<p>more</p>");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    "/data.json": { headers: { "content-type": "application/json" }, body: '{"a":[1]}' },
    "/hang": "<p>x</p><script>for (;;);</script>",
    "/headers": ({ request }) => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request.headers),
    }),
    "/show-headers": `<pre id="out"></pre><img src="http://other.example:1/x.png"><script>fetch("/headers").then((r) => r.text()).then((t) => { out.textContent = t; })</script>`,
    "/cookie": `<p id="out"></p><script>out.textContent = "had [" + document.cookie + "] [" + localStorage.getItem("mark") + "] [" + window.name + "] history " + history.length;
      document.cookie = "mark=1"; localStorage.setItem("mark", "1"); window.name = "mark";</script>`,
    "/place": `<pre id="out"></pre><script>navigator.geolocation.getCurrentPosition((at) => { out.textContent = JSON.stringify({
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone, languages: navigator.languages, locale: new Date(0).toLocaleDateString(),
      at: [at.coords.latitude, at.coords.longitude] }); })</script>`,
    "/device": `<pre id="out"></pre><script>navigator.userAgentData.getHighEntropyValues(["platform", "model"]).catch(() => ({})).then((hints) => {
      out.textContent = JSON.stringify({ width: innerWidth, touch: navigator.maxTouchPoints > 0, agent: navigator.userAgent,
        mobile: navigator.userAgentData?.mobile, hints }); })</script><meta name="viewport" content="width=device-width">`,
    "/tall": `<script>document.write('<div style="height:30000px;background:teal">tall</div>')</script>`,
    "/lazy": `<p>${sentence}</p><div style="height:4000px"></div><img id="i" loading="lazy" src="/dot.svg" width="10" height="10">`,
    "/dot.svg": { headers: { "content-type": "image/svg+xml" }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    "/deep": `<script>document.write("<p>" + ${JSON.stringify(sentence)} + "</p>"); let at = document.body; for (let i = 0; i < 900; i += 1) { const d = document.createElement("div"); at.append(d); at = d; } at.attachShadow({ mode: "open" }).innerHTML = "<p>bottom</p>"</script>`,
  });
  engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const scrape = async (path: string, options: object = {}) =>
  (await engine.scrape({ url: `${site.url}${path}`, timeout: 90_000, ...options })).data;
const render = (path: string, options: object = {}) => scrape(path, { waitFor: 1, ...options });
const outOf = (markdown = "") => JSON.parse(/\{.*\}/s.exec(markdown)![0]);

// These mostly wait for a browser, so they do it together.
describe.concurrent("HTTP first", () => {
  test.each(["/app", "/slow-api", "/never-quiet", "/notice"])("%s goes to the browser", async (path) => {
    const { markdown, metadata } = await scrape(path);
    expect(metadata.engine).toBe("browser");
    expect(metadata.engineReason).toMatch(/^(?:empty-root|asks-for-scripts)$/);
    expect(markdown).toContain("A sentence that only the script knows");
  });

  test("a scrape with time is not given what the browser sees in a hurry for another at the same time", async () => {
    const hurried = scrape("/slower-api", { maxAge: 60_000, timeout: 1000 }).catch(() => {});
    const { markdown } = await scrape("/slower-api", { maxAge: 60_000 });
    expect(markdown).toContain("A sentence that only the script knows");
    await hurried;
  });

  test.each(["/untyped", "/onload"])("%s, too: no type, or no script but in an attribute", async (path) => {
    const { markdown, metadata } = await scrape(path);
    expect(metadata.engine).toBe("browser");
    expect(markdown).toContain("A sentence that only the script knows");
  });

  test.each(["/article", "/short", "/links", "/refused", "/data.json"])("%s does not", async (path) => {
    expect((await scrape(path)).metadata).toMatchObject({ engine: "http", engineReason: "default" });
  });

  test("a function of the host overrules", async () => {
    const seen: unknown[] = [];
    const own = createEngine({
      network: { allowHosts: ["127.0.0.1"] },
      browser: {
        choose(page) {
          seen.push([new URL(page.url).pathname, page.suggestion, page.reason, page.response?.statusCode]);
          return page.url.includes("article") ? "browser" : "http";
        },
      },
    });
    const article = (await own.scrape({ url: `${site.url}/article` })).data;
    expect(article.metadata).toMatchObject({ engine: "browser", engineReason: "chosen", title: "changed" });
    expect((await own.scrape({ url: `${site.url}/app` })).data.metadata.engine).toBe("http");
    expect(seen).toEqual([
      ["/article", "http", undefined, undefined],
      ["/app", "http", undefined, undefined],
      ["/app", "browser", "empty-root", 200],
    ]);
    await own.close();
  });
});

test("a crawl follows the links that scripts write", async () => {
  const link = (to: string) => `<a href="${to}">${to}</a>`;
  const root = (content: string) =>
    app('<div id="root"></div>', `root.innerHTML = ${JSON.stringify(`<p>${sentence}</p>${content}`)}`);
  await using spa = await startTestSite({
    "/": root(link("/one") + link("/two")),
    "/one": root(link("/three")),
    "/two": `<h1>Static</h1><p>${sentence}</p>`,
    "/three": root(""),
  });
  const job = await engine.crawl({ url: spa.url, limit: 10 });
  const { data } = await job.wait();
  const engines = data.map(({ metadata }) => `${new URL(metadata.url ?? "").pathname} ${metadata.engine}`).sort();
  expect(engines).toEqual(["/ browser", "/one browser", "/three browser", "/two http"]);
});

describe.concurrent("rendering", () => {
  test("open shadow trees and frames of the same origin are part of the page", async () => {
    const { markdown, rawHtml } = await render("/shadow", { formats: ["markdown", "rawHtml"] });
    expect(markdown).toMatch(/before \*\*slotted\*\* after/);
    expect(markdown).toContain("from the frame");
    expect(rawHtml).toContain('data-original-tag="iframe"');
  });

  test("what a tree or a frame holds is written as markup that means the same, where it stands", async () => {
    const { rawHtml = "" } = await render("/trees", { formats: ["rawHtml"] });
    expect(rawHtml).toContain("<style>a > b { color: red }</style>");
    const at = `${site.url}/trees/`;
    expect(rawHtml.slice(rawHtml.indexOf("<my-card"), rawHtml.indexOf("<script"))).toBe(
      '<my-card title="a &quot;b&quot; &amp; <c>"><!--kept--><p>before <b>slotted</b> after</p><i>usual note</i>' +
        "<template></template>1 &lt; 2 &amp; 3&nbsp;4<br></my-card>" +
        `<div data-original-tag="iframe" src="/trees/inner"><a href="${at}next">next</a>` +
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" ' +
        `srcset="${at}one.png 1x, ${at}two.png 2x"><video poster="${at}still.png"></video><q cite="${at}said">x</q></div>\n      `,
    );
  });

  test("a form whose fields are named as what elements have is read like any other", async () => {
    const { markdown } = await render("/fields", { onlyMainContent: false });
    expect(markdown).toMatch(/# Fields\s+from the frame\s+in the form/);
  });

  test("a page nested nine hundred deep is read", async () => {
    const { rawHtml } = await render("/deep", { formats: ["rawHtml"] });
    expect(rawHtml).toContain("bottom");
  });

  test("dialogs are dismissed, pop-ups closed", async () => {
    expect((await render("/dialogs")).markdown).toBe("no: false, none: null");
  });

  test("a page that would open a hundred pop-ups opens none, and loses no time with it", async () => {
    expect((await render("/popups")).markdown).toBe("opened: null");
    expect(site.requests.get("/popup")).toBeUndefined();
  });

  test("where a script leads is the page", async () => {
    const { metadata, markdown } = await render("/lead");
    expect(metadata.url).toBe(`${site.url}/app`);
    expect(markdown).toContain("Filled");
  });

  test("redirects end at the final URL", async () => {
    expect((await render("/hop")).metadata).toMatchObject({ url: `${site.url}/article`, statusCode: 200 });
    expect(await failure(render("/loop"))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    // The way to where a script leads is counted anew.
    expect((await render("/hops?left=6")).metadata.url).toBe(`${site.url}/redirect/0`);
  });

  test("a redirect to nowhere is the page that came with it, one to no address an error of the site", async () => {
    site.route("/nowhere", { status: 302, headers: { location: " " }, body: "<h1>Here</h1>" });
    expect(await render("/nowhere")).toMatchObject({ markdown: "# Here", metadata: { statusCode: 302 } });
    site.route("/no-address", { status: 302, headers: { location: "http://" } });
    expect(await failure(render("/no-address"))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });

  test("any status is an answer", async () => {
    expect(await render("/refused")).toMatchObject({
      markdown: "# No entry",
      metadata: { statusCode: 403, error: "Forbidden", engine: "browser" },
    });
    expect((await render("/empty-error")).metadata).toMatchObject({ statusCode: 500, error: "Internal Server Error" });
    expect((await render("/nothing")).metadata).toMatchObject({ statusCode: 204 });
  });

  test("files are bodies, not pages", async () => {
    expect((await render("/data.json")).markdown).toContain('"a"');
    expect((await render("/download")).metadata.contentType).toBe("text/csv");
    const { metadata, markdown } = await render("/file.pdf", { parsePDF: false });
    expect(metadata.contentType).toBe("application/pdf");
    expect(Buffer.from(markdown ?? "", "base64").toString()).toBe(pdf);
  });

  test("a file that breaks off is an error, as over HTTP", async () => {
    expect(await failure(render("/broken.csv"))).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: true });
  });

  test("a page stays when it gives a file to be saved, or leads to nothing", async () => {
    const thanks = await render("/thanks", { waitFor: 300 });
    expect(thanks.markdown).toContain("A sentence");
    expect(thanks.metadata).toMatchObject({ statusCode: 200, url: `${site.url}/thanks` });
    const counted = await render("/counts", { waitFor: 300 });
    expect(counted.markdown).toContain("# Counted");
    expect(counted.metadata).toMatchObject({ statusCode: 200, url: `${site.url}/counts` });
    const saved = await render("/thanks", { actions: [{ type: "click", selector: "#save" }] });
    expect(saved.markdown).toContain("A sentence");
  });

  test("a page stays without its file if that takes too long, or is cut because the page leads on", async () => {
    const [slow, cut, nothing] = await Promise.all([
      render("/slow-save", { waitFor: 300, timeout: 36_000 }),
      render("/cut-save", { waitFor: 300, timeout: 36_000 }),
      failure(render("/only-save", { waitFor: 300, timeout: 36_000 })),
    ]);
    expect(slow).toMatchObject({ markdown: expect.stringContaining("A sentence"), metadata: { statusCode: 200 } });
    expect(cut).toMatchObject({ markdown: "A moment", metadata: { url: `${site.url}/cut-save` } });
    expect(nothing).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: true });
  });

  test("a file that broke off does not count against the page that comes after it", async () => {
    expect((await render("/broken-save", { waitFor: 1200 })).markdown).toContain("# Short");
  });

  test("a page that is only the way to a file is the file, and so is a file that is shown in the page's place", async () => {
    expect((await render("/way", { waitFor: 300 })).metadata.url).toBe(`${site.url}/download`);
    const shown = await render("/thanks", { actions: [{ type: "click", selector: "#show" }] });
    expect(shown.markdown).toContain("Hello PDF");
  });

  test("a page that never comes to its end: what it shows is the page, with a warning", async () => {
    const { markdown, warning } = await render("/streams", { timeout: 18_000 });
    expect(markdown).toContain("A sentence");
    expect(warning).toContain("did not load to its end");
  });

  test("what cannot be reached has the codes of HTTP", async () => {
    expect(await failure(engine.scrape({ url: "http://no-such-host.invalid/", waitFor: 1 }))).toMatchObject({
      code: "SCRAPE_DNS_RESOLUTION_ERROR",
    });
    const gone = await startTestSite({});
    await gone.close();
    expect(await failure(engine.scrape({ url: gone.url, waitFor: 1 }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });

  test("a bad certificate is an error, unless it is to be ignored", async () => {
    await using secure = await startTestSite({ "/": "<h1>Secure</h1>" }, { https: true });
    expect(await failure(engine.scrape({ url: secure.url, waitFor: 1 }))).toMatchObject({
      code: "SCRAPE_SSL_ERROR",
      message: expect.stringContaining("skipTlsVerification"),
    });
    const { data } = await engine.scrape({ url: secure.url, waitFor: 1, skipTlsVerification: true });
    expect(data.markdown).toBe("# Secure");
  });

  test("a port without TLS is an error that says where the page may be", async () => {
    const url = site.url.replace("http:", "https:");
    for (const skipTlsVerification of [false, true]) {
      expect(await failure(engine.scrape({ url, waitFor: 1, skipTlsVerification }))).toMatchObject({
        code: "SCRAPE_SSL_ERROR",
        message: expect.stringContaining("http://"),
      });
    }
  });

  test("a page that hangs ends with its deadline, and the next one works", async () => {
    expect(await failure(render("/hang", { timeout: 3000 }))).toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect((await render("/app")).markdown).toContain("Filled");
  });

  test("an abort ends it at once, with its reason", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 300);
    const begun = performance.now();
    const request = { url: `${site.url}/hang`, waitFor: 1 };
    expect(await failure(engine.scrape(request, { signal: controller.signal }))).toBe("enough");
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

describe.concurrent("what a page sees", () => {
  test("the caller's headers go to the page's own origin", async () => {
    const { markdown } = await render("/show-headers", {
      headers: {
        "X-Key": "secret",
        "User-Agent": "mine",
        Cookie: "a=b; c=d",
        Accept: "text/mine",
        "Proxy-Authorization": "no",
      },
    });
    const sent = outOf(markdown);
    expect(sent).toMatchObject({ "x-key": "secret", "user-agent": "mine", cookie: "a=b; c=d", accept: "text/mine" });
    expect(sent).not.toHaveProperty("proxy-authorization");
    const unnamed = await render("/show-headers", { headers: { "User-Agent": " " } });
    expect(outOf(unnamed.markdown)["user-agent"]).toMatch(/ Chrome\//);
  });

  test("cookies that only secure pages may have are sent, and what no browser takes for one keeps no page away", async () => {
    await using secure = await startTestSite(
      { "/": ({ request }) => `<p>${JSON.stringify(request.headers)}</p>` },
      { https: true },
    );
    const cookie = `__Host-session=1; __Secure-b=2; c=3; long=${"x".repeat(5000)}`;
    const options = { waitFor: 1, headers: { cookie }, skipTlsVerification: true };
    const { data } = await engine.scrape({ url: secure.url, formats: ["rawHtml"], ...options });
    expect(outOf(data.rawHtml).cookie).toBe("__Host-session=1; __Secure-b=2; c=3");
    const plain = await render("/show-headers", { headers: { cookie } });
    expect(outOf(plain.markdown).cookie).toBe("c=3");
  });

  test("a host name that a browser cannot send is refused at once, and its own changes nothing", async () => {
    const error = await failure(render("/show-headers", { headers: { Host: "other.example" } }));
    expect(error).toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining("other.example") });
    const headers = { Host: new URL(site.url).host, "Proxy-Authorization": "Basic eDp5" };
    const seen = outOf((await render("/show-headers", { headers })).markdown);
    expect([seen.host, seen["proxy-authorization"]]).toEqual([new URL(site.url).host, undefined]);
  });

  test.each(["Set-Cookie", "Cookie2", "Proxy-Way"])(
    "%s, which a browser cannot send, is refused at once",
    async (name) => {
      const error = await failure(render("/show-headers", { headers: { [name]: "x" }, timeout: 60_000 }));
      expect(error).toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining(name.toLowerCase()) });
    },
  );

  test("and to no other: not behind a redirect, not with the page's own requests", async () => {
    await using other = await startTestSite({
      "/": `<p>${sentence}</p><script>fetch("/data?" + document.cookie)</script>`,
      "/back": { status: 302, headers: { location: `${site.url}/back` } },
      "/leads-back": `<p>${sentence}</p><script>location = "${site.url}/led-back"</script>`,
      "/data": { headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }, body: "1" },
    });
    site.route("/away", { status: 302, headers: { location: `${other.url}/` } });
    site.route(
      "/asks-away",
      `<p>${sentence}</p><script>fetch("${other.url}/data", { credentials: "include" })</script>`,
    );
    site.route("/there-and-back", {
      status: 302,
      headers: { location: `${other.url}/back`, "set-cookie": "session=of-the-site" },
    });
    site.route("/there-and-led-back", { status: 302, headers: { location: `${other.url}/leads-back` } });
    site.route("/led-back", `<p>${sentence}</p>`);
    site.route("/back", `<p>${sentence}</p><script>fetch("/headers?back")</script>`);
    const headers = {
      "X-Key": "secret",
      Authorization: "Bearer secret",
      Cookie: "session=secret; id=secret",
      Referer: "https://secret.example/",
    };
    const sentTo = (path: string) => site.received.findLast(({ target }) => target === path)?.headers;
    expect((await render("/away", { headers })).markdown).toContain("A sentence");
    expect(sentTo("/away")).toMatchObject({ cookie: headers.Cookie, referer: headers.Referer });
    await render("/asks-away", { headers });
    expect(sentTo("/asks-away")).toMatchObject({ "x-key": "secret", cookie: headers.Cookie });
    expect((await render("/there-and-back", { headers })).markdown).toContain("A sentence");
    expect((await render("/there-and-led-back", { headers })).metadata.url).toBe(`${site.url}/led-back`);
    // A browser that has time looks for an icon.
    const asked = [...other.requests.keys()].filter((path) => path !== "/favicon.ico");
    expect(asked).toEqual(["/", "/data", "/back", "/leads-back"]);
    expect(JSON.stringify(other.received)).not.toContain("secret");
    expect(sentTo("/there-and-back")).toMatchObject({ "x-key": "secret", cookie: headers.Cookie });
    expect([sentTo("/back")?.cookie, sentTo("/headers?back")?.cookie]).toEqual(Array(2).fill("session=of-the-site"));
    for (const path of ["/back", "/headers?back", "/led-back"]) {
      expect(JSON.stringify(sentTo(path))).not.toContain("secret");
    }
  });

  test("a site that asks who is there learns no name, not even that by which its tab is known to the proxy", async () => {
    const headers = { "www-authenticate": 'Basic realm="Members"' };
    site.route("/members", { status: 401, headers, body: `<p>${sentence}</p>` });
    expect((await render("/members")).metadata.statusCode).toBe(401);
    const asked = site.received.filter(({ target }) => target === "/members");
    expect(asked.map((request) => request.headers.authorization)).toEqual([undefined]);
  });

  test("user name and password of the URL, for that request only", async () => {
    const login = site.url.replace("://", "://ada:p%40ss@");
    const { data } = await engine.scrape({ url: `${login}/show-headers`, waitFor: 1 });
    expect(outOf(data.markdown).authorization).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
    expect(data.metadata.url).toBe(`${site.url}/show-headers`);
    expect(outOf((await render("/show-headers")).markdown).authorization).toBeUndefined();
  });

  test("nothing of one request is left for the next", async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await render("/cookie")).markdown).toMatch(/^had \\?\[\\?\] \\?\[null\\?\] \\?\[\\?\]/);
    }
  });

  test("no headless browser", async () => {
    const { agent, hints } = outOf((await render("/device")).markdown);
    expect(agent).toMatch(/Chrome\/\d+\.0\.0\.0 Safari/);
    expect(agent).not.toContain("Headless");
    expect(hints.brands?.map(({ brand }: { brand: string }) => brand) ?? []).not.toContain("HeadlessChrome");
  });

  test("a phone, when asked for", async () => {
    expect(outOf((await render("/device", { mobile: true })).markdown)).toMatchObject({
      width: 412,
      touch: true,
      agent: expect.stringMatching(/Android.*Mobile Safari/),
    });
    expect(outOf((await render("/device")).markdown)).toMatchObject({ width: 1280, touch: false });
  });

  test("the place that is asked for", async () => {
    const { markdown } = await render("/place", { location: { country: "DE" } });
    expect(outOf(markdown)).toMatchObject({
      zone: "Europe/Berlin",
      languages: ["de-DE", "de"],
      locale: "1.1.1970",
      at: [52.5, 13.37],
    });
    expect(site.received.findLast(({ target }) => target === "/place")?.headers["accept-language"]).toBe(
      "de-DE,de;q=0.9",
    );
    const none = await render("/place", { location: { country: "DE", languages: [] } });
    expect(outOf(none.markdown)).toEqual(outOf(markdown));
    const french = await render("/place", { location: { country: "CH", languages: ["fr-CH"] } });
    expect(outOf(french.markdown)).toMatchObject({ zone: "Europe/Zurich", languages: ["fr-CH"] });
    for (const languages of [["x-klingon", "de"], ["und"]]) {
      const { markdown } = await render("/place", { location: { country: "CH", languages } });
      expect(outOf(markdown)).toMatchObject({ zone: "Europe/Zurich", languages });
    }
  });
});

describe("pictures", () => {
  const sizeOf = (uri = "") => {
    const bytes = Buffer.from(uri.replace("data:image/png;base64,", ""), "base64");
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  };

  test("of the window", async () => {
    const { screenshot, markdown } = await scrape("/app", { formats: ["screenshot"] });
    expect(screenshot).toMatch(/^data:image\/png;base64,/);
    expect(sizeOf(screenshot)).toEqual([1280, 800]);
    expect(markdown).toBeUndefined();
  });

  test("of the whole page, with what loads when it is seen", async () => {
    site.clear();
    const { screenshot } = await scrape("/lazy", { formats: ["screenshot@fullPage"] });
    expect(sizeOf(screenshot)[1]).toBeGreaterThan(4000);
    expect(site.requests.get("/dot.svg")).toBe(1);
  });

  test("of a very tall page: its beginning, with a warning", async () => {
    const { screenshot, warning } = await scrape("/tall", { formats: ["screenshot@fullPage"] });
    expect(sizeOf(screenshot)).toEqual([1280, 16000]);
    expect(warning).toMatch(/30\d+ pixels tall.*first 16000/);
  });

  test.each<[object, boolean]>([
    [{}, false],
    [{ actions: [{ type: "wait", milliseconds: 1 }] }, false],
    [{ formats: ["screenshot"] }, true],
    [{ actions: [{ type: "screenshot" }] }, true],
    [{ actions: [{ type: "pdf" }] }, true],
  ])("pictures, fonts and videos are fetched only to be seen: %j", async (options, isSeen) => {
    site.clear();
    await render("/heavy", options);
    const fetched = [...site.requests.keys()].filter((target) => target.startsWith("/dot.svg"));
    expect(fetched.sort()).toEqual(isSeen ? ["/dot.svg?font", "/dot.svg?picture", "/dot.svg?video"] : []);
  });

  // These wait for it, together.
  test.concurrent("of what is coming in: as it will be", async () => {
    const [still, fading] = await Promise.all(
      ["/still", "/fades-in"].map((path) => scrape(path, { formats: ["screenshot"] })),
    );
    expect(fading?.screenshot).toBe(still?.screenshot);
  });

  test.concurrent.each(["screenshot", "screenshot@fullPage"])("%s of a page whose font never comes", async (format) => {
    const { screenshot } = await scrape("/font", { formats: [format], timeout: 60_000 });
    expect(sizeOf(screenshot)).toEqual([1280, format === "screenshot" ? 800 : 2000]);
  });

  test.concurrent("with the quality that was asked for, of a page whose font never comes", async () => {
    const [coarse, fine] = await Promise.all(
      [1, 100].map((quality) => scrape("/font", { actions: [{ type: "screenshot", quality }], timeout: 60_000 })),
    );
    const lengthOf = (page: typeof fine) => page?.actions?.screenshots[0]?.length;
    expect(lengthOf(fine)).toBeGreaterThan(lengthOf(coarse) ?? Number.NaN);
  });

  test.concurrent("of a file there are none", async () => {
    const { screenshot, warning } = await scrape("/file.pdf", { formats: ["markdown", "screenshot"], parsePDF: false });
    expect(screenshot).toBeUndefined();
    expect(warning).toMatch(/a file, not a page/);
  });
});
