/**
 * The page cache, in a file of its own, which the storage's thread reads and writes. Bodies are most of what a crawl
 * brings, and nothing depends on them; in the database they would be most of what goes through its log.
 */

import { existsSync } from "node:fs";
import type { PageCache } from "../../ports/page-cache.ts";
import { type CacheEntry, type CacheFile, type CacheFileOptions, cacheFile } from "./cache-file.ts";
import { SharedCopies } from "./shared-copies.ts";
import type { Thread } from "./thread.ts";

interface SqliteCache extends PageCache {
  removeOld(now: number): Promise<void>;
  close(): Promise<void>;
}

/** Bodies that arrive within so many milliseconds are written together. */
const gatherMs = 100;
/** Bytes that may be waiting to be written before further calls of `put` have to wait as well. */
const maxUnwritten = 8 * 1024 * 1024;

/**
 * A page that is to be written. A class: V8 may take objects of a literal for long-lived (see "Time and memory" in
 * `docs/architecture.md`).
 */
class Entry implements CacheEntry {
  readonly team: string;
  readonly key: string;
  readonly storedAt: number;
  readonly head: string;
  readonly body: Uint8Array;

  /** @param body a copy, because the caller may change its own */
  constructor({ team, key, storedAt, head }: CacheEntry, body: Uint8Array) {
    this.team = team;
    this.key = key;
    this.storedAt = storedAt;
    this.head = head;
    this.body = body;
  }
}

/** @param thread absent: everything is done in this thread, and at once */
export function sqliteCache(options: CacheFileOptions, thread: Thread | undefined): SqliteCache {
  const copies = new SharedCopies();
  let here: CacheFile | undefined;
  let gathered: CacheEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let unwritten = 0;
  let failure: { readonly error: unknown } | undefined;

  /** Used if there is no thread. */
  function inline(): CacheFile {
    here ??= cacheFile(options);
    return here;
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = gathered;
    gathered = [];
    if (entries.length === 0) return;
    const bytes = entries.reduce((sum, { body }) => sum + body.byteLength, 0);
    const pieces = copies.next();
    let mayBeRead = false;
    try {
      const answer = await thread?.ask("put", entries);
      mayBeRead = answer === null;
      if (answer == null) inline().put(entries);
    } catch (error) {
      failure = { error };
    } finally {
      if (mayBeRead) copies.forget(pieces);
      else copies.release(pieces);
      unwritten -= bytes;
    }
  }

  return {
    async get({ team, key }) {
      void write();
      const answer = await thread?.ask("get", { team, key });
      return answer == null ? inline().get({ team, key }) : answer.value;
    },

    /** Resolves before the body is written; if that fails, a later call reports it. */
    async put(page) {
      gathered.push(new Entry(page, copies.copy(page.body)));
      unwritten += page.body.byteLength;
      if (thread === undefined || unwritten > maxUnwritten) await write();
      else timer ??= setTimeout(write, gatherMs);
      const failed = failure;
      failure = undefined;
      if (failed !== undefined) throw failed.error;
    },

    async removeOld(now) {
      void write();
      if (here === undefined && !thread?.isRunning && !existsSync(options.path)) return;
      if ((await thread?.ask("removeOld", now)) == null) inline().removeOld(now);
    },

    async close() {
      await write();
      if (thread?.isRunning) await thread.ask("close", null);
      here?.close();
      here = undefined;
      copies.trim();
    },
  };
}
