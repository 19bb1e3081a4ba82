/** The page cache of the memory driver: the latest bodies, up to a number of bytes and an age. */

import type { CachedPage, PageCache } from "../../ports/page-cache.ts";

interface MemoryCache extends PageCache {
  removeOld(now: number): void;
}

export function memoryCache(maxBytes: number, maxAgeMs: number): MemoryCache {
  /** In the order in which they were stored, which a Map preserves. */
  const entries = new Map<string, CachedPage>();
  let bytes = 0;

  function remove(name: string): void {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    bytes -= size(entry);
  }

  /** Returns false for an entry that is not old. */
  function removeIfOld([name, { storedAt }]: [string, CachedPage], now: number): boolean {
    const isOld = storedAt <= now - maxAgeMs;
    if (isOld) remove(name);
    return isOld;
  }

  return {
    // Looks at all of them: one that was stored while a clock was ahead may come first, and not be old for long.
    removeOld(now) {
      for (const entry of entries) removeIfOld(entry, now);
    },
    async get({ team, key }) {
      return entries.get(nameOf(team, key)) ?? null;
    },
    async put({ team, key, storedAt, head, body }) {
      const name = nameOf(team, key);
      remove(name);
      // The body may be a view of a larger buffer that would be kept alive with it; `slice` of a Buffer is a view, too.
      const entry = { storedAt, head, body: new Uint8Array(body) };
      if (size(entry) > maxBytes) return;
      entries.set(name, entry);
      bytes += size(entry);
      while (bytes > maxBytes) remove(entries.keys().next().value as string);
      for (const entry of entries) if (!removeIfOld(entry, storedAt)) break;
    },
  };
}

function nameOf(team: string, key: string): string {
  return JSON.stringify([team, key]);
}

function size({ head, body }: CachedPage): number {
  return body.byteLength + 2 * head.length;
}
