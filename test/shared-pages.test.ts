/** With several threads, pages of ordinary size that come faster than one thread transforms them go to others too. */
import { expect, onTestFinished, test } from "vitest";
import { engineFor, site } from "./start-engine.ts";

const numbers = Array.from({ length: 60 }, (_, number) => number);
const paragraph = (number: number) =>
  `<p>Paragraph of page ${number}, as long as paragraphs are that say something.</p>`;
const page = (number: number) =>
  `<title>Page ${number}</title><main><h1>Page ${number}</h1>${paragraph(number).repeat(800)}</main>`;

/** Scrapes all pages in one batch, and says how many threads that took. */
async function threadsFor(transformThreads: number): Promise<number> {
  const { url } = await site(Object.fromEntries(numbers.map((number) => [`/${number}`, page(number)])));
  let threads = 0;
  const count = () => threads++;
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  const engine = engineFor({ limits: { transformThreads }, browser: false });
  const job = await engine.batchScrape({ urls: numbers.map((number) => `${url}/${number}`), formats: ["markdown"] });
  const pages = await Array.fromAsync(job);
  const markdown = pages.map((document) => document.markdown).toSorted();
  const expected = numbers.map(
    (number) => `# Page ${number}\n\n${Array(800).fill(paragraph(number).slice(3, -4)).join("\n\n")}`,
  );
  expect(markdown).toEqual(expected.toSorted());
  return threads;
}

test("pages that wait are transformed in threads, when there are more than the one for large pages", async () => {
  expect(await threadsFor(3)).toBeGreaterThan(0);
});

test("the one thread is kept for large pages", async () => {
  expect(await threadsFor(1)).toBe(0);
});
