/** Chooses one of the host's proxies for a request, remembers which of them fail, and then tries another. */

import { CrawlcoreError, RequestError } from "../errors.ts";
import type { ProxyPool } from "../options.ts";
import type { FetchRequest } from "../ports/fetcher.ts";
import { parseHttpUrl } from "../shared/http-url.ts";
import { insteadOf } from "../shared/instead-of.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { proxyFault } from "./error-marks.ts";

type Tier = FetchRequest["proxy"];
type ProxyFunction = Extract<ProxyPool, (...parameters: never) => unknown>;
type ProxyLists = Exclude<ProxyPool, ProxyFunction>;

/** What the choice of a proxy depends on. */
type ProxiedRequest = Pick<FetchRequest, "url" | "signal"> & {
  readonly proxy: Tier;
  readonly location?: FetchRequest["location"] | undefined;
};

export interface Proxies {
  /** Whether there are proxies for the tier. */
  has(tier: Tier): boolean;
  /** Runs an attempt through a proxy for the request, and through others if the proxy itself is at fault. */
  through<Value>(request: ProxiedRequest, attempt: (proxy: string | undefined) => Promise<Value>): Promise<Value>;
}

/** Which proxies have failed lately. */
interface Health {
  /** Until when the proxy is to rest; 0 for one that works. */
  restsUntil(proxy: string): number;
  failed(proxy: string): void;
  worked(proxy: string): void;
}

/** Most proxies tried for one request. */
const maxTries = 3;
/** How long a proxy rests after a failure; the time doubles with each further failure. */
const restMs = 5_000;
const longestRestMs = 10 * 60_000;
/** A function may name any number of proxies. */
const maxRemembered = 1_000;

export function createProxies(pool: ProxyPool | undefined): Proxies {
  const health = createHealth();
  const turns = new Map<string, number>();

  function listFor(request: ProxiedRequest): { name: string; proxies: readonly string[] } {
    if (pool === undefined || typeof pool === "function") return { name: "", proxies: [] };
    const country = request.location?.country;
    const local = country === undefined ? [] : proxiesIn(pool, country);
    if (local.length > 0) return { name: `in ${country}`, proxies: local };
    return { name: request.proxy, proxies: pool[request.proxy] ?? [] };
  }

  /** The next proxy in turn that is not resting; if all are, the one whose rest ends first. */
  function next({ name, proxies }: { name: string; proxies: readonly string[] }, tried: ReadonlySet<string>) {
    const untried = proxies.filter((proxy) => !tried.has(proxy));
    const now = Date.now();
    const fit = untried.filter((proxy) => health.restsUntil(proxy) <= now);
    if (fit.length === 0) {
      return untried.toSorted((one, other) => health.restsUntil(one) - health.restsUntil(other))[0];
    }
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    return fit[turn % fit.length];
  }

  async function ask(choose: ProxyFunction, request: ProxiedRequest): Promise<string | undefined> {
    const { url, proxy: tier, signal } = request;
    const country = request.location?.country;
    try {
      const chosen = Promise.resolve(choose({ url, tier, ...(country === undefined ? {} : { country }) }));
      return readAnswer(await orAborted(chosen, signal));
    } catch (cause) {
      signal.throwIfAborted();
      if (CrawlcoreError.isInstance(cause)) throw cause;
      throw new RequestError("UNSUPPORTED", "The engine's proxies function failed", { cause });
    }
  }

  async function throughOne<Value>(
    request: ProxiedRequest,
    attempt: (proxy: string | undefined) => Promise<Value>,
  ): Promise<Value> {
    const tried = new Set<string>();
    const choose = (): Promise<string | undefined> | string | undefined =>
      typeof pool === "function" ? ask(pool, request) : next(listFor(request), tried);
    for (let proxy = await choose(); ; ) {
      if (proxy === undefined) return attempt(undefined);
      tried.add(proxy);
      try {
        const value = await attempt(proxy);
        health.worked(proxy);
        return value;
      } catch (error) {
        if (!proxyFault.isOn(error)) throw error;
        health.failed(proxy);
        if (tried.size >= maxTries) throw error;
        proxy = await choose();
        // No proxy of the list is left; or the function has no other, or wants no proxy for the page.
        if (proxy === undefined ? typeof pool !== "function" : tried.has(proxy)) throw error;
      }
    }
  }

  return {
    has: (tier) => typeof pool === "function" || (pool?.[tier]?.length ?? 0) > 0,
    through: (request, attempt) => (pool === undefined ? attempt(undefined) : throughOne(request, attempt)),
  };
}

/** What a function of the host has chosen. The message does not repeat a URL, which may hold a password. */
function readAnswer(chosen: unknown): string | undefined {
  if (chosen === null || chosen === undefined) return undefined;
  if (typeof chosen === "string" && parseHttpUrl(chosen) !== null) return chosen;
  throw new RequestError(
    "UNSUPPORTED",
    `The engine's proxies function must give http://[user:password@]host:port, https://… or null, not ${insteadOf(chosen)}`,
  );
}

function createHealth(): Health {
  const resting = new Map<string, { readonly failures: number; readonly since: number; readonly until: number }>();
  return {
    restsUntil(proxy) {
      const rest = resting.get(proxy);
      // A rest that begins in the future was noted before the time of day was set back.
      return rest === undefined || rest.since > Date.now() ? 0 : rest.until;
    },
    failed(proxy) {
      const failures = (resting.get(proxy)?.failures ?? 0) + 1;
      resting.delete(proxy);
      if (resting.size >= maxRemembered) resting.delete(resting.keys().next().value!);
      const since = Date.now();
      const until = since + Math.min(restMs * 2 ** (failures - 1), longestRestMs);
      resting.set(proxy, { failures, since, until });
    },
    worked: (proxy) => void resting.delete(proxy),
  };
}

function proxiesIn(pool: ProxyLists, country: string): readonly string[] {
  // The host may have written it in small letters, too.
  return Object.entries(pool.byCountry ?? {}).find(([code]) => code.toUpperCase() === country)?.[1] ?? [];
}
