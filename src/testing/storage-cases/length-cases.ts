/** Cases about texts that many a database would cut off: pages, schemas and answers of models are long, and hold anything. */

import assert from "node:assert/strict";
import {
  begin,
  claim,
  claimOne,
  close,
  failed,
  keys,
  never,
  newItem,
  newPage,
  record,
  results,
  type StorageCase,
  start,
  succeeded,
  take,
} from "./storage-case.ts";

/** Longer than 65,535 bytes, the most that a TEXT or BLOB of MySQL holds, and with a letter that its `utf8` does not hold. */
const text = (name: string) => JSON.stringify(`${name} 👋 ${"0123456789".repeat(20_000)}`);
/** As long as addresses may be; they differ in the last letter only. */
const key = (end: string) => `example.com/${"path/".repeat(390)}${end}`;

export const lengthCases: readonly StorageCase[] = [
  {
    name: "pages whose long URLs and keys differ at the end are different ones",
    async run(storage) {
      await begin(storage, [newPage(key("a")), newPage(key("b"))]);
      await storage.jobs.admitPages("job-1", { pages: [newPage(key("c"))], leftOut: [], duplicates: "ignore" });
      const leftOut = ["x", "y"].map((end) => ({ url: key(end), reason: "LIMIT" }));
      const completion = succeeded({ discovered: [newPage(key("d"))], finalKey: key("e"), leftOut });
      assert.equal((await storage.jobs.completePage(await claimOne(storage), completion)).status, "stored");
      const failure = { id: "f", url: key("b"), code: "UNKNOWN_ERROR", error: text("error") };
      const other = failed("f", { finalKey: key("f"), failure });
      assert.equal((await storage.jobs.completePage(await claimOne(storage), other)).status, "stored");
      assert.deepEqual(await keys(storage), ["a", "b", "c", "d"].map(key));
      assert.deepEqual(
        (await claim(storage, 9)).map((page) => [page.url, page.key]),
        ["c", "d"].map((end) => [`https://${key(end)}`, key(end)]),
      );
      assert.deepEqual((await storage.jobs.listLeftOut("job-1")).map(({ url }) => url).sort(), ["x", "y"].map(key));
      assert.deepEqual(await storage.jobs.listFailures("job-1"), [{ ...failure, timestamp: start }]);
    },
  },
  {
    name: "long requests, options, memos, documents, results and items come back whole",
    async run(storage) {
      const page = newPage("a", { options: text("options"), repeats: [key("repeat")] });
      await begin(storage, [page], { request: text("request") });
      const [claimed] = await claim(storage, 1);
      assert.equal(claimed?.options, text("options"));
      const item = newItem("one", { payload: text("payload") });
      const completion = succeeded({ document: text("document"), memo: text("memo"), outbox: [item] });
      await storage.jobs.completePage(claimed.lease, completion);
      await close(storage, { result: text("result"), error: text("error") });
      const { request, memo, result, error } = await record(storage);
      assert.deepEqual([request, memo, result, error], ["request", "memo", "result", "error"].map(text));
      assert.deepEqual(await results(storage), [
        [text("document"), null],
        [text("document"), key("repeat")],
      ]);
      await storage.outbox.add([newItem("two", { payload: text("added") })]);
      const [lane] = await take(storage);
      assert.deepEqual(
        lane?.items.map(({ payload }) => payload),
        ["payload", "added"].map(text),
      );
      const failure = { id: "one", at: start, retryAt: null, error: text("refusal") };
      await storage.outbox.settle({ lane: item.lane, worker: "worker-1" }, { delivered: ["two"], failed: failure });
      const [givenUp] = await storage.outbox.listFailed({ team: item.team });
      assert.deepEqual([givenUp?.payload, givenUp?.error], ["payload", "refusal"].map(text));
    },
  },
  {
    name: "long bodies, heads and versions come back whole, under long keys",
    async run({ cache, versions }) {
      const [team, storedAt] = ["team-a", start];
      const body = Buffer.from(text("body"));
      await cache.put({ team, storedAt, key: key("a"), head: text("head"), body });
      assert.equal(await cache.get({ team, key: key("b") }), null);
      const cached = await cache.get({ team, key: key("a") });
      assert.equal(cached?.head, text("head"));
      assert.ok(body.equals(cached.body));
      const version = { url: key("a"), scrapedAt: start, fingerprint: "f", isGone: false, expiresAt: start + 1000 };
      await versions?.put({ ...version, team, key: key("a"), tag: null, markdown: text("markdown") });
      assert.equal((await versions?.getLast({ team, key: key("b"), tag: null })) ?? null, null);
      const last = await versions?.getLast({ team, key: key("a"), tag: null });
      assert.equal(last?.markdown, versions && text("markdown"));
    },
  },
  {
    name: "a NUL in a message, or half a character in a page, neither stops a page nor cuts anything off",
    async run(storage) {
      await begin(storage, [newPage("a")]);
      const markdown = "a\0b\ud801c";
      const page = { team: "team-a", key: "a", tag: null };
      const version = {
        ...page,
        url: "a",
        scrapedAt: start,
        markdown,
        fingerprint: "f",
        isGone: true,
        expiresAt: never,
      };
      const failure = { id: "f", url: "https://a", code: "UNKNOWN_ERROR", error: "a\0b" };
      const { status } = await storage.jobs.completePage(await claimOne(storage), failed("f", { failure, version }));
      assert.equal(status, "stored");
      await close(storage, { error: "a\0b", outbox: [newItem("one")] });
      await take(storage);
      const refusal = { id: "one", at: start, retryAt: null, error: "a\0b" };
      await storage.outbox.settle(
        { lane: newItem("one").lane, worker: "worker-1" },
        { delivered: [], failed: refusal },
      );
      const [listed] = await storage.jobs.listFailures("job-1");
      const [item] = await storage.outbox.listFailed({ team: "team-a" });
      for (const message of [listed?.error, item?.error, (await record(storage)).error]) {
        assert.match(message ?? "", /^a[\0\ufffd]b$/);
      }
      const kept = (await storage.versions?.getLast(page))?.markdown;
      assert.match(kept ?? markdown, /^a[\0\ufffd]b[\ud801\ufffd]+c$/);
      const indexed = { ...page, url: "https://a", title: markdown, description: markdown, markdown };
      await storage.index?.put({ ...indexed, publishedAt: null, seenAt: start });
    },
  },
];
