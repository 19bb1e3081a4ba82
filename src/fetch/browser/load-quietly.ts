/** Loads a package that listens and takes signals when it is evaluated, so that the host program notices nothing of it. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";

/** Node tells here that a server is about to listen, and reads the options afterwards. */
const listening = "tracing:net.server.listen:asyncStart";

/**
 * What a module of this package exports. All of it is evaluated before this returns, and nothing of the host runs
 * meanwhile. Nothing happens to what the host has loaded before.
 *
 * - Sockets that it listens on are bound to loopback, and not to every interface.
 * - `signal-exit`, which it may bring, is told to let go of the signals: it ends a process whose own handler was added
 *   with `process.once`, in the middle of what the handler does.
 *
 * @throws what the package throws, and an error with the code `MODULE_NOT_FOUND`
 */
export function loadQuietly(name: string): unknown {
  const load = createRequire(import.meta.url);
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
