/** The handle of a crawl or batch scrape: the service's start response, and what can be done with the job. */
import type { Document } from "../contract/document.ts";
import type { Cancelled, JobStatus } from "../contract/job.ts";
import { parse } from "../contract/parse.ts";
import { type WaitOptions, waitOptions } from "../contract/wait-options.ts";
import { followPages, readAll, waitForJob } from "../jobs/follow.ts";
import { jobUrl } from "../jobs/job-url.ts";
import { eraseIfNotRetained } from "../jobs/retention.ts";
import { describeJob } from "../jobs/status.ts";
import type { JobKind } from "../ports/job-store.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelJob } from "./cancel.ts";
import { sealErrors, sealed } from "./seal-errors.ts";

/**
 * Serialises to the service's start response. Iterating gives each page once, as it is finished; while the reader is
 * behind, the job starts no new pages.
 *
 * @example
 * const job = await engine.crawl({ url: "https://example.com", limit: 10 });
 * for await (const page of job) console.log(page.metadata.sourceURL);
 */
export class PageJob implements AsyncIterable<Document> {
  readonly success = true;
  readonly id: string;
  readonly url: string;
  /** Of a batch with `ignoreInvalidURLs`: the URLs left out. */
  declare readonly invalidURLs?: string[];
  readonly #parts: CallParts;
  readonly #kind: JobKind;
  readonly #team: string;

  constructor(parts: CallParts, kind: JobKind, id: string, team: string, invalidURLs?: readonly string[]) {
    this.id = id;
    this.url = jobUrl(parts.publicUrl, kind, id);
    if (invalidURLs !== undefined) this.invalidURLs = [...invalidURLs];
    this.#parts = parts;
    this.#kind = kind;
    this.#team = team;
  }

  /** Resolves when the job has ended, however it ended, with its final status and all its data. */
  wait(options?: WaitOptions): Promise<JobStatus> {
    return sealErrors(options, async () => {
      const { following } = this.#parts;
      const parsed = parse(waitOptions, options, "wait options");
      // Who waits for the end wants no reader to hold the job up.
      following.readers.release(this.id);
      const job = await waitForJob(following, this.id, parsed);
      const data = await readAll(following.jobs, this.id);
      await eraseIfNotRetained(following.jobs, job);
      return { ...describeJob(job), next: null, data };
    });
  }

  /** Stops the job; pages done stay readable. */
  cancel(): Promise<Cancelled> {
    return sealErrors(undefined, () => cancelJob(this.#parts, this.#kind, this.id, this.#team));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document, void, undefined> {
    try {
      yield* followPages(this.#parts.following, this.id);
    } catch (error) {
      throw sealed(error);
    }
  }
}
