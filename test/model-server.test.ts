/** Formats of a model behind an OpenAI-style HTTP server: slow, broken, truncated, refusing, rate-limited. */
import type { ServerResponse } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, test, vi } from "vitest";
import { httpServer } from "./network-server.ts";
import { collectCharges, engineFor, page, site } from "./start-engine.ts";

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly { text: string }[] }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly schema: unknown; readonly strict?: boolean };
  };
}

type Reply = (request: ChatRequest, response: ServerResponse, count: number) => void | Promise<void>;

/** A server for `/chat/completions`, and a model that speaks with it. */
async function modelBehind(reply: Reply, supportsStructuredOutputs = true) {
  const requests: ChatRequest[] = [];
  const server = await httpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push(JSON.parse(body) as ChatRequest);
    await reply(requests.at(-1)!, response, requests.length);
  });
  const baseURL = server.url("/v1");
  const provider = createOpenAICompatible({ name: "local", baseURL, apiKey: "k", supportsStructuredOutputs });
  return { model: provider("test-model"), requests };
}

function say(response: ServerResponse, content: string | null, finish = "stop", more: object = {}): void {
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, message: { role: "assistant", content, ...more }, finish_reason: finish }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 50 },
      },
    }),
  );
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: null } }));
}

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number", minimum: 0 },
    default: { type: "string", format: "date" },
  },
  required: ["name"],
};
const json = { formats: ["json"], jsonOptions: { schema } } as const;

test("the strict schema goes to the provider; a property called like a keyword stays", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response) =>
    say(response, '{"name":"Kettle","price":20,"default":"2026-01-02"}'),
  );
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data.json).toEqual({ name: "Kettle", price: 20, default: "2026-01-02" });
  const format = requests[0]?.response_format;
  expect(format?.type).toBe("json_schema");
  expect(format?.json_schema?.schema).toMatchObject({
    additionalProperties: false,
    required: ["name", "price", "default"],
    properties: { price: { type: ["number", "null"] }, default: { type: ["string", "null"] } },
  });
  expect(JSON.stringify(format)).not.toContain('"minimum"');
});

test("no field is left out of what a provider enforces: fields beside several forms are asked for loosely", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response) => say(response, '{"name":"Kettle","kind":"tool"}'));
  const forms = ["tool", "toy"].map((kind) => ({ properties: { kind: { const: kind } } }));
  const { properties, required } = { properties: { name: { type: "string" } }, required: ["name"] };
  const engine = engineFor({ model });
  for (const schema of [
    { type: "object", properties, required, oneOf: forms },
    { type: "object", properties: { name: { type: "string" }, part: { properties, anyOf: forms } } },
  ]) {
    const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
    expect(data.json).toEqual({ name: "Kettle", kind: "tool" });
    expect(requests.at(-1)!.response_format?.type).toBe("json_object");
  }
});

test("a strict schema is one that providers take: nothing beside a reference, a type with every value, null for each", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response) =>
    say(response, '{"maker":null,"colour":null,"sold":null}'),
  );
  const schema = {
    type: "object",
    nullable: true,
    properties: {
      maker: { $ref: "#/$defs/maker", description: "Who made it" },
      colour: { enum: ["red", "blue"] },
      sold: { type: "string", const: "yes" },
    },
    $defs: { maker: { type: "object", properties: { name: { type: "string" } } } },
  };
  await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect(requests[0]!.response_format?.json_schema?.schema).toMatchObject({
    type: "object",
    properties: {
      maker: { description: "Who made it", anyOf: [{ $ref: "#/$defs/maker" }, { type: "null" }] },
      colour: { type: ["string", "null"], enum: ["red", "blue", null] },
      sold: { anyOf: [{ type: "string", const: "yes" }, { type: "null" }] },
    },
  });
});

test("a property that is called like the wrapper of answers is not taken for it", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const definitions = { reply: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] } };
  const jsonOptions = { schema: { $ref: "#/definitions/reply", definitions } };
  for (const said of ['{"answer":"42"}', '{"answer":{"answer":"42"}}']) {
    const { model } = await modelBehind((_, response) => say(response, said), false);
    const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions });
    expect(data.json).toEqual({ answer: "42" });
  }
});

test("a provider that refuses strict schemas gets the loose form, and is not asked strictly again", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind(({ response_format }, response) => {
    if (response_format?.type === "json_schema") return refuse(response, 400, "Invalid schema for response_format");
    say(response, '{"name":"Kettle"}');
  });
  const engine = engineFor({ model });
  expect((await engine.scrape({ url, ...json })).data.json).toEqual({ name: "Kettle" });
  expect((await engine.scrape({ url, ...json })).data.json).toEqual({ name: "Kettle" });
  expect(requests.map((request) => request.response_format?.type)).toEqual([
    "json_schema",
    "json_object",
    "json_object",
  ]);
  expect(JSON.stringify(requests[1]!.messages)).toContain("JSON Schema");
});

