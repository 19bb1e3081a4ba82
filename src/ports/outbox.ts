/**
 * Events and charges waiting to be delivered outside the storage (to webhooks, event sinks, a host's billing). Items
 * are written in the same step as what they report, and are delivered at least once, in order within a lane.
 */
export interface Outbox {
  /** Adds items that belong to no step of a job. Items whose id is already there, waiting or given up, are ignored. */
  add(items: readonly OutboxItem[]): Promise<void>;

  /**
   * Takes lanes that have due items and that nobody holds, not even the same worker; those that have been due longest
   * come first. Returns up to `batch` items from the head of each, in order; fewer if their documents are large, but at
   * least one. An item is due from `createdAt` on, or from its retry time, and blocks its lane until then. A lane is
   * held until it is settled or `leaseUntil <= now`.
   */
  take(request: {
    readonly worker: string;
    readonly now: number;
    readonly leaseUntil: number;
    readonly lanes: number;
    readonly batch: number;
  }): Promise<OutboxLane[]>;

  /**
   * Reports on a taken lane and frees it. The items delivered are deleted. The first that was not delivered, if any, is
   * retried at `retryAt`, or given up (null): it is then kept as failed, out of the lane's way, as long as its job. If
   * its job is gone, or has `zeroDataRetention` and was erased, the item is deleted instead. A lane with items left has its
   * next turn after those that were due by `at`, so that a lane with many items does not hold up lanes with few. From a
   * worker that no longer holds the lane, only `delivered` counts.
   */
  settle(lane: { readonly lane: string; readonly worker: string }, report: LaneReport): Promise<void>;

  /** Workers that hold lanes at the moment, including those whose lease has ended. */
  listHolders(): Promise<string[]>;

  /** Frees the lanes of a worker that is known to be dead. */
  releaseLanes(worker: string): Promise<void>;

  /**
   * When `take` will next find something, because an item becomes due or the lease on its lane ends. Null: nothing is
   * waiting.
   */
  nextDue(): Promise<number | null>;

  /** Items that were given up, oldest first: all, or after the first `skip` at most `limit`. */
  listFailed(filter: {
    readonly team: string;
    readonly jobId?: string | undefined;
    readonly skip?: number;
    readonly limit?: number;
  }): Promise<FailedItem[]>;

  /**
   * Puts a given-up item back at the end of its lane, as if it had never been tried: no attempts, and due since its
   * `createdAt`. False if there is no such item.
   */
  redeliver(id: string, team: string): Promise<boolean>;
}

/** An event or a charge to be delivered. */
export interface OutboxItem {
  /** The same in every attempt; receivers recognise duplicates by it. */
  readonly id: string;
  readonly team: string;
  readonly jobId: string | null;
  /** Its receiver: `webhook`, `billing`, or `events.<n>` for the host's n-th event sink. */
  readonly target: string;
  /** Items of one lane are delivered in order: those of a job for one target, or those of a team for billing. */
  readonly lane: string;
  /** JSON text. */
  readonly payload: string;
  /**
   * For items that `completePage` writes: the page's document is added to the item when it is taken, so that it is not
   * stored twice.
   */
  readonly withDocument?: boolean;
  readonly createdAt: number;
}

/** A lane that was taken, with its first items. */
export interface OutboxLane {
  readonly lane: string;
  readonly items: readonly (OutboxItem & {
    readonly document: string | null;
    /** Attempts before this one. */
    readonly attempts: number;
  })[];
}

/** What became of the items of a lane. */
export interface LaneReport {
  /** When the lane was released. Absent: its next turn is when its first item is due. */
  readonly at?: number;
  /** Ids. */
  readonly delivered: readonly string[];
  readonly failed?: {
    readonly id: string;
    /** When it failed. */
    readonly at: number;
    /** When to try again; null gives it up. */
    readonly retryAt: number | null;
    readonly error: string;
    /** False: the worker has no such receiver and leaves the item to another, so this does not count as an attempt. */
    readonly isAttempt?: boolean;
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
