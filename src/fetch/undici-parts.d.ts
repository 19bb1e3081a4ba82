/**
 * Types of the two parts of undici that are imported by path. Its main entry installs a global dispatcher at import,
 * which reroutes the `fetch` of the host program; these parts do not.
 */
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import type { ConnectionOptions } from "node:tls";
  import type { buildConnector } from "undici";

  /** Opens a socket and returns it at once; the callback is called when it is ready, or cannot be. */
  export type Connect = (target: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function (
    options: Omit<ConnectionOptions, "timeout"> & {
      timeout: number;
      allowH2: false;
      autoSelectFamilyAttemptTimeout?: number;
    },
  ): Connect;
}
