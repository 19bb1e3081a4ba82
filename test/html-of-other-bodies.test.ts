/** The `html` of bodies that are none: a document that shows them, in which nothing runs. */
import { readFile } from "node:fs/promises";
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { walkElements } from "../src/transform/html/walk.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

/** The names of the elements, and what a reader sees. */
function shown(html: string): { names: string[]; text: string } {
  const names: string[] = [];
  const document = parseDocument(html, { decodeEntities: true });
  walkElements(document, ({ name }) => void names.push(name));
  const pre = html.slice(html.indexOf("<pre>") + 5, html.lastIndexOf("</pre>")).replace(/^\n/, "");
  return { names, text: pre.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") };
}

test.each([
  ["text/plain", "two lines &amp; <script>one()</script>\n  <img src=x onerror=two()>"],
  ["text/plain", "\n\nblank lines first"],
  ["application/json", '{"a": "<img src=x onerror=one()>", "b": "&lt;"}'],
  ["text/xml", '<?xml version="1.0"?><a><script>one()</script><b onclick="two()">text</b></a>'],
  ["text/markdown", "# Title\n\n<script>one()</script>\n\n[a](javascript:two())"],
  ["text/csv", 'name,note\nada,"</pre><script>one()</script>"'],
])("%s: %j stands in it as text; rawHtml is what came", async (contentType, body) => {
  const { url } = await site({ "/": { headers: { "content-type": contentType }, body } });
  const { data } = await engineFor({ browser: false }).scrape({ url, formats: ["html", "rawHtml"] });
  expect(shown(data.html!)).toEqual({ names: ["html", "body", "pre"], text: body });
  expect(data.rawHtml).toBe(body);
});

const asPdf = (body: Uint8Array) => ({ headers: { "content-type": "application/pdf" }, body: Buffer.from(body) });

test("a PDF: headings, lists, tables, code and links, which make the same markdown again", async () => {
  const file = await readFile(new URL("fixtures/pdf/handbook.pdf", import.meta.url));
  const { url } = await site({ "/pdf": asPdf(file) });
  const engine = engineFor({ browser: false });
  const { data } = await engine.scrape({ url: `${url}/pdf`, formats: ["markdown", "html", "rawHtml"] });
  expect(data.html).toMatch(/^<!doctype html><html><body><h1>Handbook of Lighthouse Keeping<\/h1><p>/);
  expect(data.html).toContain("<ul><li>whale oil</li><li>colza oil</li></ul></li><li>Wicks</li>");
  expect(data.html).toContain('<a href="https://lights.test/guide">the guide</a> and footnote<sup>1</sup>');
  expect(data.html).toContain("</td></tr><tr><td>Wick</td><td>Cotton</td><td>0.30</td></tr><tr>");
  expect(data.html).toContain("<pre>def keep(lamp):\n    for night in range(365):\n");
  expect(data.rawHtml).toBe(data.html);

  const again = await site({ "/": data.html! });
  const { markdown } = (await engine.scrape({ url: again.url, onlyMainContent: false })).data;
  expect(markdown?.split(/\n+/)).toEqual(data.markdown?.split(/\n+/));
});

test("a PDF that says tags, and one that is not parsed", async () => {
  const builder = await PdfBuilder.start();
  builder.text("Write <script>one()</script> & no more, as the third rule of the house says.", 60, 80);
  builder.lines(["3. three", "4. four"], 60, 140, { leading: 14 });
  const pdf = await builder.bytes();
  const { url } = await site({ "/pdf": asPdf(pdf) });
  const engine = engineFor({ browser: false });
  const scrape = async (options: object) =>
    (await engine.scrape({ url: `${url}/pdf`, formats: ["markdown", "html", "rawHtml"], ...options })).data;
  expect((await scrape({})).html).toBe(
    "<!doctype html><html><body><p>Write &lt;script&gt;one()&lt;/script&gt; &amp; no more, as the third rule of the " +
      'house says.</p><ol start="3"><li>three</li><li>four</li></ol></body></html>',
  );
  const file = Buffer.from(pdf).toString("base64");
  expect(await scrape({ parsePDF: false })).toMatchObject({
    markdown: file,
    rawHtml: file,
    html: `<!doctype html><html><body>${file}</body></html>`,
  });
});
