/** Charges, and their sums by month. */

import type { Charge, Ledger } from "../../ports/ledger.ts";
import { monthlyTokens, monthOf } from "../calendar-month.ts";
import type { Connection, Query } from "./connection.ts";
import type { JobRow } from "./job-rows.ts";
import { insertItems } from "./outbox.ts";

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
        if (await insert(query, charge)) {
          // Jobs before months, as in the steps of a job, to avoid deadlocks.
          await addToJobSums(query, charge);
          await addToMonth(query, charge);
        }
        if (outbox.length > 0) await insertItems(query, outbox, null);
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

/** Books a charge within the step of a job, whose row the caller has locked and will save. */
export async function bookForJob(query: Query, charge: Charge, job: JobRow): Promise<void> {
  if (!(await insert(query, charge))) return;
  if (charge.jobId === job.id) {
    job.credits_used += charge.credits;
    job.tokens_used += charge.tokens;
  } else {
    await addToJobSums(query, charge);
  }
  await addToMonth(query, charge);
}

/** False if the charge is already known. */
async function insert(query: Query, charge: Charge): Promise<boolean> {
  const { id, team, apiKey, jobId, kind, credits, tokens, at } = charge;
  return (await query("insertCharge", id, team, apiKey, jobId, kind, credits, tokens, at)).length === 1;
}

async function addToJobSums(query: Query, { jobId, credits, tokens }: Charge): Promise<void> {
  if (jobId !== null) await query("addToJobSums", jobId, credits, tokens);
}

async function addToMonth(query: Query, charge: Charge): Promise<void> {
  const { team, at, apiKey, credits } = charge;
  await query("addToMonth", team, monthOf(at), apiKey === null, apiKey ?? "", credits, monthlyTokens(charge));
}