test("one schema that a provider refuses does not cost others their strict form", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind(({ response_format }, response) => {
    if (JSON.stringify(response_format).includes("odd")) return refuse(response, 400, "Invalid schema");
    say(response, '{"name":"Kettle"}');
  });
  const engine = engineFor({ model });
  const odd = { type: "object", properties: { name: { type: "string", description: "odd" } } };
  await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: odd } });
  await engine.scrape({ url, ...json });
  expect(requests.map((request) => request.response_format?.type)).toEqual([
    "json_schema",
    "json_object",
    "json_schema",
  ]);
});

test.each([
  ["that has never taken a strict schema is asked for a fourth one loosely", false, 7],
  ["that has taken one is asked strictly for each that is new", true, 9],
])("a provider %s", async (_, takesOne, most) => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind(({ response_format }, response) => {
    const isRefused = response_format?.type === "json_schema" && !JSON.stringify(response_format).includes("plain");
    if (isRefused) return refuse(response, 400, "Invalid schema for response_format");
    say(response, '{"name":"Kettle"}');
  });
  const engine = engineFor({ model });
  for (const description of [...(takesOne ? ["plain"] : []), "one", "two", "three", "four"]) {
    const schema = { type: "object", properties: { name: { type: "string", description } } };
    const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
    expect(data.json).toEqual({ name: "Kettle" });
  }
  expect(requests).toHaveLength(most);
});

test("a provider whose JSON mode knows only objects is asked for a list within one", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const list = [{ name: "Kettle", "weight in kg": 1 }];
  const { model } = await modelBehind(({ messages, response_format }, response) => {
    const isTold = /of one key, \W*answer/.test(JSON.stringify(messages));
    say(response, JSON.stringify(response_format === undefined ? list : { [isTold ? "answer" : "items"]: list }));
  });
  // Maps cannot be asked for strictly.
  const schema = { type: "array", items: { type: "object", additionalProperties: { type: ["string", "number"] } } };
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([list, undefined]);
});

test("a provider without any JSON mode is asked for text", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind(({ response_format }, response) => {
    if (response_format !== undefined && response_format.type !== "text")
      return refuse(response, 422, "unknown field response_format");
    say(response, 'Sure!\n```json\n{"name": "Kettle"}\n```');
  });
  expect((await engineFor({ model }).scrape({ url, ...json })).data.json).toEqual({ name: "Kettle" });
});

test("a rate limit is waited for as the server asks", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response, count) => {
    if (count < 3) return refuse(response, 429, "slow down", { "retry-after-ms": "30" });
    say(response, '{"name":"Kettle"}');
  });
  expect((await engineFor({ model }).scrape({ url, ...json })).data.json).toEqual({ name: "Kettle" });
  expect(requests).toHaveLength(3);
});

test("pages that a rate limit turns away again and again come next, as long as others are answered", async () => {
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
  const { url } = await site(Object.fromEntries(paths.map((path) => [path, page(`Kettle ${path}`)])));
  const started = performance.now();
  let answers = 0;
  const { model } = await modelBehind((_, response) => {
    if (answers > 2 * ((performance.now() - started) / 1000)) {
      return refuse(response, 429, "Rate limit reached", { "retry-after-ms": "20", "retry-after": "0.1" });
    }
    answers++;
    say(response, '{"name":"Kettle"}');
  });
  const job = await engineFor({ model }).batchScrape({ urls: paths.map((path) => url + path), ...json });
  const { data } = await job.wait();
  expect(data.map(({ json, warning }) => [json, warning])).toEqual(paths.map(() => [{ name: "Kettle" }, undefined]));
});

test("a model that turns callers away leaves its turns to others", async () => {
  const { url } = await site({ "/": page("Kettle") });
  let isOtherAnswered = false;
  const busy = await modelBehind((_, response, count) => {
    if (count > 1 && !isOtherAnswered)
      return refuse(response, 429, "slow down", { "retry-after-ms": "10", "retry-after": "0.2" });
    say(response, '{"name":"Kettle"}');
  });
  const other = await modelBehind((_, response) => say(response, '{"name":"Other"}'));
  const engine = engineFor({ model: busy.model, limits: { modelConcurrency: 1 } });
  await engine.scrape({ url, ...json });
  const turnedAway = engine.scrape({ url, ...json });
  await expect.poll(() => busy.requests.length).toBeGreaterThan(1);
  const { data } = await engine.scrape({ url, ...json, timeout: 60_000 }, { team: "other", model: other.model });
  isOtherAnswered = true;
  expect(data.json).toEqual({ name: "Other" });
  expect((await turnedAway).data.json).toEqual({ name: "Kettle" });
});

