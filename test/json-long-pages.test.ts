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
