/** The server side of TLS, for a browser whose proxy verifies the certificates. */
import type { Duplex } from "node:stream";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import { loopbackCertificate } from "./loopback-certificate.ts";

interface LoopbackTls {
  /** Terminates TLS on a connection of the browser; returns a stream of the plain data. */
  end(connection: Duplex): Duplex;
}

/** The first byte of TLS: the type of its first record. */
const handshake = 0x16;

export function createLoopbackTls(): LoopbackTls {
  let secureContext: SecureContext | undefined;
  return {
    end(connection) {
      secureContext ??= createSecureContext(loopbackCertificate());
      return new TLSSocket(connection, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    },
  };
}

/** Whether the next bytes begin TLS; they can still be read. Also false if nothing more comes. */
export async function startsTls(connection: Duplex): Promise<boolean> {
  if (connection.readableLength === 0) {
    await new Promise((resolve) => connection.once("readable", resolve).once("close", resolve));
  }
  const bytes = connection.read() as Buffer | null;
  if (bytes === null) return false;
  connection.unshift(bytes);
  return bytes[0] === handshake;
}
