/** The page versions of the memory driver: the latest ones, up to a number of bytes. */

import type { NewPageVersion, PageVersions, VersionedPage } from "../../ports/page-versions.ts";
import { Heap, type HeapItem } from "./heap.ts";

export interface MemoryVersions extends PageVersions {
  /** The same as `put`, synchronously, within the caller's step. */
  insert(version: NewPageVersion): void;
  removeExpired(now: number): void;
  nextExpiry(): number | null;
}

interface Kept extends HeapItem {
  readonly name: string;
  readonly version: NewPageVersion;
  /** For each site, the job that last met the page. */
  readonly metIn: ReadonlyMap<string, string>;
}

export function memoryVersions(maxBytes: number): MemoryVersions {
  /** In the order in which they were stored, which a Map preserves. */
  const kept = new Map<string, Kept>();
  const expiry = new Heap<Kept>((a, b) => a.version.expiresAt < b.version.expiresAt);
  /** Names of the pages met in crawls of a site. */
  const sites = new Map<string, Set<string>>();
  let bytes = 0;

  function remove(name: string): Kept | undefined {
    const found = kept.get(name);
    if (found === undefined) return undefined;
    kept.delete(name);
    expiry.remove(found);
    bytes -= size(found.version);
    for (const site of found.metIn.keys()) {
      const pages = sites.get(site);
      pages?.delete(name);
      if (pages?.size === 0) sites.delete(site);
    }
    return found;
  }

  function insert(version: NewPageVersion): void {
    const name = nameOf(version);
    const metIn = new Map(remove(name)?.metIn);
    if (size(version) > maxBytes) return;
    if (version.metIn !== undefined) metIn.set(siteOf(version, version.metIn.site), version.metIn.jobId);
    const entry: Kept = { name, version, metIn, heapIndex: -1 };
    kept.set(name, entry);
    expiry.push(entry);
    bytes += size(version);
    for (const site of metIn.keys()) {
      const pages = sites.get(site);
      if (pages === undefined) sites.set(site, new Set([name]));
      else pages.add(name);
    }
    while (bytes > maxBytes) remove(kept.keys().next().value as string);
  }

  return {
    insert,
    async getLast(page) {
      return kept.get(nameOf(page))?.version ?? null;
    },
    async put(version) {
      insert(version);
    },
    async listUnseen({ jobId, limit, ...query }) {
      const site = siteOf(query, query.site);
      const urls: string[] = [];
      for (const name of sites.get(site) ?? []) {
        if (urls.length >= limit) break;
        const { version, metIn } = kept.get(name) as Kept;
        if (metIn.get(site) !== jobId && !version.isGone) urls.push(version.url);
      }
      return urls;
    },
    removeExpired(now) {
      for (let first = expiry.peek(); first !== undefined; first = expiry.peek()) {
        if (first.version.expiresAt > now) break;
        remove(first.name);
      }
    },
    nextExpiry: () => expiry.peek()?.version.expiresAt ?? null,
  };
}

function nameOf({ team, key, tag }: VersionedPage): string {
  return JSON.stringify([team, tag, key]);
}

function siteOf({ team, tag }: Pick<VersionedPage, "team" | "tag">, site: string): string {
  return JSON.stringify([team, tag, site]);
}

function size({ markdown, url, key }: NewPageVersion): number {
  return 2 * (markdown.length + url.length + key.length) + 200;
}
