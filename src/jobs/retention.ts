import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Readers } from "./readers.ts";

/**
 * Under zero data retention, the documents of an ended job are erased once they have been read to the end. If other
 * readers in this process are still in the middle, they are erased when the last of those has finished.
 */
export async function eraseIfNotRetained(
  { jobs, readers }: { readonly jobs: Pick<JobStore, "eraseResults">; readonly readers: Pick<Readers, "whenUnread"> },
  { id, zeroDataRetention }: JobRecord,
): Promise<void> {
  if (zeroDataRetention) await readers.whenUnread(id, () => jobs.eraseResults(id));
}
