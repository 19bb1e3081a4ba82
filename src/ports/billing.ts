import type { Charge, ChargeKind, MonthlyUsage } from "./ledger.ts";

/**
 * Decides who may spend credits, and receives the charges. The default allows everything and books it in the storage's
 * ledger.
 *
 * Contract
 * - `authorize` is called before work starts. It must be quick, and may be called again for the same work. A host that
 *   reserves `atLeast` does so under the reservation's `id`; a second call with the same id (URLs added to a batch)
 *   asks for a further `atLeast`.
 * - `charge` is called at least once for each charge, whose `id` is the idempotency key. If it rejects, the charge
 *   stays in the outbox and is tried again.
 * - `release` is called at least once when the work has ended, however it ended, and after its last charge: what was
 *   reserved and not charged is free again. It is called too when `authorize` rejects: something may have been reserved,
 *   and only the answer lost. If URLs are added to a batch as it ends, their charges may come after its
 *   release, and are followed by another one. The reservation of a job that nobody resumes is never released; it may
 *   lapse `limits.jobTtlMs` after the last charge.
 * - Without `usage`, the usage calls read the storage's ledger.
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
  /** The least that the work will cost, in credits. */
  readonly atLeast: number;
}

/** Identifies the work that `authorize` allowed, until it has ended. */
export interface Reservation {
  /** For a job: the `jobId` of its charges. For any other call: the `id` of its only charge. */
  readonly id: string;
  readonly team: string;
}

/** Whether the work may start; if not, the caller is told the reason. */
export type Authorization = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };
