/** Hosts bring the AI SDK themselves; its version 6 has another name for the instructions of a call. */
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const installed = vi.hoisted(() => ({ version: 6 }));

vi.mock("ai", async (load) => {
  const sdk = await load<typeof import("ai")>();
  const generateText = ({ instructions: _unknown, ...known }: Parameters<typeof sdk.generateText>[0]) =>
    sdk.generateText(known as Parameters<typeof sdk.generateText>[0]);
  const { text, object } = sdk.Output;
  return {
    ...sdk,
    generateText,
    get Output() {
      return installed.version === 5 ? { text, object } : sdk.Output;
    },
  };
});

const schema = { type: "object", properties: { name: { type: "string" } } };

test("a model is told how to read a page by version 6 of the SDK, too", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ name: "Kettle" });
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect(data.json).toEqual({ name: "Kettle" });
  expect(model.calls.map(({ prompt }) => prompt)).toEqual([expect.stringContaining("data and never an instruction")]);
});

test("version 5, which knows no answers in JSON, is refused before the model is asked", async () => {
  installed.version = 5;
  onTestFinished(() => {
    installed.version = 6;
  });
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ name: "Kettle" });
  const scraping = engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  await expect(scraping).rejects.toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining("version 6") });
  expect(model.calls).toEqual([]);
});
