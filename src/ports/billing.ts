import type { Charge, ChargeKind, MonthlyUsage } from "./ledger.ts";

/**
 * Who may spend, and where the charges go. The default books into the storage's ledger and allows everything.
 *
 * Contract
 * - `authorize` is asked before work starts; it must be quick and may be asked again for the same work. A host that
 *   reserves `atLeast` does so under the reservation's `id`; a second time under one id (URLs added to a batch) comes on top.
 * - `charge` is called at least once for each charge; `id` is the idempotency key. It may reject: the charge stays in
 *   the outbox and is tried again.
 * - `release` is called at least once when the work has ended, however it ended, after its last charge: what was
 *   reserved and not charged is free again. A job that nobody resumes is never released; its reservation may lapse
 *   `limits.jobTtlMs` after the last charge.
 * - Without `usage` the usage calls read the engine's own ledger.
 */
export interface Billing {
  authorize(request: BillingRequest, reservation: Reservation): Promise<Authorization> | Authorization;
  charge(charge: Charge): Promise<void> | void;
  release?(reservation: Reservation): Promise<void> | void;
  usage?(query: { team: string; byApiKey: boolean }): Promise<readonly MonthlyUsage[]>;
}

/** Work that is about to start. */
export interface BillingRequest {
  readonly team: string;
  readonly apiKey: string | null;
  readonly kind: ChargeKind;
  /** Credits that the work will cost at the least. */
  readonly atLeast: number;
}

/** What `authorize` allowed, until the work has ended. */
export interface Reservation {
  /** `jobId` of the charges of a job; `id` of the one charge of a call outside of jobs. */
  readonly id: string;
  readonly team: string;
}

/** Whether it may start; the reason is told to the caller. */
export type Authorization = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };
