/** The process that `extract-kill.test.ts` kills: starts an extract job in a database, or goes on with the one in it. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { createEngine, type ExtractRequest } from "../src/index.ts";

const [path = "", baseURL = "", request = ""] = process.argv.slice(2);
const engine = createEngine({
  storage: sqliteStorage({ path }),
  model: createOpenAICompatible({ name: "local", baseURL, apiKey: "k", supportsStructuredOutputs: true })("test-model"),
  network: { allowHosts: ["127.0.0.1"] },
  limits: { maxConcurrency: 3 },
});
if (request === "") await engine.resume();
else await engine.extract(JSON.parse(request) as ExtractRequest);
await new Promise(() => setInterval(() => {}, 1000));
