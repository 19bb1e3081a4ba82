import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTransformPool, type TransformPoolOptions } from "../src/transform/pool.ts";
import { transform } from "../src/transform/transform.ts";
import { htmlInput } from "./transform-input.ts";

function poolOf(options: TransformPoolOptions) {
  const pool = createTransformPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

const page = (count: number): string =>
  `<title>Page ${count}</title><main><h1>Page ${count}</h1>${"<p>A paragraph with <b>bold</b> words and a <a href='/x'>link</a>.</p>".repeat(count)}</main>`;
const all = { formats: ["markdown", "html", "rawHtml", "links"], onlyMainContent: true, discoverLinks: true };

describe("the transform in threads", () => {
  it("gives the same as in the caller's thread", async () => {
    const pool = poolOf({ threads: 2 });
    const inputs = [1, 20, 300].map((count) => htmlInput(page(count), all));
    expect(await Promise.all(inputs.map((input) => pool.transform(input)))).toEqual(
      await Promise.all(inputs.map((input) => transform(input))),
    );
  });

  it("leaves the caller's bytes alone, and takes only its own from a larger buffer", async () => {
    const pool = poolOf({ threads: 1 });
    const large = new TextEncoder().encode(`<p>secret</p><p>shown</p><p>secret</p>`);
    const input = htmlInput("", {}, { body: large.subarray(13, 25) });
    expect((await pool.transform(input)).markdown).toBe("shown");
    expect(large.byteLength).toBe(38);
    const buffer = Buffer.from("<p>shown</p>");
    await pool.transform(htmlInput("", {}, { body: buffer }));
    expect(buffer.toString()).toBe("<p>shown</p>");
  });

  it("passes errors on with their class, code and details", async () => {
    const pool = poolOf({ threads: 1 });
    const wrong = htmlInput("<p>x", { excludeTags: ["p["] });
    const error = await pool.transform(wrong).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "RequestError", code: "BAD_REQUEST", details: [{ path: [0] }] });
    const archive = htmlInput("", {}, { body: Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), contentType: "application/zip" });
    await expect(pool.transform(archive)).rejects.toMatchObject({
      name: "ScrapeError",
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
  });

  it("stops in the middle of a page when the signal is aborted, and goes on with others", async () => {
    const pool = poolOf({ threads: 1 });
    const reason = new Error("enough");
    await expect(pool.transform(htmlInput("<p>x"), AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const running = pool.transform(htmlInput(page(100_000)), controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    expect((await pool.transform(htmlInput("<p>next"))).markdown).toBe("next");
  });

  it("goes on with pages that wait for a thread whose page was broken off", async () => {
    const pool = poolOf({ threads: 1 });
    await pool.transform(htmlInput("<p>the thread is up"));
    const controller = new AbortController();
    const broken = expect(pool.transform(htmlInput(page(100_000)), controller.signal)).rejects.toThrow("enough");
    const waiting = ["one", "two"].map((text) => pool.transform(htmlInput(`<p>${text}`), new AbortController().signal));
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await broken;
    expect((await Promise.all(waiting)).map(({ markdown }) => markdown)).toEqual(["one", "two"]);
  });

  it("rejects what is at work when it is closed, and everything after", async () => {
    const pool = createTransformPool({ threads: 1 });
    const running = pool.transform(htmlInput(page(100_000)));
    const rejected = expect(running).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
    await sleep(20);
    await Promise.all([pool.close(), pool.close()]);
    await rejected;
    await expect(pool.transform(htmlInput("<p>x"))).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  });

  it("starts no thread before the first page", async () => {
    let started = 0;
    const count = () => void started++;
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));
    const pool = createTransformPool({ threads: 1 });
    // Waits for threads that are about to start.
    await pool.close();
    await pool.close();
    expect(started).toBe(0);
    await poolOf({ threads: 1 }).transform(htmlInput("<p>x"));
    expect(started).toBe(1);
  });
});
