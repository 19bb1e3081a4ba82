/** Billing by a ledger: everything is allowed and booked. */
import type { Billing } from "../ports/billing.ts";
import type { Ledger } from "../ports/ledger.ts";

/**
 * What the engine does without `billing`, as a {@link Billing} that you can build upon.
 *
 * @example
 * const storage = sqliteStorage({ path: "crawl.db" });
 * const books = ledgerBilling(storage.ledger);
 * const billing: Billing = {
 *   ...books,
 *   authorize: ({ team }) => (isPaid(team) ? { allowed: true } : { allowed: false, reason: "the bill is open" }),
 * };
 * const engine = createEngine({ storage, billing });
 */
export function ledgerBilling(ledger: Ledger): Required<Omit<Billing, "release">> {
  return {
    authorize: () => ({ allowed: true }),
    charge: (charge) => ledger.charge(charge),
    usage: (query) => ledger.usage(query),
  };
}
