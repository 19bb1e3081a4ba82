import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import TurndownService from "turndown";
import { describe, expect, it } from "vitest";
import { readHtml } from "../src/transform/html/read-html.ts";
import { turndownMarkdown } from "../src/transform/markdown/turndown-adapter.ts";

const folder = fileURLToPath(new URL("fixtures/markdown/", import.meta.url));
const service = () => new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

describe("turndown over the parsed tree", () => {
  // Where both parsers agree on the tree, the adapter must not be told from Turndown with a parser of its own.
  it.each([
    "lists",
    "quotes",
    "emphasis",
    "inline-code",
    "code-blocks",
    "links",
    "escaping",
    "right-to-left",
    "tables",
  ])("%s", (name) => {
    const html = `<body>${readFileSync(`${folder}${name}/page.html`, "utf8").trim()}</body>`;
    expect(turndownMarkdown(readHtml(html).document, service())).toBe(service().turndown(html));
  });

  it("follows the rules a caller brings", () => {
    const turndown = service();
    turndown.addRule("mark", {
      filter: (node) => node.nodeName === "MARK" && node.getAttribute("class") === "a",
      replacement: (content) => `==${content}==`,
    });
    turndown.keep("kbd");
    const { document } = readHtml("<p>a <mark class=a>b</mark> <mark>c</mark> <kbd>d</kbd></p>");
    expect(turndownMarkdown(document, turndown)).toBe("a ==b== c <kbd>d</kbd>");
  });

  it("does not change the tree", () => {
    const { document } = readHtml("<p> a  <b> b </b></p>");
    const first = turndownMarkdown(document, service());
    expect(turndownMarkdown(document, service())).toBe(first);
  });

  // Turndown is the oracle of the words: the writer may not lose or invent any.
  it.each(
    readdirSync(folder).filter((name) => /^(?:lists|quotes|emphasis|tables|table-spans|hard-breaks|cards)$/.test(name)),
  )("the writer's words in %s are Turndown's", (name) => {
    const { document } = readHtml(readFileSync(`${folder}${name}/page.html`, "utf8"));
    const expected = readFileSync(`${folder}${name}/expected.md`, "utf8").replaceAll("https://example.test", "");
    const strip = (markdown: string) =>
      words(markdown.replace(/\]\([^)]*\)|^\s*(?:\d+[.)]|[-*])\s|---|<\/?\w+>/gm, " "));
    expect(strip(expected).join("").length).toBe(strip(turndownMarkdown(document, service())).join("").length);
  });
});
