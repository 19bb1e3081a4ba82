/** Charges, and their sums by month. */

import type { Charge, Ledger } from "../../ports/ledger.ts";
import { monthlyTokens, monthOf } from "../calendar-month.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";
import type { JobRow } from "./job-rows.ts";
import { insertItems } from "./outbox.ts";

interface MonthRow {
  readonly month: number;
  readonly keyless: number;
  readonly api_key: string;
  readonly credits: number;
  readonly tokens: number;
}

export function sqliteLedger(committer: Committer): Ledger {
  return {
    charge: (charge, outbox = []) =>
      committer.write((database) => {
        if (book(database, charge)) addToJobSums(database, charge);
        insertItems(database, outbox, null);
      }),

    usage: ({ team, byApiKey }) =>
      committer.read((database) =>
        database
          .all<MonthRow>(byApiKey ? "usageByKey" : "usage", team)
          .map(({ month, keyless, api_key, credits, tokens }) => ({
            month,
            apiKey: keyless === 1 ? null : api_key,
            credits,
            tokens,
          })),
      ),
  };
}

/** Books a charge within the step of a job, whose row the caller will save. */
export function bookForJob(database: Database, charge: Charge, job: JobRow): void {
  if (!book(database, charge)) return;
  if (charge.jobId === job.id) {
    job.credits_used += charge.credits;
    job.tokens_used += charge.tokens;
  } else {
    addToJobSums(database, charge);
  }
}

/** False if the charge is already known. */
function book(database: Database, charge: Charge): boolean {
  const { id, team, apiKey, jobId, kind, credits, tokens, at } = charge;
  if (database.run("insertCharge", id, team, apiKey, jobId, kind, credits, tokens, at) === 0) return false;
  database.run("addToMonth", team, monthOf(at), apiKey === null ? 1 : 0, apiKey ?? "", credits, monthlyTokens(charge));
  return true;
}

function addToJobSums(database: Database, { jobId, credits, tokens }: Charge): void {
  if (jobId !== null) database.run("addToJobSums", credits, tokens, jobId);
}
