/**
 * Loads a package that opens a server and installs signal handlers when it is evaluated, so that the host program is
 * not affected.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ownRequire } from "./own-require.ts";

/** The channel on which Node announces that a server is about to listen, before it reads the options. */
const listening = "tracing:net.server.listen:asyncStart";

/**
 * Returns the exports of a package. All of it is evaluated before this returns, and none of the host's code runs
 * meanwhile. Packages that the host has loaded before are not touched.
 *
 * - Sockets on which it listens are bound to loopback instead of every interface.
 * - `signal-exit`, if it is a dependency, is made to release the signals: it ends a process in the middle of a handler
 *   that was added with `process.once`.
 *
 * @throws what the package throws, and an error with the code `MODULE_NOT_FOUND`
 */
export function loadQuietly(name: string): unknown {
  const load = ownRequire();
  const before = new Set(Object.keys(load.cache));
  subscribe(listening, bindToLoopback);
  try {
    return load(name);
  } finally {
    unsubscribe(listening, bindToLoopback);
    for (const [path, module] of Object.entries(load.cache)) {
      if (/[\\/]signal-exit[\\/]/.test(path) && !before.has(path)) letGo(module?.exports);
    }
  }
}

function bindToLoopback(message: unknown): void {
  (message as { options: { host?: string } }).options.host = "127.0.0.1";
}

function letGo(signals: { unload?: unknown } | undefined): void {
  if (typeof signals?.unload === "function") signals.unload();
}
