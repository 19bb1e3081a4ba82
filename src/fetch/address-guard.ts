/**
 * Decides which addresses the engine may connect to.
 *
 * A URL can name an internal host directly, in an odd spelling, by a redirect, or by a name whose DNS answer changes
 * between a check and its use. So nothing is decided by URL: the guard resolves a name and hands out only permitted
 * addresses, and whoever opens a socket connects to exactly those.
 */
import { isIP } from "node:net";
import { RequestError, ScrapeError } from "../errors.ts";
import type { HostAddress, Lookup, NetworkOptions } from "../network-options.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { type Address, type AddressRange, isGlobalUnicast, isIn, parseAddress, parseRange } from "./address-ranges.ts";
import { withDeadline } from "./deadline.ts";
import { createSystemLookup } from "./system-lookup.ts";

/** How long one look-up may take; if a proxy is used, nothing else limits it. */
const lookupTimeoutMs = 10_000;

export interface AddressGuard {
  /**
   * The addresses of a host (a name, or a literal address with or without brackets) that may be connected to; at least
   * one. Rejects with `FORBIDDEN_ADDRESS` when there are only others, with `SCRAPE_DNS_RESOLUTION_ERROR` when there
   * are none, and with the signal's reason.
   */
  resolve(hostname: string, signal?: AbortSignal): Promise<readonly HostAddress[]>;
}

/**
 * Creates the guard of one engine. Throws `BAD_REQUEST` for an entry of `allowHosts` that is no name, address or range.
 */
export function createAddressGuard(
  options: Pick<NetworkOptions, "allowPrivateAddresses" | "allowHosts" | "lookup"> = {},
): AddressGuard {
  const allowed = parseAllowedHosts(options.allowHosts ?? []);
  const lookup = options.lookup ?? createSystemLookup();

  function permits(address: Address): boolean {
    return options.allowPrivateAddresses === true || isGlobalUnicast(address) || isIn(address, allowed.ranges);
  }

  return {
    async resolve(hostname, signal) {
      signal?.throwIfAborted();
      const host = bareHost(hostname);
      const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveName(host, lookup, signal);
      if (allowed.matches(host)) return found;
      const permitted = found.filter(({ address }) => {
        const parsed = parseAddress(address);
        return parsed !== undefined && permits(parsed);
      });
      if (permitted.length === 0) {
        throw new RequestError(
          "FORBIDDEN_ADDRESS",
          `${host} is not a public address; to permit it, name it in the engine's option network.allowHosts`,
        );
      }
      return permitted;
    },
  };
}

/** Resolves a name with the given function, without checking the addresses. */
export async function resolveName(host: string, lookup: Lookup, signal?: AbortSignal): Promise<readonly HostAddress[]> {
  // Whatever waits for the page keeps the process alive; a look-up that hangs must not do so once nothing waits any
  // more.
  const deadline = withDeadline(signal, lookupTimeoutMs, false);
  let cause: unknown;
  try {
    const answers = await orAborted((async () => lookup(host))(), deadline.signal);
    // A host's own function is not trusted to return only addresses: a name here would be resolved again, unchecked.
    const addresses = answers.map(({ address }) => ({ address, family: isIP(address) }));
    const usable = addresses.filter(({ family }) => family !== 0);
    if (usable.length > 0) return usable;
  } catch (error) {
    signal?.throwIfAborted();
    cause = error;
  } finally {
    deadline.dispose();
  }
  throw new ScrapeError("SCRAPE_DNS_RESOLUTION_ERROR", `The host name ${host} could not be resolved`, {
    cause,
    retryable: deadline.signal.aborted || (cause as { code?: unknown } | undefined)?.code === "EAI_AGAIN",
  });
}

function bareHost(hostname: string): string {
  const host = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return (host.endsWith(".") ? host.slice(0, -1) : host).toLowerCase();
}

interface AllowedHosts {
  readonly ranges: readonly AddressRange[];
  matches(host: string): boolean;
}

function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Set<string>();
  const suffixes: string[] = [];
  const ranges: AddressRange[] = [];
  for (const [index, entry] of entries.entries()) {
    const { range, name, isSuffix } = readAllowedHost(entry);
    if (range !== undefined) ranges.push(range);
    else if (name === undefined) {
      throw new RequestError("BAD_REQUEST", `network.allowHosts[${index}] ${allowedHostProblem(entry)}`);
    } else if (isSuffix) suffixes.push(`.${name}`);
    else names.add(name);
  }
  return { ranges, matches: (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(suffix)) };
}

function readAllowedHost(entry: string): { range?: AddressRange; name?: string; isSuffix: boolean } {
  const text = bareHost(entry.trim());
  const isSuffix = text.startsWith("*.");
  const range = parseRange(text);
  if (range !== undefined) return { range, isSuffix };
  const name = asciiName(isSuffix ? text.slice(2) : text);
  return name === undefined ? { isSuffix } : { name, isSuffix };
}

/** What is wrong with an entry of `allowHosts`; undefined if it can be used. */
export function allowedHostProblem(entry: string): string | undefined {
  const { range, name } = readAllowedHost(entry);
  return range === undefined && name === undefined ? "is not a host name, an address or a range" : undefined;
}

/** The name in the form that URLs have (`xn--…`); undefined if it is no bare host name. */
function asciiName(text: string): string | undefined {
  return /[\s/\\:@?#*]/.test(text) ? undefined : URL.parse(`http://${text}`)?.hostname;
}
