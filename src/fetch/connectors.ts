/** Opens sockets, directly or through a proxy, to addresses that the guard permits. The only place that does. */
import { X509Certificate } from "node:crypto";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { buildConnector as undici } from "undici";
import buildConnector, { type Connect } from "undici/lib/core/connect.js";
import { RequestError, ScrapeError } from "../errors.ts";
import type { NetworkOptions } from "../network-options.ts";
import { type AddressGuard, resolveName } from "./address-guard.ts";
import { asProxyFault } from "./proxy-faults.ts";
import { askProxy } from "./proxy-handshake.ts";

/** The way to an origin. */
export interface Route {
  readonly skipTlsVerification: boolean;
  /** URL of a proxy to tunnel through. */
  readonly proxy?: string | undefined;
}

type ConnectTarget = undici.Options;

/** Opens a socket that is ready for requests. Tells of each socket it begins to open, so that it can be broken off. */
export type Connector = (target: ConnectTarget, begun: (socket: Socket) => void) => Promise<Socket>;

/** Milliseconds for each of: connecting with TLS, the proxy's answer. */
const connectTimeoutMs = 10_000;

/** Makes the function that gives the connector of a route. It throws `BAD_REQUEST` for a proxy URL it cannot use. */
export function createConnectors(options: {
  readonly guard: AddressGuard;
  readonly lookup?: NetworkOptions["lookup"] | undefined;
  readonly ca?: NetworkOptions["ca"] | undefined;
}): (route: Route) => Connector {
  const { guard } = options;
  const secureContext = options.ca === undefined ? undefined : contextTrusting(options.ca);
  const base = { timeout: connectTimeoutMs, allowH2: false as const, secureContext };
  const lookup = lookupWith((host) => guard.resolve(host));
  // Two, since a TLS session made without verification must never be resumed where verification is asked for.
  const verified = buildConnector({ ...base, lookup });
  const unverified = buildConnector({ ...base, lookup, rejectUnauthorized: false });
  // A proxy is the host program's own choice, so it is not subject to the guard; what lies behind it is.
  const toProxy = buildConnector({ ...base, lookup: lookupWith((host) => resolveName(host, options.lookup)) });

  return ({ skipTlsVerification, proxy }) => {
    const open = skipTlsVerification ? unverified : verified;
    if (proxy === undefined) {
      return async (target, begun) => {
        // Sockets look up names only; a literal address has to be asked for.
        if (isIP(target.hostname)) await guard.resolve(target.hostname);
        return opened(open, withServerName(target), begun);
      };
    }
    const proxyUrl = parseProxy(proxy);
    return async (target, begun) => {
      // The proxy is told an address, not the name: its own resolution might lead elsewhere than the one checked.
      const addresses = await guard.resolve(target.hostname);
      const { address, family } = addresses.find((one) => one.family === 4) ?? addresses[0]!;
      const socket = await opened(toProxy, connectTargetOf(proxyUrl), begun).catch((cause) => {
        throw asProxyFault(
          new ScrapeError("SCRAPE_SITE_ERROR", `The proxy ${proxyUrl.host} could not be reached`, {
            cause,
            retryable: true,
          }),
        );
      });
      try {
        await askProxy(socket, {
          authority: `${family === 6 ? `[${address}]` : address}:${portOf(target)}`,
          proxy: proxyUrl,
          timeoutMs: connectTimeoutMs,
        });
        if (target.protocol !== "https:") return socket;
        return await opened(open, { ...withServerName(target), httpSocket: socket }, begun);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    };
  };
}

function opened(connect: Connect, target: ConnectTarget, begun: (socket: Socket) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    begun(connect(target, (error, socket) => (socket ? resolve(socket) : reject(error))));
  });
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
  const own = (typeof ca === "string" || ca instanceof Uint8Array ? [ca] : ca).map((one) => Buffer.from(one));
  try {
    for (const one of own) new X509Certificate(one); // OpenSSL would pass over what it cannot read.
    return createSecureContext({ ca: [...getCACertificates("default"), ...own] });
  } catch (cause) {
    throw new RequestError("BAD_REQUEST", "network.ca is not a certificate in PEM form", {
      cause,
      details: [{ path: ["network", "ca"], message: "Expected certificates in PEM form" }],
    });
  }
}

function parseProxy(proxy: string): URL {
  const url = URL.parse(proxy);
  // The URL may hold credentials, so the message does not repeat it.
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new RequestError("BAD_REQUEST", "A proxy must be given as http://[user:password@]host:port or https://…");
  }
  return url;
}

function connectTargetOf(url: URL): ConnectTarget {
  const { hostname, host, protocol } = url;
  return {
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    host,
    protocol,
    port: portOf(url),
  };
}

function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): string {
  return port || (protocol === "https:" ? "443" : "80");
}
