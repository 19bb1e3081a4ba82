/** A system whose look-ups of names stand still, because all of its threads wait for servers that do not answer. */
import { expect, onTestFinished, test, vi } from "vitest";
import { createEngine } from "../src/index.ts";
import { httpServer } from "./network-server.ts";

const asked = vi.hoisted(() => ({ system: [] as string[], nameServers: [] as string[] }));

vi.mock("node:dns/promises", () => ({
  lookup: (name: string) => {
    asked.system.push(name);
    if (name === "unknown.test") return Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
    return new Promise(() => {});
  },
  Resolver: class {
    async resolve4(name: string) {
      asked.nameServers.push(name);
      if (name === "silent.test") return new Promise(() => {});
      return ["127.0.0.1"];
    }
    async resolve6(name: string) {
      if (name === "silent.test") return new Promise(() => {});
      throw Object.assign(new Error("no data"), { code: "ENODATA" });
    }
    cancel() {}
  },
}));

test("finds the names whose servers do, the others fail, and what the system knows not to be there at once", async () => {
  const site = await httpServer((_, response) => response.end("<h1>Here</h1><p>Some text to read.</p>"));
  const engine = createEngine({ network: { allowPrivateAddresses: true }, browser: false });
  onTestFinished(() => engine.close());
  const hosts = ["silent.test", "one.test", "two.test", "unknown.test"];
  const outcomes = await Promise.all(
    hosts.map((host) =>
      engine.scrape({ url: site.url("/", host), timeout: host === "silent.test" ? 6_000 : 60_000 }).then(
        ({ data }) => data.markdown?.split("\n")[0],
        (error) => error.code,
      ),
    ),
  );
  expect(outcomes).toEqual(["SCRAPE_TIMEOUT", "# Here", "# Here", "SCRAPE_DNS_RESOLUTION_ERROR"]);
  expect(asked.nameServers).not.toContain("unknown.test");
  // What the system has not answered is not asked of it once more.
  await engine.scrape({ url: site.url("/again", "one.test") });
  expect(asked.system.filter((name) => name === "one.test")).toHaveLength(1);
});

test("names are still guarded", async () => {
  const engine = createEngine({ browser: false });
  onTestFinished(() => engine.close());
  const failure = await engine.scrape({ url: "http://inside.test/", timeout: 60_000 }).catch((error) => error.code);
  expect(failure).toBe("FORBIDDEN_ADDRESS");
});
