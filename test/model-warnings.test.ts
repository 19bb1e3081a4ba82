/** What a model's provider warns about is for who asks it by himself: nothing is printed for the pages of an engine. */
import { MockLanguageModelV4 } from "ai/test";
import { expect, onTestFinished, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

function collectWarnings(): string[] {
  const warnings: string[] = [];
  const collect = ({ message }: Error) => warnings.push(message);
  process.on("warning", collect);
  onTestFinished(() => {
    process.off("warning", collect);
  });
  return warnings;
}

async function askAboutPages(model: unknown): Promise<void> {
  const { url } = await site({ "/": page("Kettle"), "/pot": page("Pot"), "/pan": page("Pan") });
  const urls = ["", "pot", "pan"].map((path) => `${url}/${path}`);
  const job = await engineFor({ model }).batchScrape({ urls, formats: ["json"], jsonOptions: { prompt: "Its name" } });
  const { data } = await job.wait();
  expect(data.map(({ json }) => json)).toEqual(Array(3).fill({ name: "Kettle" }));
  // Warnings are emitted in a turn of their own.
  await new Promise(setImmediate);
}

test("a provider's warnings are not printed", async () => {
  const warnings = collectWarnings();
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: "text", text: '{"name": "Kettle"}' }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [{ type: "unsupported", feature: "temperature", details: "It is always warm." }],
    }),
  });
  await askAboutPages(model);
  expect(warnings).toEqual([]);
});

test("that a model is of an older specification is said once, not for each page", async () => {
  const warnings = collectWarnings();
  const model = {
    specificationVersion: "v2",
    provider: "local",
    modelId: "old",
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: "text", text: '{"name": "Kettle"}' }],
      finishReason: "stop",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    }),
  };
  await askAboutPages(model);
  expect(warnings.filter((message) => message.includes("specificationVersion"))).toHaveLength(1);
});
