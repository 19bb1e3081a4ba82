/** The last versions of pages, with compressed markdown, and the crawls of a site that met the pages. */

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { NewPageVersion, PageVersions } from "../../ports/page-versions.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";

interface SqliteVersions extends PageVersions {
  /** Deletes expired versions; tells whether there were any, and when the next one expires. */
  sweep(now: number): Promise<{ removed: boolean; nextExpiry: number | null }>;
}

interface VersionRow {
  readonly scraped_at: number;
  readonly markdown: Uint8Array;
  readonly fingerprint: string;
  readonly is_gone: number;
}

const rowsPerStep = 200;

export function sqliteVersions(committer: Committer): SqliteVersions {
  return {
    getLast: ({ team, key, tag }) =>
      committer.read((database) => {
        const row = database.get<VersionRow>("lastVersion", team, tagName(tag), key);
        if (row === undefined) return null;
        return {
          scrapedAt: row.scraped_at,
          markdown: zstdDecompressSync(row.markdown).toString(),
          fingerprint: row.fingerprint,
          isGone: row.is_gone === 1,
        };
      }),

    put: (version) => committer.write((database) => insertVersion(database, version)),

    listUnseen: ({ team, tag, site, jobId, limit }) =>
      committer.read((database) =>
        database.all<{ url: string }>("unseenPages", team, tagName(tag), site, jobId, limit).map(({ url }) => url),
      ),

    async sweep(now) {
      const next = () => committer.read((database) => database.get<{ at: number | null }>("nextVersionExpiry")?.at);
      const first = (await next()) ?? null;
      if (first === null || first > now) return { removed: false, nextExpiry: first };
      while (await committer.write((database) => removeSome(database, now)));
      return { removed: true, nextExpiry: (await next()) ?? null };
    },
  };
}

/** Within the caller's transaction. */
export function insertVersion(database: Database, version: NewPageVersion): void {
  const { team, key, url, scrapedAt, markdown, fingerprint, isGone, expiresAt, metIn } = version;
  const tag = tagName(version.tag);
  const body = zstdCompressSync(markdown);
  database.run("putVersion", team, tag, key, url, scrapedAt, body, fingerprint, isGone ? 1 : 0, expiresAt);
  if (metIn !== undefined) database.run("putMeeting", metIn.site, metIn.jobId, team, tag, key);
}

function removeSome(database: Database, now: number): boolean {
  const due = database.all<{ number: number }>("dueVersions", now, rowsPerStep);
  for (const { number } of due) {
    database.run("deleteMeetings", number);
    database.run("deleteVersion", number);
  }
  return due.length > 0;
}

/** No tag is different from every tag. */
function tagName(tag: string | null): string {
  return tag === null ? "" : `=${tag}`;
}
