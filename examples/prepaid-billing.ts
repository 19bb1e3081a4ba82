import type { Billing } from "../src/index.ts"; // in your program: from "crawlcore"

/** Teams with prepaid credits. In a real program they are rows of a database, and each method is one transaction. */
export function prepaidBilling(credits: Map<string, number>): Billing {
  const reserved = new Map<string, { readonly team: string; credits: number }>();
  const charged = new Set<string>();
  const free = (team: string) =>
    [...reserved.values()].reduce((sum, one) => sum - (one.team === team ? one.credits : 0), credits.get(team) ?? 0);
  return {
    authorize({ team, atLeast }, { id }) {
      if (atLeast > free(team)) return { allowed: false, reason: `${free(team)} credits left, ${atLeast} needed` };
      reserved.set(id, { team, credits: (reserved.get(id)?.credits ?? 0) + atLeast });
      return { allowed: true };
    },
    charge(charge) {
      // A charge may come twice, with the same id.
      if (charged.has(charge.id)) return;
      charged.add(charge.id);
      credits.set(charge.team, (credits.get(charge.team) ?? 0) - charge.credits);
      const reservation = reserved.get(charge.jobId ?? charge.id);
      if (reservation !== undefined) reservation.credits = Math.max(0, reservation.credits - charge.credits);
    },
    release({ id }) {
      reserved.delete(id);
    },
  };
}
