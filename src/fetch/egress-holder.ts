/**
 * The state of one browser context at the egress proxy: what it may connect to, which connections it has open, and
 * which failed.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type CrawlcoreError, ScrapeError } from "../errors.ts";
import { connectTargetOf } from "./connectors.ts";
import { networkError } from "./network-errors.ts";
import type { Connector, ConnectTarget } from "./open-socket.ts";

/** Failures remembered for one context; a page that tries thousands of hosts is not worth more. */
const maxFailures = 200;

export class EgressHolder {
  readonly username = randomBytes(8).toString("hex");
  readonly password = randomBytes(32).toString("hex");
  readonly #connect: Connector;
  readonly #skipTlsVerification: boolean;
  readonly #sockets = new Set<Duplex>();
  readonly #failures = new Map<string, CrawlcoreError>();
  #isRefused: ((host: string) => boolean) | undefined;
  #hasEnded = false;

  constructor(connect: Connector, skipTlsVerification: boolean) {
    this.#connect = connect;
    this.#skipTlsVerification = skipTlsVerification;
  }

  knows(password: string): boolean {
    const [given, expected] = [Buffer.from(password), Buffer.from(this.password)];
    return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
  }

  /**
   * Opens a socket to `authority`, the name and port of a host, and keeps it. If that fails, {@link failureOf} also
   * tells why.
   */
  async open(authority: string, protocol: "http:" | "https:" = "http:"): Promise<Socket> {
    const target = targetOf(authority, protocol);
    try {
      const socket = await this.#connect(target, (begun) => this.keep(begun));
      this.#failures.delete(authority);
      return socket;
    } catch (error) {
      if (this.#failures.size < maxFailures) {
        const { hostname: host } = target;
        this.#failures.set(authority, networkError(error, { host, skipTlsVerification: this.#skipTlsVerification }));
      }
      throw error;
    }
  }

  failureOf(authority: string): CrawlcoreError | undefined {
    return this.#failures.get(authority);
  }

  refuse(isRefused: ((host: string) => boolean) | undefined): void {
    this.#isRefused = isRefused;
  }

  refuses(host: string): boolean {
    return this.#isRefused?.(host) ?? false;
  }

  /** Has the socket end together with the others. */
  keep(socket: Duplex): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    // A connector may begin another socket when the one before was broken off.
    if (this.#hasEnded) socket.destroy();
  }

  /** Returns a function that ends the connections on which nothing has been transferred between now and its call. */
  silence(): () => void {
    const before = new Map([...this.#sockets].map((socket) => [socket, bytesThrough(socket)]));
    return () => {
      for (const [socket, bytes] of before) if (bytesThrough(socket) === bytes) socket.destroy();
    };
  }

  end(): void {
    this.#hasEnded = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

function bytesThrough(socket: Duplex): number {
  const { bytesRead = 0, bytesWritten = 0 }: Partial<Socket> = socket as Socket;
  return bytesRead + bytesWritten;
}

function targetOf(authority: string, protocol: string): ConnectTarget {
  const url = URL.parse(`tcp://${authority}`);
  if (!url || url.port === "" || url.hostname === "") {
    throw new ScrapeError("SCRAPE_SITE_ERROR", "The browser asked for a connection without a host and port");
  }
  return { ...connectTargetOf(url), protocol };
}
