/** An extract job whose process is killed at any moment goes on where it was: no page is asked or billed twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { httpServer } from "./network-server.ts";
import { runAndKill } from "./run-and-kill.ts";
import { engineFor, page, site } from "./start-engine.ts";

const names = ["Kettle", "Pan", "Pot", "Lid", "Ladle", "Whisk", "Grater", "Sieve"];
const schema = {
  type: "object",
  properties: {
    products: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, price: { type: "number" } },
        required: ["name", "price"],
      },
    },
  },
  required: ["products"],
};
const tokensOfDraft = 5000;
/** Each page has a price of its own, so that a sum of tokens tells which pages were billed. */
const tokensOf = (name: string) => 101 + 2 ** names.indexOf(name);

/** A model that reads the pages below, slowly; it keeps what it was asked for, and what it has answered. */
async function modelServer() {
  const asked: string[] = [];
  const answered: string[] = [];
  const server = await httpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const name = /The (\w+) costs/.exec(body)?.[1] ?? "draft";
    asked.push(name);
    // The first page is the slowest: others are done before the page that follows on a drafted schema.
    await delay(name === names[0] ? 120 : 60);
    const answer = name === "draft" ? schema : { products: [{ name, price: names.indexOf(name) }] };
    const tokens = name === "draft" ? tokensOfDraft : tokensOf(name);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: "1",
        object: "chat.completion",
        created: 1,
        model: "test-model",
        choices: [{ index: 0, message: { role: "assistant", content: JSON.stringify(answer) }, finish_reason: "stop" }],
        usage: { prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens },
      }),
    );
    answered.push(name);
  });
  return { baseURL: server.url("/v1"), asked, answered };
}

/** A process is killed so many milliseconds after the model was so often asked, or had so often answered, in its life. */
interface Kill {
  readonly after: "asked" | "answered";
  readonly count: number;
  readonly wait?: number;
}

/** What the file says of the job: its id, which pages are done, and the charges. */
function look(path: string) {
  const database = new DatabaseSync(path);
  const all = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
  const found = {
    id: String(all("SELECT id FROM jobs")[0]?.["id"]),
    done: all("SELECT url FROM pages WHERE state = 'succeeded'").map(({ url }) => String(url).split("/").at(-1)!),
    charges: all("SELECT id FROM charges").map(({ id }) => String(id)),
  };
  database.close();
  return found;
}

/** Without a schema the model drafts one first, for all pages; then the first URL leads nowhere, which costs nothing. */
const plans: { title: string; drafts?: true; kills: Kill[] }[] = [
  {
    title: "while the model is asked, and as it answers",
    kills: [
      { after: "asked", count: 1 },
      { after: "answered", count: 2 },
    ],
  },
  {
    title: "shortly after an answer, and between two",
    kills: [
      { after: "answered", count: 1, wait: 3 },
      { after: "asked", count: 4, wait: 8 },
    ],
  },
  { title: "three times", kills: [2, 4, 6].map((wait) => ({ after: "answered", count: 2, wait })) },
  { title: "with the last answer", kills: [{ after: "answered", count: 8 }] },
  { title: "shortly after the last answer", kills: [{ after: "answered", count: 8, wait: 4 }] },
  {
    title: "when the schema is drafted and no page has used it",
    drafts: true,
    kills: [{ after: "answered", count: 1, wait: 40 }],
  },
  {
    title: "with the first pages of a drafted schema",
    drafts: true,
    kills: [{ after: "answered", count: 3, wait: 8 }],
  },
  {
    title: "twice with a drafted schema",
    drafts: true,
    kills: [
      { after: "answered", count: 4, wait: 6 },
      { after: "asked", count: 2 },
    ],
  },
];

test.each(plans)("killed $title", async ({ kills, drafts }) => {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-extract-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "extract.db");
  const server = await site({
    "/Missing": { status: 404, body: page("Nothing here") },
    "*": ({ url }) => page("Shop").replace("<p>", `<p>The ${url.pathname.slice(1)} costs money.</p><p>`),
  });
  const { baseURL, asked, answered } = await modelServer();
  const urls = [...(drafts ? ["Missing"] : []), ...names].map((name) => `${server.url}/${name}`);
  const request = {
    urls,
    ...(drafts ? { prompt: "all" } : { schema }),
  };
  const counts = { asked, answered };
  let done: string[] = [];
  /** How often each page had been asked for when it was found done. */
  const askedWhenDone = new Map<string, number>();
  const times = (name: string) => asked.filter((one) => one === name).length;
  for (const [index, { after, count, wait = 0 }] of kills.entries()) {
    const goal = counts[after].length + count;
    await runAndKill(
      "extract-kill-child.ts",
      [path, baseURL, index === 0 ? JSON.stringify(request) : ""],
      () => counts[after].length >= goal,
      wait,
    );
    const before = done;
    ({ done } = look(path));
    // Nothing is lost.
    expect(done).toEqual(expect.arrayContaining(before));
    for (const name of done) if (!askedWhenDone.has(name)) askedWhenDone.set(name, times(name));
  }

  const model = createOpenAICompatible({ name: "local", baseURL, apiKey: "k", supportsStructuredOutputs: true });
  const engine = engineFor({ storage: sqliteStorage({ path }), model: model("test-model") });
  const { id } = look(path);
  await engine.resume();
  await expect.poll(async () => (await engine.getExtractStatus(id)).status, { timeout: 20_000 }).toBe("completed");
  for (const [name, count] of askedWhenDone) expect([name, times(name)]).toEqual([name, count]);
  // Of pages that were under way when a process was killed, nothing is known; three are under way at once.
  expect(asked.filter((name) => name !== "draft").length).toBeLessThanOrEqual(names.length + 3 * kills.length);

  const status = await engine.getExtractStatus(id);
  expect(status).toMatchObject({
    success: true,
    data: { products: names.map((name, price) => ({ name, price })) },
    tokensUsed: names.reduce((sum, name) => sum + tokensOf(name), drafts ? tokensOfDraft : 0),
  });
  expect(status.warning).toBe(drafts ? `${urls[0]} answered with status 404.` : undefined);
  expect((await engine.getTokenUsageHistorical()).periods.map(({ totalTokens }) => totalTokens)).toEqual([
    status.tokensUsed,
  ]);
  const { charges } = look(path);
  expect([charges.length, new Set(charges).size]).toEqual([urls.length, urls.length]);
  expect(await engine.resume()).toEqual({ resumed: [] });
});
