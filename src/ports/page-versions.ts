/**
 * Keeps the last version of each page whose changes are tracked, and in which crawl of a site it was last met. A
 * version belongs to a team, the page's canonical key and a tag (null is a tag of its own); a later one replaces it.
 * Within a job, versions are written by `completePage`, in the same step as the page.
 */
export interface PageVersions {
  getLast(page: VersionedPage): Promise<PageVersion | null>;

  put(version: NewPageVersion): Promise<void>;

  /**
   * At most `limit` URLs of pages that other crawls of this site have met and this one has not, without pages that were
   * gone last time.
   */
  listUnseen(query: {
    readonly team: string;
    readonly tag: string | null;
    readonly site: string;
    readonly jobId: string;
    readonly limit: number;
  }): Promise<string[]>;
}

/** Identifies the page that a version belongs to. */
export interface VersionedPage {
  readonly team: string;
  /** Canonical identity of the page. */
  readonly key: string;
  readonly tag: string | null;
}

/** A page as it will be compared next time. */
export interface PageVersion {
  readonly scrapedAt: number;
  readonly markdown: string;
  /** Identifies the options with which the markdown was made. */
  readonly fingerprint: string;
  /** The site answered that the page does not exist. */
  readonly isGone: boolean;
}

/** A version that replaces the one before. */
export interface NewPageVersion extends VersionedPage, PageVersion {
  readonly url: string;
  /** When `sweep` deletes the version. */
  readonly expiresAt: number;
  /** The crawl that met the page: the canonical key of its start, and its job. */
  readonly metIn?: { readonly site: string; readonly jobId: string } | undefined;
}
