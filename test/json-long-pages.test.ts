/** Data that a model takes from a page that is too long for it, or for its answers. */
import { expect, test } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, site } from "./start-engine.ts";

const items = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, size: { type: "string" } } },
    },
  },
};

const listOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `<li>Kettle ${from + index} of the catalogue, with its lid</li>`);

test("things of one name on two parts of a page are two things, as they would be on one", async () => {
  const { url } = await site({ "/": `<main><h1>Kettles</h1><ul>${listOf(0, 300).join("")}</ul></main>` });
  let part = 0;
  const model = fakeModel(() => ({ items: [{ name: "Kettle", size: `${++part} l` }] }));
  const engine = engineFor({ model, limits: { modelInputTokens: 2500 } });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: items } });
  expect(part).toBeGreaterThan(1);
  expect((data.json as { items: unknown[] }).items).toHaveLength(part);
});

test("where a server breaks off answers without saying so, halves are asked about, and told that they are parts", async () => {
  const { url } = await site({ "/": `<main><h1>Kettles</h1><ul>${listOf(0, 200).join("")}</ul></main>` });
  const asked: string[] = [];
  const model = fakeModel(({ prompt }) => {
    asked.push(prompt);
    const names = [...prompt.matchAll(/Kettle \d+/g)].map(([name]) => ({ name }));
    return JSON.stringify({ items: names }).slice(0, 4000);
  });
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: items } });
  expect(data.warning).toBeUndefined();
  expect((data.json as { items: unknown[] }).items).toHaveLength(200);
  expect(asked).toHaveLength(3);
  expect(asked.map((prompt) => prompt.includes("of 2 of the page"))).toEqual([false, true, true]);
});

/** What a model with a window of 2,500 tokens, some 8,700 characters, is shown of a page in turn. */
async function partsOf(html: string): Promise<string[]> {
  const { url } = await site({ "/": `<main><h1>Kettles</h1>${html}</main>` });
  const parts: string[] = [];
  const model = fakeModel(({ prompt }) => {
    const [, part, text = ""] = /This is part (\d+) of[^\n]*\n+(.*?)\n*<<<end of page/s.exec(prompt) ?? [];
    parts[Number(part) - 1] = text;
    return {};
  });
  await engineFor({ model, limits: { modelInputTokens: 2500 } }).scrape({
    url,
    formats: ["json"],
    jsonOptions: { schema: { type: "object" } },
  });
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map(({ length }) => length / 3.5))).toBeLessThan(2500);
  return parts;
}

const paragraphs = (count: number) => "<p>A kettle is filled, and put on the stove until it sings.</p>".repeat(count);
const code = (lines: number) => `<pre><code>${"boil(kettle);\n\nsing(kettle);\n".repeat(lines)}</code></pre>`;
const fencesIn = (part: string) => part.match(/^```/gm)?.length ?? 0;

test("a list that fits into a part is shown in one", async () => {
  const parts = await partsOf(`${paragraphs(100)}<ul>${listOf(0, 80).join("")}</ul>${paragraphs(50)}`);
  expect(parts.map((part) => part.match(/^- Kettle/gm)?.length ?? 0)).toEqual([0, 80]);
});

test("so is code with its empty lines", async () => {
  const parts = await partsOf(`${paragraphs(100)}${code(120)}${paragraphs(30)}`);
  expect(parts.map(fencesIn)).toEqual([0, 2]);
});

test("a part ends before a late heading, but not before an early one", async () => {
  const late = await partsOf(`${paragraphs(100)}<h2>Lids</h2>${paragraphs(100)}`);
  expect(late.map((part) => /^#+ \w+/m.exec(part)?.[0])).toEqual(["# Kettles", "## Lids"]);
  expect(late[1]).toMatch(/^## Lids/);
  const early = await partsOf(`${paragraphs(40)}<h2>Lids</h2>${paragraphs(160)}`);
  expect(early[0]).toContain("## Lids");
  expect(early[0]!.length).toBeGreaterThan(7000);
});

test("code that fits into no part is cut, and no part is longer than the window", async () => {
  const long = `boil(${"kettle, ".repeat(500)});`;
  const parts = await partsOf(`${paragraphs(24)}<pre><code>${"sing();\n".repeat(700)}${long}\n</code></pre>`);
  expect(parts.join("\n")).toContain(long);
});
