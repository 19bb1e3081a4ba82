/**
 * The last version of each page whose changes are tracked, and in which crawl of a site it was met last.
 * A version belongs to a team, the page's canonical key and a tag (null is a tag of its own); a later one takes its
 * place. Within a job versions are written by `completePage`, in the same step as the page.
 */
export interface PageVersions {
  getLast(page: VersionedPage): Promise<PageVersion | null>;

  put(version: NewPageVersion): Promise<void>;

  /**
   * URLs of pages that other crawls of this site have met and this one has not, at most `limit`; pages that were gone
   * the last time are not among them.
   */
  listUnseen(query: {
    readonly team: string;
    readonly tag: string | null;
    readonly site: string;
    readonly jobId: string;
    readonly limit: number;
  }): Promise<string[]>;
}

/** Which page a version is of. */
export interface VersionedPage {
  readonly team: string;
  /** Canonical identity of the page. */
  readonly key: string;
  readonly tag: string | null;
}

/** A page as it will be compared the next time. */
export interface PageVersion {
  readonly scrapedAt: number;
  readonly markdown: string;
  /** Says which options the markdown was made with. */
  readonly fingerprint: string;
  /** The page said that it does not exist. */
  readonly isGone: boolean;
}

/** A version that is to take the place of the one before. */
export interface NewPageVersion extends VersionedPage, PageVersion {
  readonly url: string;
  /** `sweep` deletes the version then. */
  readonly expiresAt: number;
  /** The crawl that met the page: the canonical key of its start, and its job. */
  readonly metIn?: { readonly site: string; readonly jobId: string } | undefined;
}
