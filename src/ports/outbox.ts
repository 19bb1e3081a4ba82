/**
 * Events and charges waiting to be handed to sinks outside the storage (webhooks, event sinks, a host's billing).
 * Items are written in the same step as what they speak of, and are delivered at least once, in order within a lane.
 */
export interface Outbox {
  /** Adds items that belong to no job step. Items whose id is there already, waiting or given up, are ignored. */
  add(items: readonly OutboxItem[]): Promise<void>;

  /**
   * Takes lanes that have due items and that nobody holds, not even the same worker, those due longest first. Returns for
   * each up to `batch` items from its head, in order; fewer where their documents are large, but at least one. An item is
   * due from `createdAt`, or from its retry time, and blocks its lane until then. A lane is held until it is settled or
   * `leaseUntil <= now`.
   */
  take(request: {
    readonly worker: string;
    readonly now: number;
    readonly leaseUntil: number;
    readonly lanes: number;
    readonly batch: number;
  }): Promise<OutboxLane[]>;

  /**
   * Reports on a taken lane and frees it: the items delivered (they are deleted), and the first that was not, if any:
   * to be retried at `retryAt`, or given up (null) and kept as failed, out of the lane's way, as long as its job. An item
   * of a job that is gone, or that keeps no data and was erased already, is not kept but deleted. A lane with items left
   * has its next turn after those that were due by `at`: one with many items holds up nobody else's few.
   * From a worker that no longer holds the lane only `delivered` counts.
   */
  settle(lane: { readonly lane: string; readonly worker: string }, report: LaneReport): Promise<void>;

  /** Workers that hold lanes at the moment, also those whose lease has ended. */
  listHolders(): Promise<string[]>;

  /** Frees the lanes of a worker that is known to be dead. */
  releaseLanes(worker: string): Promise<void>;

  /** When `take` will next find something: an item becomes due, or the lease on its lane ends. Null: nothing waits. */
  nextDue(): Promise<number | null>;

  /** Items that were given up, oldest first. */
  listFailed(filter: { readonly team: string; readonly jobId?: string }): Promise<FailedItem[]>;

  /** Puts a given-up item back at the end of its lane, due at once, as if never tried. False when there is no such item. */
  redeliver(id: string, team: string): Promise<boolean>;
}

/** An event or a charge on its way. */
export interface OutboxItem {
  /** Stable over retries; the receiver's key against doubles. */
  readonly id: string;
  readonly team: string;
  readonly jobId: string | null;
  /** Where it goes: `webhook`, `billing`, or `events.<n>` for the host's n-th event sink. */
  readonly target: string;
  /** Items of one lane are delivered in order: a job's for one target, or a team's for billing. */
  readonly lane: string;
  /** JSON text. */
  readonly payload: string;
  /**
   * Of items that `completePage` writes: the page's document is joined to the item when it is taken, so that it is not
   * stored twice.
   */
  readonly withDocument?: boolean;
  readonly createdAt: number;
}

/** A lane that was taken, with the first of its items. */
export interface OutboxLane {
  readonly lane: string;
  readonly items: readonly (OutboxItem & {
    readonly document: string | null;
    /** Deliveries tried before this one. */
    readonly attempts: number;
  })[];
}

/** What became of the items of a lane. */
export interface LaneReport {
  /** When the lane was let go of. Absent: its next turn is when its first item is due. */
  readonly at?: number;
  /** Ids. */
  readonly delivered: readonly string[];
  readonly failed?: {
    readonly id: string;
    /** When it failed. */
    readonly at: number;
    /** When it is to be tried again; null: it is given up. */
    readonly retryAt: number | null;
    readonly error: string;
  };
}

/** An item that was given up. */
export interface FailedItem {
  readonly id: string;
  readonly jobId: string | null;
  readonly target: string;
  readonly payload: string;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: number;
}
