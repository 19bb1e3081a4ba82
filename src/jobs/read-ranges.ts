/** Which results of a job have been read through its status, in this process. */

export interface ReadRanges {
  /** The results from `from` to before `to` have been read. True if now all before `listed` have been. */
  add(jobId: string, range: { readonly from: number; readonly to: number }, listed: number): boolean;
  forget(jobId: string): void;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Most jobs that are remembered; of others, the results stay until they expire or are read at once. */
const mostJobs = 10_000;

export function createReadRanges(): ReadRanges {
  /** For each job its ranges, in order and apart from each other; jobs that were read last come last. */
  const jobs = new Map<string, readonly Range[]>();
  return {
    add(jobId, range, listed) {
      const known = jobs.get(jobId) ?? [];
      // A part beyond the end has no results.
      const ranges = range.to > range.from || range.from === 0 ? united([...known, range]) : known;
      jobs.delete(jobId);
      jobs.set(jobId, ranges);
      for (const oldest of jobs.keys()) {
        if (jobs.size <= mostJobs) break;
        jobs.delete(oldest);
      }
      const [first] = ranges;
      return first?.from === 0 && first.to >= listed;
    },
    forget: (jobId) => void jobs.delete(jobId),
  };
}

function united(ranges: Range[]): Range[] {
  const apart: Range[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last === undefined || range.from > last.to) apart.push(range);
    else apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return apart;
}
