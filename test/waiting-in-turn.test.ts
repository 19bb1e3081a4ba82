/** Threads and models are few: who waits for one waits fairly, and the page of a job loses no time by it. */
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { createTransformPool } from "../src/transform/pool.ts";
import { engineFor, page, site } from "./start-engine.ts";
import { htmlInput } from "./transform-input.ts";

const large = `<main>${"<p>A paragraph with <b>bold</b> words and a <a href='/x'>link</a>.</p>".repeat(1000)}</main>`;

test("a page of another team comes after one of a job's large pages, not after all of them", async () => {
  const pool = createTransformPool({ threads: 1 });
  const done: string[] = [];
  const read = async (team: string) => {
    await pool.transform(htmlInput(large), undefined, { team });
    done.push(team);
  };
  await Promise.all(["job", "job", "job", "job", "other", "other"].map(read));
  await pool.close();
  expect(done).toEqual(["job", "job", "other", "job", "other", "job"]);
});

test("what waits for a thread is told apart from the work itself, so that the clock of a page can stand still", async () => {
  const pool = createTransformPool({ threads: 1 });
  const events: string[] = [];
  const read = async (name: string) => {
    const untimed = async <Value>(waiting: Promise<Value>): Promise<Value> => {
      const value = await waiting;
      events.push(`${name} begins`);
      return value;
    };
    await pool.transform(htmlInput(large), undefined, { team: "job", untimed });
    events.push(`${name} ends`);
  };
  await Promise.all(["one", "two"].map(read));
  await pool.close();
  expect(events).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test("a scrape is answered by the model before all pages of another team's job are", async () => {
  const { url, requests } = await site({ "*": ({ url }) => page(url.pathname) });
  const asked: string[] = [];
  const jobsAnswers = Promise.withResolvers<void>();
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isOther = JSON.stringify(prompt).includes("/other");
      asked.push(isOther ? "other" : "job");
      if (!isOther) await jobsAnswers.promise;
      return {
        content: [{ type: "text", text: "{}" }],
        finishReason: { unified: "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
  const engine = engineFor({ model, limits: { modelConcurrency: 1 } });
  const json = { formats: ["json"], jsonOptions: { prompt: "anything" } } as const;
  const urls = Array.from({ length: 6 }, (_, index) => `${url}/job/${index}`);
  const job = await engine.batchScrape({ urls, ...json }, { team: "job" });
  await expect.poll(() => asked).toEqual(["job"]);
  const scrape = engine.scrape({ url: `${url}/other`, ...json }, { team: "other" });
  await expect.poll(() => requests.get("/other")).toBe(1);
  // All of them wait for the model soon.
  await new Promise((resolve) => setTimeout(resolve, 500));
  jobsAnswers.resolve();
  await Promise.all([job.wait(), scrape]);
  expect(asked.indexOf("other")).toBeLessThan(6);
});
