/**
 * Resolves names as the operating system does, and asks the name servers directly if that takes long.
 *
 * Node has two threads for the system's look-ups, shared by the whole process. Two names whose servers do not answer
 * occupy both of them for ten seconds, and if a job has more of them, no other name can be resolved.
 */
import { lookup, Resolver } from "node:dns/promises";
import type { HostAddress, Lookup } from "../network-options.ts";

interface Pending {
  readonly answer: Promise<readonly HostAddress[]>;
  readonly since: number;
}

/** Milliseconds after which the name servers are asked as well. */
const patienceMs = 1_000;
/**
 * Milliseconds that a name server has for its first answer, and how often it is asked. The system waits longer than
 * both.
 */
const nameServers = { timeout: 2_000, tries: 2 };

/** Creates a function that asks the system only once for a name, however many callers wait for it. */
export function createSystemLookup(): Lookup {
  const pending = new Map<string, Pending>();

  function askSystem(name: string): Pending {
    const known = pending.get(name);
    if (known !== undefined) return known;
    const answer = lookup(name, { all: true }).finally(() => pending.delete(name));
    const asked = { answer, since: performance.now() };
    pending.set(name, asked);
    return asked;
  }

  return async (name) => {
    const { answer, since } = askSystem(name);
    const quick = await beforeLong(answer, since + patienceMs - performance.now());
    if (quick !== undefined) return quick;
    const resolver = new Resolver(nameServers);
    try {
      return await Promise.any([answer, askNameServers(resolver, name)]);
    } catch {
      return await answer; // What the system says is wrong counts.
    } finally {
      resolver.cancel();
    }
  };
}

/** The promise's value if it resolves within this time, otherwise undefined. */
async function beforeLong<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds), undefined);
  });
  try {
    return await Promise.race([promise, patience]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects if no server knows an address. */
async function askNameServers(resolver: Resolver, name: string): Promise<HostAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [four, six].flatMap((answers, index) =>
    answers.status === "fulfilled" ? answers.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (found.length === 0) throw new Error(`No name server knows an address of ${name}`);
  return found;
}
