/** Charges, and their sums by month. */

import type { Charge, Ledger } from "../../ports/ledger.ts";
import { monthlyTokens, monthOf } from "../calendar-month.ts";
import type { Connection, Query } from "./connection.ts";
import type { JobRow } from "./job-rows.ts";
import { insertItems, ofNoPage } from "./outbox.ts";

interface MonthRow {
  readonly month: number;
  readonly keyless: boolean;
  readonly api_key: string;
  readonly credits: number;
  readonly tokens: number;
}

export function postgresLedger({ query, transaction }: Connection): Ledger {
  return {
    charge: (charge, outbox = []) =>
      transaction(async (query) => {
        const added = await insert(query, [charge]);
        // Jobs before months, as in the steps of a job, to avoid deadlocks.
        for (const one of added) await addToJobSums(query, one);
        await addToMonths(query, added);
        await insertItems(query, outbox.map(ofNoPage));
      }),

    async usage({ team, byApiKey }) {
      const rows = await query<MonthRow>(byApiKey ? "usageByKey" : "usage", team);
      return rows.map(({ month, keyless, api_key, credits, tokens }) => ({
        month,
        apiKey: keyless ? null : api_key,
        credits,
        tokens,
      }));
    },
  };
}

/** Books charges within the step of a job, whose row the caller has locked and will save. */
export async function bookForJob(query: Query, charges: readonly Charge[], job: JobRow): Promise<void> {
  const added = await insert(query, charges);
  for (const charge of added) {
    if (charge.jobId === job.id) {
      job.credits_used += charge.credits;
      job.tokens_used += charge.tokens;
    } else {
      await addToJobSums(query, charge);
    }
  }
  await addToMonths(query, added);
}

/** Resolves with those that were not known already. */
async function insert(query: Query, charges: readonly Charge[]): Promise<Charge[]> {
  if (charges.length === 0) return [];
  const rows = await query<{ id: string }>(
    "insertCharges",
    charges.map(({ id }) => id),
    charges.map(({ team }) => team),
    charges.map(({ apiKey }) => apiKey),
    charges.map(({ jobId }) => jobId),
    charges.map(({ kind }) => kind),
    charges.map(({ credits }) => credits),
    charges.map(({ tokens }) => tokens),
    charges.map(({ at }) => at),
  );
  const ids = new Set(rows.map(({ id }) => id));
  // Of several with one id only the first.
  return charges.filter(({ id }) => ids.delete(id));
}

async function addToJobSums(query: Query, { jobId, credits, tokens }: Charge): Promise<void> {
  if (jobId !== null) await query("addToJobSums", jobId, credits, tokens);
}

async function addToMonths(query: Query, charges: readonly Charge[]): Promise<void> {
  const months = Map.groupBy(charges, ({ team, at, apiKey }) => JSON.stringify([team, monthOf(at), apiKey]));
  // In order, to avoid deadlocks.
  for (const [, [first, ...others]] of [...months].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const { team, at, apiKey } = first!;
    const sum = { credits: first!.credits, tokens: monthlyTokens(first!) };
    for (const other of others) {
      sum.credits += other.credits;
      sum.tokens += monthlyTokens(other);
    }
    await query("addToMonth", team, monthOf(at), apiKey === null, apiKey ?? "", sum.credits, sum.tokens);
  }
}
