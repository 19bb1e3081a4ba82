/**
 * The browser's only way to the network: a proxy on loopback that connects only to addresses the guard permits.
 * Redirects, frames, scripts, sockets and workers of a page all come through here, so that no rule about URLs inside
 * the browser can be forgotten.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { CrawlcoreError } from "../errors.ts";
import { type ConnectorOf, portOf, type Route } from "./connectors.ts";
import { EgressHolder } from "./egress-holder.ts";
import { createLoopbackServer } from "./loopback-server.ts";
import { createLoopbackTls, startsTls } from "./loopback-tls.ts";
import { join, relay } from "./relay.ts";

/** What one browser context may do through the proxy, and what became of it. */
export interface EgressPass {
  /** The proxy's address for the browser: `http://127.0.0.1:41234`. */
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /**
   * Certificates of sites are verified here; the browser gets one of ours, which it must accept without verification.
   */
  readonly verifiesTls: boolean;
  /** Why the last connection to a host (`name:port`) failed; undefined if it did not. */
  failureOf(authority: string): CrawlcoreError | undefined;
  /** Hosts (names without a port) that are refused from now on, without a trace in {@link failureOf}. */
  refuse(isRefused: ((host: string) => boolean) | undefined): void;
  /**
   * Begins to observe the connections. The returned function ends those on which nothing has been transferred since.
   */
  silence(): () => void;
  /** Ends every connection made with the pass, and refuses it from now on. Idempotent. */
  revoke(): void;
}

export interface EgressProxy {
  /** Issues a pass for one browser context. Whether TLS is verified matters only if that is done here. */
  issue(route: Route): Promise<EgressPass>;
  /** Address of the proxy; without a pass, everything is refused there. */
  address(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Creates the proxy of one engine, which listens from the first pass on.
 *
 * A browser verifies certificates by itself, and does not know the authorities that a host adds. With `verifiesTls`,
 * the connectors verify them, which know those authorities: TLS ends here, and a new TLS connection to the site is
 * opened.
 *
 * @param connectorOf opens guarded sockets (see `connectors.ts`)
 */
export function createEgressProxy(
  connectorOf: ConnectorOf,
  { verifiesTls }: { readonly verifiesTls: boolean },
): EgressProxy {
  const holders = new Map<string, EgressHolder>();
  const server = createLoopbackServer({ forward, tunnel });
  const loopbackTls = createLoopbackTls();
  let closed = false;

  function holderOf(request: IncomingMessage): EgressHolder | undefined {
    const given = /^Basic (\S+)$/.exec(request.headers["proxy-authorization"] ?? "")?.[1];
    if (given === undefined) return undefined;
    const [name = "", password = ""] = Buffer.from(given, "base64").toString().split(":");
    const holder = holders.get(name);
    return holder?.knows(password) ? holder : undefined;
  }

  async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on("error", () => {});
    const holder = holderOf(request);
    if (!holder) {
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    holder.keep(client);
    if (holder.refuses(hostIn(request.url ?? ""))) {
      client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    if (head.byteLength > 0) client.unshift(head);
    if (verifiesTls) return await tunnelWithin(holder, request.url ?? "", client);
    try {
      const socket = await holder.open(request.url ?? "");
      if (client.destroyed) {
        socket.destroy();
        return;
      }
      client.write(established);
      join(client, socket);
    } catch {
      client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    }
  }

  /** Only once the tunnel is open can be seen what goes through it: TLS, or a WebSocket without TLS. */
  async function tunnelWithin(holder: EgressHolder, authority: string, client: Duplex): Promise<void> {
    client.write(established);
    try {
      const isTls = await startsTls(client);
      const socket = await holder.open(authority, isTls ? "https:" : "http:");
      if (client.destroyed) {
        socket.destroy();
        return;
      }
      join(isTls ? loopbackTls.end(client) : client, socket);
    } catch {
      client.destroy();
    }
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const holder = holderOf(request);
    if (!holder) {
      response.writeHead(407, { "proxy-authenticate": 'Basic realm="egress"', "content-length": "0" }).end();
      return;
    }
    holder.keep(request.socket);
    const url = URL.parse(request.url ?? "");
    if (url?.protocol !== "http:") {
      response.writeHead(400).end();
      return;
    }
    if (holder.refuses(url.hostname)) {
      response.writeHead(403, { "content-length": "0" }).end();
      return;
    }
    try {
      const socket = await holder.open(`${url.hostname}:${portOf(url)}`);
      if (response.destroyed) {
        socket.destroy();
        return;
      }
      relay(request, response, url, socket);
    } catch {
      // No answer is sent, so that a page cannot mistake it for one of the site.
      request.socket.destroy();
    }
  }

  return {
    async issue(route) {
      const address = await server.address();
      const holder = new EgressHolder(connectorOf(route), route.skipTlsVerification);
      const { username, password } = holder;
      if (!closed) holders.set(username, holder);
      return {
        server: address,
        username,
        password,
        verifiesTls,
        refuse: (isRefused) => holder.refuse(isRefused),
        failureOf: (authority) => holder.failureOf(authority),
        silence: () => holder.silence(),
        revoke() {
          holders.delete(username);
          holder.end();
        },
      };
    },
    address: server.address,
    async close() {
      closed = true;
      for (const holder of holders.values()) holder.end();
      holders.clear();
      await server.close();
    },
  };
}

const established = "HTTP/1.1 200 Connection Established\r\n\r\n";
const challenge = 'proxy-authenticate: Basic realm="egress"';

function hostIn(authority: string): string {
  return authority.slice(0, authority.lastIndexOf(":"));
}
