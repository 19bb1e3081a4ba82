/** What a host keeps for its caller in an AsyncLocalStorage is there when its own parts are called. */
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("a model is asked for each page in the context of the call that wants it, also after waiting for its turn", async () => {
  const { url } = await site({ "*": ({ url: { pathname } }) => page(`page ${pathname.slice(1)}`) });
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const model = fakeModel(async ({ prompt }) => {
    const name = /# page (\w+)/.exec(prompt)?.[1];
    seen.push(`${name} for ${caller.getStore()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { name };
  });
  const engine = engineFor({ model, limits: { modelConcurrency: 1 } });
  const names = ["one", "two", "three"];
  const scrape = (name: string) =>
    engine.scrape({ url: `${url}/${name}`, formats: ["json"], jsonOptions: { prompt: "the name" } });
  await Promise.all(names.map((name) => caller.run(name, () => scrape(name))));
  expect(seen.sort()).toEqual(["one for one", "three for three", "two for two"]);
});
