/** The `html` of bodies that are none: a document that shows them, in which nothing runs. */
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { walkElements } from "../src/transform/html/walk.ts";
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
