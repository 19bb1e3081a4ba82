/** Large pages are read in threads, of which there are few: who waits for one waits fairly, and loses no time by it. */
import { expect, test } from "vitest";
import { createTransformPool } from "../src/transform/pool.ts";
import { engineFor, site } from "./start-engine.ts";
import { htmlInput } from "./transform-input.ts";

const large = (paragraphs: number): string =>
  `<main>${"<p>A paragraph with <b>bold</b> words and a <a href='/x'>link</a>.</p>".repeat(paragraphs)}</main>`;

test("a page of another team comes after one of a job's large pages, not after all of them", async () => {
  const pool = createTransformPool({ threads: 1 });
  const done: string[] = [];
  const read = async (team: string) => {
    await pool.transform(htmlInput(large(1000)), undefined, { team });
    done.push(team);
  };
  await Promise.all(["job", "job", "job", "job", "other", "other"].map(read));
  await pool.close();
  expect(done).toEqual(["job", "job", "other", "job", "other", "job"]);
});

test("a page of a job is not out of time for having waited for a thread", async () => {
  const server = await site({ "/huge": large(80_000), "/large": large(5000) });
  const engine = engineFor({ limits: { transformThreads: 1 } });
  const huge = engine.scrape({ url: `${server.url}/huge`, timeout: 60_000 }, { team: "other" });
  await expect.poll(() => server.requests.get("/huge")).toBe(1);
  const job = await engine.batchScrape({ urls: [`${server.url}/large`], timeout: 1500 });
  expect(await job.wait()).toMatchObject({ completed: 1 });
  await huge;
}, 60_000);
