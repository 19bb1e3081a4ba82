/** The handle of an extract job: the service's start response, with methods to wait for and cancel the job. */
import type { ExtractStatus } from "../contract/extract.ts";
import type { Cancelled } from "../contract/job.ts";
import { parseWaitOptions, type WaitOptions } from "../contract/wait-options.ts";
import { describeExtract } from "../jobs/extract-status.ts";
import { waitForJob } from "../jobs/follow.ts";
import { type AnswerSchema, namedIssues } from "../model/schema.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelJob } from "./cancel.ts";
import { sealErrors } from "./seal-errors.ts";

/** The options of an extract job's `wait()`; its progress is the status. */
export type ExtractWaitOptions = WaitOptions<ExtractStatus>;

/**
 * The handle of an extract job. As JSON it is the service's start response.
 * @example
 * const job = await engine.extract({ urls: ["https://example.com/*"], schema });
 * const { status, data } = await job.wait();
 * if (status === "completed") console.log(data);
 */
export class ExtractJob<Data = unknown> {
  readonly success = true;
  readonly id: string;
  /** With `ignoreInvalidURLs`: the URLs that were left out. */
  declare readonly invalidURLs?: string[];
  readonly #parts: CallParts;
  readonly #team: string;
  readonly #schema: AnswerSchema | undefined;

  constructor(
    parts: CallParts,
    id: string,
    team: string,
    options: { readonly invalidURLs?: readonly string[] | undefined; readonly schema: AnswerSchema | undefined },
  ) {
    this.id = id;
    if (options.invalidURLs !== undefined) this.invalidURLs = [...options.invalidURLs];
    this.#parts = parts;
    this.#team = team;
    this.#schema = options.schema;
  }

  /**
   * Resolves when the job has ended, however it ended. With a schema of a validation library, `data` is converted by
   * that; if the library refuses the data, it is returned as it is, with a `warning`.
   */
  wait(options?: ExtractWaitOptions): Promise<ExtractStatus<Data>> {
    return sealErrors(options, async () => {
      const { signal, onProgress } = parseWaitOptions(options);
      const job = await waitForJob(this.#parts.following, this.id, {
        signal,
        ...(onProgress && { onProgress: (record) => onProgress(describeExtract(record)) }),
      });
      return (await orAborted(converted(describeExtract(job), this.#schema), signal)) as ExtractStatus<Data>;
    });
  }

  /** Cancels the job. */
  cancel(): Promise<Cancelled> {
    return sealErrors(undefined, () => cancelJob(this.#parts, "extract", this.id, this.#team));
  }
}

async function converted(status: ExtractStatus, schema: AnswerSchema | undefined): Promise<ExtractStatus> {
  if (status.status !== "completed" || schema === undefined) return status;
  const result = await schema.convert(status.data);
  if ("value" in result) return { ...status, data: result.value };
  // If the schema's plain JSON form refuses the data too, the job has already said so.
  if ((await schema.validate(status.data)).length > 0) return status;
  const problem = `The data does not fit the schema: ${namedIssues(result.issues)}.`;
  return { ...status, warning: status.warning === undefined ? problem : `${status.warning} ${problem}` };
}
