/** Billings and event sinks keep the contracts of their ports: the package's own, and those a host might write. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "vitest";
import { prepaidBilling } from "../examples/prepaid-billing.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { webhookSender } from "../src/drivers/webhook.ts";
import { createConnectors } from "../src/fetch/connectors.ts";
import { createHttpClient } from "../src/fetch/http-client.ts";
import { type JobEvent, ledgerBilling, memoryStorage } from "../src/index.ts";
import { testBilling, testEventSink } from "../src/testing/index.ts";

describe.each([
  ["memory", () => memoryStorage()],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
])("billing by the ledger in %s", (_, createStorage) => {
  testBilling({
    test,
    refuses: false,
    create() {
      const storage = createStorage();
      const billing = ledgerBilling(storage.ledger);
      const spent = async (team: string) =>
        (await billing.usage({ team, byApiKey: false })).reduce((sum, { credits }) => sum + credits, 0);
      return { billing, spent, close: () => storage.close() };
    },
  });
});

describe("a host's own billing", () => {
  testBilling({
    test,
    refuses: true,
    create() {
      const credits = new Map(["team-a", "team-b"].map((team) => [team, 100]));
      return { billing: prepaidBilling(credits), spent: (team) => 100 - (credits.get(team) ?? 0) };
    },
  });
});

describe("an event sink that is a callback", () => {
  testEventSink({
    test,
    create() {
      const events: JobEvent[] = [];
      return { sink: { emit: (event) => void events.push(event) }, arrived: () => events };
    },
  });
});

describe("an event sink that is a webhook", () => {
  testEventSink({
    test,
    async create() {
      const arrived: { type: JobEvent["type"]; jobId: string }[] = [];
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { type, id } = JSON.parse(Buffer.concat(chunks).toString());
        arrived.push({ type, jobId: id });
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const network = { allowHosts: ["127.0.0.1"] };
      const client = createHttpClient(createConnectors(network), network);
      const settings = { signatureHeader: "X-Service-Signature", retryDelays: [], timeoutMs: 5000, userAgent: "test" };
      const sender = webhookSender({ ...settings, client, secret: "s" });
      const emit = (event: JobEvent) => {
        const payload = JSON.stringify({ url, headers: {}, event });
        return sender.deliver({ payload, document: null, team: event.team }, new AbortController().signal);
      };
      const close = async () => {
        await client.close();
        server.closeAllConnections();
        server.close();
      };
      return { sink: { emit }, arrived: () => arrived, close };
    },
  });
});
