/**
 * Opens a socket to the first address of a host that answers. Node tries several addresses one after another, and gives
 * up each but the last after a quarter of a second. A distant host, or one whose first packet was lost, would then fail
 * with the error of another address that nobody can reach. So if connecting quickly fails, it is tried once more with
 * more patience.
 */
import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { buildConnector as undici } from "undici";
import buildConnector, { type Connect } from "undici/lib/core/connect.js";

export type ConnectTarget = undici.Options;

/**
 * Opens a socket that is ready for requests. `begun` is called with each socket that it begins to open, so that this
 * can be aborted.
 */
export type Connector = (target: ConnectTarget, begun: (socket: Socket) => void) => Promise<Socket>;

/** Milliseconds for connecting, including TLS, over all addresses together. */
const connectTimeoutMs = 10_000;
/** Milliseconds for each address but the last, if there is time: a lost packet is sent again after one second. */
const patienceMs = 2_500;

/** @param options of TLS and of the look-up of names */
export function socketOpener(options: Omit<ConnectionOptions, "timeout">): Connector {
  const base = { ...options, timeout: connectTimeoutMs, allowH2: false as const };
  const quick = buildConnector(base);
  const patient = buildConnector({ ...base, autoSelectFamilyAttemptTimeout: patienceMs });

  return async (target, begun) => {
    let first: Socket | undefined;
    try {
      return await opened(quick, target, (socket) => {
        first = socket;
        begun(socket);
      });
    } catch (error) {
      const addresses = first?.autoSelectFamilyAttemptedAddresses ?? [];
      const isTooSlow = (error as { code?: unknown }).code === "UND_ERR_CONNECT_TIMEOUT";
      if (!isTooSlow || addresses.length < 2) throw error;
      return opened(patient, target, begun);
    }
  };
}

function opened(connect: Connect, target: ConnectTarget, begun: (socket: Socket) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    begun(connect(target, (error, socket) => (socket ? resolve(socket) : reject(error))));
  });
}
