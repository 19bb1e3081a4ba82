/** Which pages of a site an extract job reads, whether a model is asked for them, and whose answer comes first. */
import { expect, test } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const things = {
  type: "object",
  properties: { things: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } } },
} as const;

/** A model that reads a page's name, and chooses the page `/p/5`. */
function reader() {
  const choices: string[] = [];
  const model = fakeModel(({ prompt }) => {
    if (!prompt.includes("numbered addresses")) {
      return { things: [...prompt.matchAll(/enough about (\w+)/g)].map(([, name]) => ({ name })) };
    }
    choices.push(prompt);
    return { pages: [Number(/(\d+): \S*\/p\/5/.exec(prompt)?.[1])] };
  });
  return { model, choices };
}

const shop = (paths: readonly string[]) =>
  site({ "/": page("Shop", paths), "*": ({ url }) => page(`Thing${url.pathname.split("/").pop()}`) });

async function read(request: { paths: readonly string[]; prompt: string; limit: number; glob?: string }) {
  const { url } = await shop(request.paths);
  const { model, choices } = reader();
  const { prompt, limit, glob = "/*" } = request;
  const job = await engineFor({ model }).extract({ urls: [url + glob], schema: things, prompt, limit });
  const { data } = await job.wait();
  const names = (data as { things: { name: string }[] }).things.map(({ name }) => name);
  return { names, choices };
}

const numbers = Array.from({ length: 8 }, (_, index) => `/p/${index}`);

test("beside the pages that a model chooses, others are read up to the limit", async () => {
  const { names, choices } = await read({ paths: numbers, prompt: "zzz", limit: 3, glob: "/p/*" });
  expect(choices).toHaveLength(1);
  expect(names).toHaveLength(3);
  expect(names).toContain("Thing5");
});

test("no model is asked which pages to read if the words of their addresses tell", async () => {
  const { names, choices } = await read({
    paths: [...numbers, "/p/kettle"],
    prompt: "kettle",
    limit: 1,
    glob: "/p/*",
  });
  expect([names, choices]).toEqual([["Thingkettle"], []]);
});

test("nor if all of them are read", async () => {
  const { names, choices } = await read({ paths: numbers.slice(0, 3), prompt: "zzz", limit: 4, glob: "/p/*" });
  expect(choices).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(3);
});

test("the words of a schema's names count, however they are joined", async () => {
  const { url, requests } = await shop([...numbers, "/p/blue-kettle"]);
  const model = fakeModel({ blueKettle: "BK 1" });
  const schema = { type: "object", properties: { blueKettle: { type: "string" } } };
  const job = await engineFor({ model }).extract({ urls: [`${url}/p/*`], schema, limit: 1 });
  expect(await job.wait()).toMatchObject({ data: { blueKettle: "BK 1" } });
  expect([requests.get("/p/blue-kettle"), model.calls.length]).toEqual([1, 1]);
});

test("things are listed in the order in which the request names pages, whatever page is read first", async () => {
  const isLastRead = Promise.withResolvers<void>();
  const { url } = await site({
    "/zebra": async () => {
      await isLastRead.promise;
      return page("Zebra");
    },
    "/ant": page("Ant"),
  });
  const { model } = reader();
  const urls = [`${url}/zebra`, `${url}/ant`];
  const job = await engineFor({ model }).extract({ urls, schema: things, prompt: "things" });
  await expect.poll(() => model.calls.length).toBe(1);
  isLastRead.resolve();
  expect((await job.wait()).data).toEqual({ things: [{ name: "Zebra" }, { name: "Ant" }] });
});

test("a web search that finds nothing is told of", async () => {
  const { url } = await shop(numbers);
  const { model } = reader();
  const engine = engineFor({ model, search: { name: "empty", search: async () => [] } });
  const job = await engine.extract({ urls: [`${url}/p/1`], schema: things, prompt: "things", enableWebSearch: true });
  expect(await job.wait()).toMatchObject({
    data: { things: [{ name: "Thing1" }] },
    warning: expect.stringContaining("The web search found nothing."),
  });
});
