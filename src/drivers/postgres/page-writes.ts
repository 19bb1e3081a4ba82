/** What is written of the pages that are completed together: collected page by page, then written table by table. */

import type { LeftOutUrl, NewPage, PageCompletion } from "../../ports/job-store.ts";
import type { Charge } from "../../ports/ledger.ts";
import type { NewPageVersion } from "../../ports/page-versions.ts";
import { readRepeats } from "../repeats.ts";
import { admit, leaveOut } from "./admission.ts";
import type { Query } from "./connection.ts";
import type { JobRow } from "./job-rows.ts";
import { bookForJob } from "./ledger.ts";
import { type ItemOfPage, insertItems } from "./outbox.ts";
import { insertVersion } from "./versions.ts";

type Outcome = PageCompletion["outcome"];

export class PageWrites {
  readonly #ended: { place: number; outcome: Outcome; hasDocument: boolean }[] = [];
  readonly #finalKeys = new Map<string, number>();
  readonly #documents: { place: number; document: string }[] = [];
  readonly #results: { position: number; place: number; bytes: number; url: string | null }[] = [];
  readonly #failures: (NonNullable<PageCompletion["failure"]> & { position: number; timestamp: number })[] = [];
  readonly #leftOut: LeftOutUrl[] = [];
  /** Those of dropped pages, by URL. */
  readonly #leftOutByDropped = new Map<string, LeftOutUrl>();
  readonly #charges: Charge[] = [];
  readonly #items: ItemOfPage[] = [];
  readonly #versions: NewPageVersion[] = [];
  readonly #discovered: NewPage[] = [];
  #memo: string | undefined;

  /** What is written of a duplicate, too. */
  always({ memo, discovered }: PageCompletion): void {
    this.#memo = memo ?? this.#memo;
    for (const page of discovered) this.#discovered.push(page);
  }

  /** The last page that a key is given to has it. */
  finalKey(hash: string, place: number): void {
    this.#finalKeys.set(hash, place);
  }

  drop(place: number): void {
    this.#ended.push({ place, outcome: "dropped", hasDocument: false });
  }

  /**
   * Counts the page in its job.
   *
   * @returns the position of its first result, if it has one
   */
  page(job: JobRow, place: number, repeats: string | null, completion: PageCompletion): number | undefined {
    const { outcome, leftOut, charge, outbox, version } = completion;
    const document = outcome === "dropped" ? undefined : completion.document;
    this.#ended.push({ place, outcome, hasDocument: document !== undefined });
    if (outcome !== "dropped") {
      job.attempted += 1;
      this.#fail(job, completion);
      if (version !== undefined) this.#versions.push(version);
    }
    for (const left of leftOut) {
      if (outcome === "dropped") this.#leftOutByDropped.set(left.url, left);
      else this.#leftOut.push(left);
    }
    if (charge !== undefined) this.#charges.push(charge);
    for (const item of outbox) this.#items.push({ item, place: document === undefined ? null : place });
    return document === undefined ? undefined : this.#list(job, { place, outcome, document, repeats });
  }

  #fail(job: JobRow, { outcome, failure, completedAt }: PageCompletion): void {
    if (outcome !== "failed" || failure === undefined) return;
    this.#failures.push({ ...failure, position: job.attempted, timestamp: completedAt });
  }

  #list(job: JobRow, page: { place: number; outcome: Outcome; document: string; repeats: string | null }): number {
    const { place, outcome, document, repeats } = page;
    const position = job.listed;
    const bytes = Buffer.byteLength(document);
    this.#documents.push({ place, document });
    for (const url of [null, ...readRepeats(repeats)]) {
      this.#results.push({ position: job.listed++, place, bytes: bytes + Buffer.byteLength(url ?? ""), url });
      if (outcome === "succeeded") job.succeeded += 1;
    }
    return position;
  }

  /** Within the caller's transaction. Counts charges and discovered pages in the job. */
  async write(query: Query, job: JobRow): Promise<void> {
    const { number } = job;
    const [ended, keys, results, failures] = [this.#ended, this.#finalKeys, this.#results, this.#failures];
    if (this.#memo !== undefined) await query("saveMemo", number, this.#memo);
    if (keys.size > 0) await query("insertFinalKeys", number, [...keys.keys()], [...keys.values()]);
    await query("endPages", number, ...columns(ended, "place", "outcome", "hasDocument"));
    // One by one, because quotation marks, of which JSON is full, are escaped in arrays.
    for (const { place, document } of this.#documents) await query("insertDocument", number, place, document);
    if (results.length > 0) {
      await query("insertResults", number, ...columns(results, "position", "place", "bytes", "url"));
    }
    if (failures.length > 0) {
      await query(
        "insertFailures",
        number,
        ...columns(failures, "position", "id", "timestamp", "url", "code", "error"),
      );
    }
    await leaveOut(query, job, this.#leftOut);
    await leaveOut(query, job, [...this.#leftOutByDropped.values()], "replaceLeftOut");
    await bookForJob(query, this.#charges, job);
    await insertItems(query, this.#items, job);
    // In an order that all jobs share: two that meet the same pages would else wait for each other. Of one page the last
    // stays the last.
    const versions = this.#versions.toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
    for (const version of versions) await insertVersion(query, version);
    await admit(query, job, this.#discovered, "ignore");
  }
}

function columns<Row, Name extends keyof Row>(rows: readonly Row[], ...names: readonly Name[]): Row[Name][][] {
  return names.map((name) => rows.map((row) => row[name]));
}
