/** Opens sockets, directly or through a proxy, to addresses that the guard permits. The only place that does. */
import { constants, X509Certificate } from "node:crypto";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, DEFAULT_CIPHERS, getCACertificates, type SecureContext } from "node:tls";
import { RequestError, ScrapeError } from "../errors.ts";
import type { HostAddress, NetworkOptions } from "../network-options.ts";
import { parseHttpUrl } from "../shared/http-url.ts";
import { type AddressGuard, createAddressGuard, resolveName } from "./address-guard.ts";
import { addressUnreached, proxyFault } from "./error-marks.ts";
import { causeCode } from "./network-errors.ts";
import { type Connector, type ConnectTarget, socketOpener } from "./open-socket.ts";
import { askProxy } from "./proxy-handshake.ts";
import { createSystemLookup } from "./system-lookup.ts";

/** The way to an origin. */
export interface Route {
  readonly skipTlsVerification: boolean;
  /** URL of a proxy to tunnel through. */
  readonly proxy?: string | undefined;
}

/** Returns the connector of a route; throws `BAD_REQUEST` for a proxy URL that cannot be used. */
export type ConnectorOf = (route: Route) => Connector;

/**
 * Old servers answer browsers, and should answer here: those that do not know how to renegotiate safely, although nothing
 * is renegotiated, and those that would choose Diffie-Hellman with numbers too small for OpenSSL, which no browser offers.
 */
const asBrowsers = {
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
} as const;

/** Milliseconds for a proxy's answer. */
const proxyAnswerMs = 10_000;
/** Most addresses of a host for which a proxy is asked. */
const maxAddresses = 3;

/**
 * Everything that opens sockets in one engine shares what this returns.
 *
 * @throws RequestError `BAD_REQUEST` when `allowHosts` or `ca` cannot be used
 */
export function createConnectors(network: NetworkOptions): ConnectorOf {
  const { lookup: lookUpProxy = createSystemLookup(), ca } = network;
  const guard = createAddressGuard(network);
  const secureContext = ca === undefined ? undefined : contextTrusting(ca);
  const lookup = lookupWith((host) => guard.resolve(host));
  // Two of them, because a TLS session made without verification must never be resumed where verification is wanted.
  const verified = socketOpener({ ...asBrowsers, secureContext, lookup });
  const unverified = socketOpener({ ...asBrowsers, secureContext, lookup, rejectUnauthorized: false });
  // A proxy is the host program's own choice, so it is not subject to the guard; what lies behind it is.
  const toProxy = socketOpener({ secureContext, lookup: lookupWith((host) => resolveName(host, lookUpProxy)) });

  return ({ skipTlsVerification, proxy }) => {
    const open = skipTlsVerification ? unverified : verified;
    if (proxy === undefined) {
      return async (target, begun) => {
        // Sockets look up only names, so a literal address has to be checked here.
        if (isIP(target.hostname)) await guard.resolve(target.hostname);
        return open(withServerName(target), begun);
      };
    }
    const proxyUrl = parseProxy(proxy);
    async function tunnel({ address, family }: HostAddress, target: ConnectTarget, begun: (socket: Socket) => void) {
      const socket = await toProxy(connectTargetOf(proxyUrl), begun).catch((cause) => {
        const message = `The proxy ${proxyUrl.host} could not be reached (${causeCode(cause) || "no code"})`;
        throw proxyFault.put(new ScrapeError("SCRAPE_SITE_ERROR", message, { cause, retryable: true }));
      });
      try {
        await askProxy(socket, {
          authority: `${family === 6 ? `[${address}]` : address}:${portOf(target)}`,
          proxy: proxyUrl,
          timeoutMs: proxyAnswerMs,
        });
        if (target.protocol !== "https:") return socket;
        return await open({ ...withServerName(target), httpSocket: socket }, begun);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    }
    return async (target, begun) => {
      // The proxy gets an address instead of the name: its own resolution might lead to another address than the one
      // checked.
      const addresses = await guard.resolve(target.hostname);
      let failure: unknown;
      for (const address of addresses.toSorted((one, other) => one.family - other.family).slice(0, maxAddresses)) {
        try {
          return await tunnel(address, target, begun);
        } catch (error) {
          if (!addressUnreached.isOn(error)) throw error;
          failure = error;
        }
      }
      throw failure;
    };
  };
}

/** `example.com.` is the name `example.com` in TLS. */
function withServerName(target: ConnectTarget): ConnectTarget {
  return target.hostname.endsWith(".") ? { ...target, servername: target.hostname.slice(0, -1) } : target;
}

function lookupWith(resolve: AddressGuard["resolve"]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error) => callback(error, []),
    );
  };
}

/** Built once: reading the default authorities for each connection would take milliseconds. */
function contextTrusting(ca: NonNullable<NetworkOptions["ca"]>): SecureContext {
  const own = typeof ca === "string" || ca instanceof Uint8Array ? [ca] : ca;
  // OpenSSL would silently skip what it cannot read.
  const problem = own.map(certificateProblem).find((one) => one !== undefined);
  if (problem !== undefined) throw new RequestError("BAD_REQUEST", `network.ca ${problem}`);
  return createSecureContext({
    ...asBrowsers,
    ca: [...getCACertificates("default"), ...own.map((one) => Buffer.from(one))],
  });
}

/** What is wrong with a part of `network.ca`; undefined if it can be used. */
export function certificateProblem(certificate: string | Uint8Array): string | undefined {
  try {
    new X509Certificate(Buffer.from(certificate));
    return undefined;
  } catch {
    return "is not a certificate in PEM form";
  }
}

function parseProxy(proxy: string): URL {
  const url = parseHttpUrl(proxy);
  // The URL may hold credentials, so the message does not repeat it.
  if (url === null) {
    throw new RequestError("BAD_REQUEST", "A proxy must be given as http://[user:password@]host:port or https://…");
  }
  return url;
}

/** What a connector is told about an origin. */
export function connectTargetOf(url: URL): ConnectTarget {
  const { hostname, host, protocol } = url;
  return {
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    host,
    protocol,
    port: portOf(url),
  };
}

/** The port of an http(s) URL, also where it is the usual one. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): string {
  return port || (protocol === "https:" ? "443" : "80");
}
