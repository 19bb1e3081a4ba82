/** A page in the browser may be as large as `maxBodyBytes`, and is not taken out of it to find that it is larger. */
import { expect, test } from "vitest";
import { engineFor, site } from "./start-engine.ts";

const page = (text: string) => `<!doctype html><h1>Large</h1><script>document.write("<p>" + ${text} + "</p>")</script>`;
const routes = {
  "/fits": page(`"x".repeat(90_000)`),
  "/wide": page(`"\u00e4\u{1f600}".repeat(20_000)`),
  "/long": page(`"x".repeat(150_000)`),
  "/tree": `<my-tree></my-tree><script>
    document.querySelector("my-tree").attachShadow({ mode: "open" }).innerHTML = "x".repeat(150_000)</script>`,
  "/huge": `<h1>Large</h1><p hidden>x</p><script>document.querySelector("p").textContent = "\\u0001".repeat(70e6)</script>`,
};
const network = { maxBodyBytes: 100_000 };
const tooLarge = { code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message: "The page is larger than 100000 bytes" };

test("bytes are counted, in shadow trees too", async () => {
  const { url } = await site(routes);
  const engine = engineFor({ network });
  expect((await engine.scrape({ url: `${url}/fits`, waitFor: 1 })).data.markdown).toContain("xxx");
  for (const path of ["/wide", "/long", "/tree"])
    await expect(engine.scrape({ url: url + path, waitFor: 1 })).rejects.toMatchObject(tooLarge);
});

test("a file in place of a page is as large at most", async () => {
  const file = (bytes: number) => ({ headers: { "content-type": "application/json" }, body: `"${"x".repeat(bytes)}"` });
  const { url } = await site({ "/fits": file(90_000), "/long": file(2_000_000) });
  const engine = engineFor({ network });
  expect((await engine.scrape({ url: `${url}/fits`, waitFor: 1 })).data.markdown).toContain("xxx");
  await expect(engine.scrape({ url: `${url}/long`, waitFor: 1 })).rejects.toMatchObject({
    code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
  });
});

test("an action takes no larger page either", async () => {
  const { url } = await site(routes);
  const engine = engineFor({ network });
  const scrape = engine.scrape({
    url: `${url}/long`,
    formats: ["markdown"],
    actions: [{ type: "scrape" }, { type: "executeJavascript", script: "document.body.textContent = ''" }],
  });
  await expect(scrape).rejects.toMatchObject({
    code: "SCRAPE_ACTION_ERROR",
    message: "actions[0] (scrape) failed: The page is larger than 100000 bytes",
  });
});

test("a page that is far too large does not come to the host, nor end the browser", async () => {
  const { url } = await site(routes);
  const engine = engineFor();
  await engine.scrape({ url: `${url}/fits`, waitFor: 1 });
  const before = process.memoryUsage().rss;
  await expect(engine.scrape({ url: `${url}/huge`, waitFor: 1, timeout: 60_000 })).rejects.toMatchObject({
    code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
});
