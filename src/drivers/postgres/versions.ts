/** The last versions of pages, and the crawls of a site that met them. */

import type { NewPageVersion, PageVersions } from "../../ports/page-versions.ts";
import type { Connection, Query } from "./connection.ts";
import { hashOf } from "./hash.ts";

interface PostgresVersions extends PageVersions {
  /** Deletes what has expired; says when something next does. */
  sweep(now: number): Promise<number | null>;
}

interface VersionRow {
  readonly scraped_at: number;
  readonly markdown: string;
  readonly fingerprint: string;
  readonly is_gone: boolean;
}

/** Most versions that are deleted in one step. */
const rowsPerStep = 100;

export function postgresVersions({ query, transaction }: Connection): PostgresVersions {
  return {
    async getLast({ team, tag, key }) {
      const [row] = await query<VersionRow>("lastVersion", team, tagName(tag), hashOf(key));
      if (row === undefined) return null;
      const { scraped_at, markdown, fingerprint, is_gone } = row;
      return { scrapedAt: scraped_at, markdown, fingerprint, isGone: is_gone };
    },

    put: (version) => transaction((query) => insertVersion(query, version)),

    async listUnseen({ team, tag, site, jobId, limit }) {
      const rows = await query<{ url: string }>("unseenPages", team, tagName(tag), hashOf(site), jobId, limit);
      return rows.map((row) => row.url);
    },

    async sweep(now) {
      // A part at a time, as with jobs: many may expire at once, for example while no engine is running.
      let removed: number;
      do {
        removed = (await transaction((query) => query("deleteDueVersions", now, rowsPerStep))).length;
      } while (removed === rowsPerStep);
      return (await query<{ at: number | null }>("nextVersionExpiry"))[0]?.at ?? null;
    },
  };
}

/** Within the caller's transaction. */
export async function insertVersion(query: Query, version: NewPageVersion): Promise<void> {
  const { team, url, scrapedAt, markdown, fingerprint, isGone, expiresAt, metIn } = version;
  const page = [team, tagName(version.tag), hashOf(version.key)];
  await query("putVersion", ...page, url, scrapedAt, markdown, fingerprint, isGone, expiresAt);
  if (metIn !== undefined) await query("putMeeting", ...page, hashOf(metIn.site), metIn.jobId);
}

/** None differs from every name. */
function tagName(tag: string | null): string {
  return tag === null ? "" : `=${tag}`;
}