test("a model that goes on turning a caller away is asked for as long as one answer may take", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response, count) => {
    if (count > 1) return refuse(response, 429, "slow down", { "retry-after-ms": "10", "retry-after": "0.2" });
    say(response, '{"name":"Kettle"}');
  });
  const engine = engineFor({ model, limits: { modelTimeoutMs: 3000 } });
  await engine.scrape({ url, ...json });
  const { data } = await engine.scrape({ url, ...json });
  // The last try may be cut off by the end of that time.
  expect(data).toMatchObject({ json: null, warning: expect.stringMatching(/slow down|no answer within 3000 ms/) });
  // Not just by the tries of the AI SDK.
  expect(requests.length).toBeGreaterThan(4);
});

test("a server that stays out of order leaves null and a warning", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind((_, response) => refuse(response, 503, "overloaded", { "retry-after-ms": "10" }));
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("503") });
});

test("an answer that breaks off is asked for in smaller parts", async () => {
  const rows = Array.from(
    { length: 120 },
    (_, index) => `<p>Item item-${index} is a thing with a long description of its own.</p>`,
  ).join("");
  const { url } = await site({ "/": `<html><title>All</title><body><main><h1>All</h1>${rows}</main></body></html>` });
  const { model, requests } = await modelBehind(({ messages }, response) => {
    const names = [...new Set(JSON.stringify(messages).match(/item-\d+/g) ?? [])];
    const text = JSON.stringify({ names });
    if (names.length > 80) say(response, text.slice(0, 300), "length");
    else say(response, text);
  });
  const list = {
    type: "object",
    properties: { names: { type: "array", items: { type: "string" } } },
    required: ["names"],
  };
  const { billing, charges } = collectCharges();
  const engine = engineFor({ model, billing });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: list } });
  expect((data.json as { names: string[] }).names).toHaveLength(120);
  expect(requests).toHaveLength(3);
  await vi.waitFor(() => expect(charges.map(({ tokens }) => tokens)).toEqual([360]), { timeout: 20_000 });
});

test.each([413, 400])(
  "a page that is longer than the model's window, status %i, is read in smaller parts",
  async (status) => {
    const rows = Array.from(
      { length: 300 },
      (_, index) => `<p>Item item-${index} is a thing of its own, with words.</p>`,
    );
    const { url } = await site({ "/": `<html><body><main><h1>All</h1>${rows.join("")}</main></body></html>` });
    const { model, requests } = await modelBehind(({ messages }, response) => {
      const names = [...new Set(JSON.stringify(messages).match(/item-\d+/g) ?? [])];
      if (names.length > 200) return refuse(response, status, "Request body too large. Max size: 8000 tokens.");
      say(response, JSON.stringify({ names }));
    });
    const list = { type: "object", properties: { names: { type: "array", items: { type: "string" } } } };
    const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: list } });
    expect((data.json as { names: string[] }).names).toHaveLength(300);
    expect(data.warning).toBeUndefined();
    expect(requests).toHaveLength(status === 413 ? 3 : 5);
  },
);

test("a key that is refused as a bad request is asked with once, and what is said of it goes nowhere", async () => {
  const words = Array.from({ length: 1500 }, (_, index) => `<p>Sentence ${index} of a long page about kettles.</p>`);
  const { url } = await site({ "/": `<html><body><main>${words.join("")}</main></body></html>` });
  const { model, requests } = await modelBehind((_, response) =>
    refuse(response, 400, "Incorrect API key provided: sk-1234."),
  );
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data).toMatchObject({
    json: null,
    warning: "The model could not be asked: status 400: the provider refuses access.",
  });
  expect(requests).toHaveLength(1);
});

test("what a gateway repeats of the request's secrets is left out of the warning", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind((_, response) =>
    refuse(
      response,
      402,
      "No credit for Authorization: Bearer sk-12345 at https://me:sk-12345@up.example/?key=sk-12345",
    ),
  );
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data.warning).toContain("status 402: No credit");
  expect(data.warning).not.toContain("sk-12345");
});

test("an empty answer is asked for once more", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response, count) =>
    say(response, count === 1 ? "" : '{"name":"Kettle"}'),
  );
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data.json).toEqual({ name: "Kettle" });
  // Many servers take no empty turn of the model.
  expect(requests[1]!.messages).toEqual(requests[0]!.messages);
  const silent = await modelBehind((_, response) => say(response, null));
  expect((await engineFor({ model: silent.model }).scrape({ url, ...json })).data).toMatchObject({
    json: null,
    warning: expect.stringContaining("no answer"),
  });
  expect(silent.requests).toHaveLength(2);
});

