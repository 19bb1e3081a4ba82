/** A storage with a call that is never answered: after two minutes it counts as failed, and jobs and deliveries go on. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type JobEvent, memoryStorage, type Storage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const twoMinutes = 120_000;
const { setTimeout: waitReally } = globalThis;

// For all tests of the file, which run side by side: two minutes are half a second, and all other times what they are.
beforeAll(() => {
  globalThis.setTimeout = Object.assign(
    (act: (...values: unknown[]) => void, milliseconds?: number, ...values: unknown[]) =>
      waitReally(act, milliseconds === twoMinutes ? 500 : milliseconds, ...values),
    waitReally,
  );
});
afterAll(() => {
  globalThis.setTimeout = waitReally;
});

/** A part of a storage that never answers to the first call of one method. */
function hangingOnce<Part extends object>(part: Part, method: string): { part: Part; calls: () => number } {
  let calls = 0;
  const hanging = new Proxy(part, {
    get(target, name) {
      const given: unknown = Reflect.get(target, name);
      if (name !== method || typeof given !== "function") return given;
      return (...call: unknown[]) => (++calls === 1 ? new Promise(() => {}) : given.apply(target, call));
    },
  });
  return { part: hanging, calls: () => calls };
}

const methods: readonly (readonly ["jobs" | "outbox", string])[] = [
  ["jobs", "getJob"],
  ["jobs", "claimPages"],
  ["jobs", "completePage"],
  ["jobs", "finishExpansion"],
  ["jobs", "closeJob"],
  ["outbox", "take"],
  ["outbox", "nextDue"],
  ["outbox", "settle"],
];

test.concurrent.each(methods)("%s.%s", async (name, method) => {
  const storage = memoryStorage();
  const { part, calls } = hangingOnce(storage[name], method);
  const events = new Map<string, JobEvent["type"]>();
  const server = await site({ "/": page("home", ["/a"]), "/a": page("a") }, () => {});
  const engine = engineFor(
    { storage: { ...storage, [name]: part } as Storage, events: { emit: ({ id, type }) => void events.set(id, type) } },
    () => {},
  );
  await engine.crawl({ url: server.url, ignoreSitemap: true });
  const whole = ["crawl.started", "crawl.page", "crawl.page", "crawl.completed"];
  await vi.waitFor(() => expect([...events.values()]).toEqual(whole), { timeout: 20_000 });
  expect(calls()).toBeGreaterThan(1);
  await engine.close();
  await server.close();
});
