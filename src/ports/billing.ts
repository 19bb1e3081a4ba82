import type { Charge, ChargeKind, MonthlyUsage } from "./ledger.ts";

/**
 * Who may spend, and where the charges go. The default books into the storage's ledger and allows everything.
 *
 * Contract
 * - `authorize` is asked before work starts; it must be quick and may be asked again for the same work.
 * - `charge` is called at least once for each charge; `id` is the idempotency key. It may reject: the charge stays in
 *   the outbox and is tried again.
 * - Without `usage` the usage calls read the engine's own ledger.
 */
export interface Billing {
  authorize(request: BillingRequest): Promise<Authorization> | Authorization;
  charge(charge: Charge): Promise<void> | void;
  usage?(query: { team: string; byApiKey: boolean }): Promise<readonly MonthlyUsage[]>;
}

export interface BillingRequest {
  readonly team: string;
  readonly apiKey: string | null;
  readonly kind: ChargeKind;
  /** Credits that the work will cost at the least. */
  readonly atLeast: number;
}

export type Authorization = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };
