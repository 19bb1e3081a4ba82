// @vitest-environment jsdom
/** A program whose tests run where jsdom has replaced EventTarget, AbortSignal and URL: the engine works there too. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("an engine scrapes and crawls under the globals of jsdom", async () => {
  expect(typeof window).toBe("object");
  const large = `<h1>Large</h1>${"<p>Some words in a row.</p>".repeat(20_000)}`;
  const { url } = await site({ "/": page("home", ["/large"]), "/large": large });
  const engine = engineFor({ browser: false });
  const { signal } = new AbortController();
  const { data } = await engine.scrape({ url: `${url}/large` }, { signal });
  expect(data.markdown).toMatch(/^# Large/);
  const job = await engine.crawl({ url, limit: 2 });
  expect(await job.wait()).toMatchObject({ status: "completed", completed: 2 });
});
