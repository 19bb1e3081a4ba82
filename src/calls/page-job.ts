/** The handle of a crawl or batch scrape: the service's start response, with methods to follow and cancel the job. */
import type { Document } from "../contract/document.ts";
import type { Cancelled, JobStatus } from "../contract/job.ts";
import { parseWaitOptions, type WaitOptions } from "../contract/wait-options.ts";
import { followPages, readAll, waitForJob } from "../jobs/follow.ts";
import { jobUrl } from "../jobs/job-url.ts";
import { eraseIfNotRetained } from "../jobs/retention.ts";
import { describeJob } from "../jobs/status.ts";
import type { JobKind, JobRecord } from "../ports/job-store.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelJob } from "./cancel.ts";
import type { ConvertDocument } from "./convert-documents.ts";
import { sealErrors, sealed } from "./seal-errors.ts";

/**
 * The handle of a crawl or batch scrape. As JSON it is the service's start response. Iterating over it yields each page
 * once, as soon as it is finished; while the reader is more than twice the job's concurrency behind, and nobody is
 * waiting for the end with `wait()`, the job starts no new pages.
 *
 * @example
 * const job = await engine.crawl({ url: "https://example.com", limit: 10 });
 * for await (const page of job) console.log(page.metadata.sourceURL);
 */
export class PageJob<Json = unknown> implements AsyncIterable<Document<Json>> {
  readonly success = true;
  readonly id: string;
  readonly url: string;
  /** For a batch with `ignoreInvalidURLs`: the URLs that were left out. */
  declare readonly invalidURLs?: string[];
  readonly #parts: CallParts;
  readonly #kind: JobKind;
  readonly #team: string;
  readonly #convert: ConvertDocument;

  constructor(
    parts: CallParts,
    kind: JobKind,
    id: string,
    team: string,
    options: { readonly invalidURLs?: readonly string[] | undefined; readonly convert: ConvertDocument },
  ) {
    this.id = id;
    this.url = jobUrl(parts.publicUrl, kind, id);
    if (options.invalidURLs !== undefined) this.invalidURLs = [...options.invalidURLs];
    this.#parts = parts;
    this.#kind = kind;
    this.#team = team;
    this.#convert = options.convert;
  }

  /**
   * Resolves when the job has ended, however it ended, with its final status and all its data. With a schema of a
   * validation library, `json` is converted by that.
   */
  wait(options?: WaitOptions): Promise<JobStatus<Json>> {
    return sealErrors(options, async () => {
      const { following } = this.#parts;
      const { signal, onProgress } = parseWaitOptions(options);
      const reader = following.readers.attach(this.id, { isWaitedFor: false });
      let job: JobRecord;
      let data: Document[];
      try {
        job = await waitForJob(following, this.id, {
          signal,
          ...(onProgress && { onProgress: (record) => onProgress(describeJob(record)) }),
        });
        data = await readAll(following.jobs, job, { convert: this.#convert, signal });
      } finally {
        following.readers.detach(this.id, reader);
      }
      await eraseIfNotRetained(following, job);
      return { ...describeJob(job), next: null, data: data as Document<Json>[] };
    });
  }

  /** Cancels the job; finished pages stay readable. */
  cancel(): Promise<Cancelled> {
    return sealErrors(undefined, () => cancelJob(this.#parts, this.#kind, this.id, this.#team));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document<Json>, void, undefined> {
    // What the reader throws in here (a stream that is destroyed does) stays as it is: only errors of the job are sealed.
    for await (const document of this.#pages()) yield document;
  }

  async *#pages(): AsyncGenerator<Document<Json>, void, undefined> {
    try {
      for await (const document of followPages(this.#parts.following, this.id)) {
        yield (await this.#convert(document)) as Document<Json>;
      }
    } catch (error) {
      throw sealed(error);
    }
  }
}
