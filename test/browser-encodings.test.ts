/** Pages that name no encoding say in the browser what they say over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";

const german = "Grüße: 10 € für »Spaß« – schön";
const japanese = "これは日本語のテキストです。";
const western = "Événement à l’école, où ça ? Un être naïf, près de la forêt";
const markup = (text: string) => `<title>${text}</title><main><h1>${text}</h1></main>`;
const undeclared = (body: string | Uint8Array) => ({ headers: { "content-type": "text/html" }, body });

let site: TestSite;
let engine: Engine;

beforeAll(async () => {
  site = await startTestSite({
    "/german": undeclared(markup(german)),
    "/japanese": undeclared(markup(japanese)),
    // In windows-1252, whose apostrophe is no character of Latin-1.
    "/western": undeclared(Buffer.from(markup(western).replaceAll("’", "\u0092"), "latin1")),
    "/script": undeclared(`<main><h1 id="price"></h1></main><script>price.textContent = "${german}"</script>`),
  });
  engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

test.each([
  ["/german", german],
  ["/japanese", japanese],
  ["/western", western],
])("%s without a browser and in one", async (path, text) => {
  const url = `${site.url}${path}`;
  for (const options of [{}, { waitFor: 1 }, { mobile: true }, { location: { country: "JP" } }]) {
    const { data } = await engine.scrape({ url, ...options });
    expect(data).toMatchObject({ markdown: `# ${text}`, metadata: { title: text } });
  }
});

test("what scripts of the page write and what actions read is text, too", async () => {
  const { data } = await engine.scrape({
    url: `${site.url}/script`,
    formats: ["markdown"],
    actions: [
      { type: "executeJavascript", script: "price.textContent" },
      // As with a mouse, which scripts of the page may ask for.
      { type: "executeJavascript", script: "matchMedia('(hover: hover) and (pointer: fine)').matches" },
      { type: "scrape" },
    ],
  });
  expect(data.markdown).toBe(`# ${german}`);
  expect(data.actions?.javascriptReturns).toEqual([
    { type: "string", value: german },
    { type: "boolean", value: true },
  ]);
  expect(data.actions?.scrapes[0]?.html).toContain(german);
});
