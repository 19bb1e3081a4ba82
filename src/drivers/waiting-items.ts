import type { OutboxLane } from "../ports/outbox.ts";

/** A row of the outbox in a database. */
export interface WaitingItem {
  readonly id: string;
  readonly team: string;
  readonly job_id: string | null;
  readonly target: string;
  readonly payload: string;
  readonly with_document: boolean | number | null;
  readonly created_at: number;
  readonly due_at: number;
  readonly attempts: number;
  readonly document: string | null;
}

/** The items of a lane before the first that is not due. */
export function dueItems(rows: readonly WaitingItem[], lane: string, now: number): OutboxLane["items"] {
  const end = rows.findIndex((row) => row.due_at > now);
  return (end === -1 ? rows : rows.slice(0, end)).map((row) => ({
    id: row.id,
    team: row.team,
    jobId: row.job_id,
    target: row.target,
    lane,
    payload: row.payload,
    ...(row.with_document === null ? {} : { withDocument: Boolean(row.with_document) }),
    createdAt: row.created_at,
    document: row.document,
    attempts: row.attempts,
  }));
}