test("an answer that breaks off without a word is not taken for a whole one", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const list = { type: "object", properties: { names: { type: "array", items: { type: "string" } } } };
  const options = { formats: ["json"], jsonOptions: { schema: list } } as const;
  const part = '{"names":["Kettle","Te';
  const once = await modelBehind((_, response, count) =>
    say(response, count === 1 ? part : '{"names":["Kettle","Tea"]}'),
  );
  const { data } = await engineFor({ model: once.model }).scrape({ url, ...options });
  expect(data.json).toEqual({ names: ["Kettle", "Tea"] });
  expect(data.warning).toBeUndefined();
  const always = await modelBehind((_, response) => say(response, part));
  expect((await engineFor({ model: always.model }).scrape({ url, ...options })).data).toMatchObject({
    json: { names: expect.arrayContaining(["Kettle"]) },
    warning: expect.stringContaining("broke off"),
  });
});

test("a refusal and a broken body are told from an answer", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const refusing = await modelBehind((_, response) => say(response, null, "content_filter"));
  expect(await engineFor({ model: refusing.model }).scrape({ url, ...json })).toMatchObject({
    data: { json: null },
    warning: expect.stringContaining("no answer"),
  });
  const broken = await modelBehind(
    (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [') as unknown as undefined,
  );
  expect((await engineFor({ model: broken.model }).scrape({ url, ...json })).data.json).toBeNull();
  const talking = await modelBehind((_, response) => say(response, "I would rather not."));
  const { data } = await engineFor({ model: talking.model }).scrape({ url, ...json });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("no JSON") });
  expect(talking.requests).toHaveLength(2);
});

test("an abort reaches the connection of the model", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const closed = Promise.withResolvers<void>();
  const { model } = await modelBehind((_, response) => {
    response.on("close", () => closed.resolve());
  });
  const controller = new AbortController();
  const call = engineFor({ model }).scrape({ url, ...json }, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 300);
  await expect(call).rejects.toThrow("enough");
  await closed.promise;
});

const long = `{"name":"Kettle","about":"${"steel ".repeat(4000)}"}`;

test.each([
  ["drafts in its thoughts", '<think>Say {"name":"Draft"}? Or {name}.</think>\n{"name":"Kettle"}'],
  [
    "drafts whose opening mark was part of the question",
    'Say {"name":"Draft","x":"a draft of some length"}?</think>\n{"name":"Kettle"}',
  ],
  ["a mark of thoughts in a text", 'So:\n```json\n{"name":"Kettle","about":"ends with </think>"}\n```'],
  ["brackets in the talk", 'Note [1]: {in EUR}.\n{"name":"Kettle"}\nSee [2], and "more".'],
  ["a fence and talk with brackets", 'Here:\n\n```json\n{"name":"Kettle"}\n```\nHope {this} helps.'],
  ["a corrected fence", '```json\n{"name":"Draft"}\n```\nCorrected:\n```json\n{"name":"Kettle"}\n```'],
  ["talk around a long answer", `Here it is:\n\n${long}\n\nDone.`],
  ["a fence around a long answer", `Here it is:\n\n\`\`\`json\n${long}\n\`\`\`\nDone.`],
])("the answer is found beside %s, at the first try", async (_, text) => {
  const { url } = await site({ "/": page("Kettle") });
  const { model, requests } = await modelBehind((_, response) => say(response, text));
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data.json).toMatchObject({ name: "Kettle" });
  expect(requests).toHaveLength(1);
});

test("a number that no JSON can hold is no number", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind((_, response) => say(response, '{"name":"Kettle","price":1e999}'));
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("price must be number") });
});

test("a rate limit is waited for until the date that the server names", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind((_, response, count) => {
    const until = new Date(Date.now() + 2000).toUTCString();
    if (count > 1 && count < 5)
      return refuse(response, 429, "slow down", { "retry-after-ms": "10", "retry-after": until });
    say(response, '{"name":"Kettle"}');
  });
  const engine = engineFor({ model, limits: { modelTimeoutMs: 3500 } });
  await engine.scrape({ url, ...json });
  expect((await engine.scrape({ url, ...json })).data.json).toEqual({ name: "Kettle" });
});

test("a server that breaks down over a strict schema gets the loose form", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { model } = await modelBehind(({ response_format }, response) => {
    if (response_format?.type === "json_schema")
      return refuse(response, 500, "grammar failed", { "retry-after-ms": "10" });
    say(response, '{"name":"Kettle"}');
  });
  const { data } = await engineFor({ model }).scrape({ url, ...json });
  expect([data.json, data.warning]).toEqual([{ name: "Kettle" }, undefined]);
});
