/** The `network` options of an engine: what it may reach, and its limits. */

/** One address of a host, as `dns.lookup` returns it with `all: true`. */
export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Resolves a host name to its addresses. An empty list, or a rejection, means that the name does not resolve. */
export type Lookup = (hostname: string) => Promise<readonly HostAddress[]>;

/**
 * How the engine uses the network.
 *
 * @example
 * const engine = createEngine({
 *   network: {
 *     allowHosts: ["wiki.internal.example", "*.dev.example", "10.20.0.0/16"],
 *     userAgent: "Mozilla/5.0 (compatible; acme-bot; +https://acme.example/bot)",
 *   },
 * });
 */
export interface NetworkOptions {
  /**
   * Permits every address: loopback, private networks, link-local (where clouds have their metadata service). Only for
   * programs whose URLs all come from their own author.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /**
   * Hosts that may be reached even though their addresses are not public. An entry is
   * - a host name: `wiki.internal.example` (that name only),
   * - a suffix: `*.dev.example` (every name below it, not `dev.example` itself),
   * - an address: `127.0.0.1`, `::1`,
   * - a range: `10.20.0.0/16`, `fd00:12::/32`.
   *
   * A name permits whatever it resolves to; an address or range permits every name that resolves into it.
   */
  readonly allowHosts?: readonly string[] | undefined;
  /**
   * Replaces name resolution, for pages, proxies and the browser alike.
   * @default the resolver of the operating system
   */
  readonly lookup?: Lookup | undefined;
  /** Certificate authorities (PEM) trusted in addition to those of Node, for HTTP and the browser alike. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  /** Most bytes of one page or file, after decompression; of a sitemap, 50 MiB are read. @default 67108864 (64 MiB) */
  readonly maxBodyBytes?: number | undefined;
  /** Most redirects followed for one request, including pages that only refresh to another address. @default 10 */
  readonly maxRedirects?: number | undefined;
  /**
   * The user agent of every request that sets none. The default begins like a browser's, because many sites choose by
   * it which page they send, and then names itself. Put a name and an address of your own here.
   * @default "Mozilla/5.0 (compatible; crawlcore)"
   */
  readonly userAgent?: string | undefined;
}

/** The defaults of the network options. */
export const networkDefaults = {
  maxBodyBytes: 64 * 1024 * 1024,
  maxRedirects: 10,
  userAgent: "Mozilla/5.0 (compatible; crawlcore)",
} as const;
