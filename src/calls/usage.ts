import type { CallContext } from "../contract/call-context.ts";
import { parse } from "../contract/parse.ts";
import { type CreditUsage, type TokenUsage, type UsagePeriod, type UsageQuery, usageQuery } from "../contract/usage.ts";
import { RequestError } from "../errors.ts";
import type { MonthlyUsage } from "../ports/ledger.ts";
import { creditSum } from "../shared/credit-sum.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { CallParts } from "./call-parts.ts";
import { openCallFor } from "./open-call.ts";

/** Credits by calendar month. */
export async function creditUsage(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<CreditUsage> {
  const months = await read(parts, query, context);
  const used = months.filter(({ credits }) => credits > 0);
  return {
    success: true,
    periods: used.map((month) => ({ ...periodOf(month), totalCredits: creditSum(month.credits) })),
  };
}

/** Tokens by calendar month; only extract uses any. */
export async function tokenUsage(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<TokenUsage> {
  const months = await read(parts, query, context);
  const used = months.filter(({ tokens }) => tokens > 0);
  return { success: true, periods: used.map((month) => ({ ...periodOf(month), totalTokens: month.tokens })) };
}

async function read(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<readonly MonthlyUsage[]> {
  const { caller, request } = await openCallFor(parts, context, () => parse(usageQuery, query, "usage query"));
  const { team } = caller;
  const { byApiKey } = request;
  const asked = async () =>
    ofHost(await parts.billing?.usage?.({ team, byApiKey }), byApiKey) ??
    parts.storage.ledger.usage({ team, byApiKey });
  // A host that takes its time does not hold up the closing of the engine.
  return orAborted(asked(), parts.closing);
}

/** Sums up what a host has given: it may keep its books by key and day, and in any order. */
function ofHost(given: readonly MonthlyUsage[] | null | undefined, byApiKey: boolean): MonthlyUsage[] | undefined {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given) || !given.every(isUsage)) throw wrongUsage();
  const sums = new Map<string, MonthlyUsage>();
  for (const { month, apiKey, credits, tokens } of given) {
    const day = new Date(month);
    const start = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
    const key = byApiKey ? (apiKey ?? null) : null;
    const name = JSON.stringify([start, key]);
    const known = sums.get(name) ?? { credits: 0, tokens: 0 };
    const sum = { credits: known.credits + credits, tokens: known.tokens + tokens };
    sums.set(name, { month: start, apiKey: key, ...sum });
  }
  return [...sums.values()].sort((one, other) => one.month - other.month);
}

/** Databases give the sums of whole numbers as texts, which would be put behind one another instead of being added. */
function isUsage(row: { readonly [Field in keyof MonthlyUsage]?: unknown } | null | undefined): boolean {
  const { month, credits, tokens } = row ?? {};
  return [new Date(month as number).getTime(), credits, tokens].every(Number.isFinite);
}

function wrongUsage(): RequestError {
  const what = "a list of { month, apiKey, credits, tokens }, where credits and tokens are numbers";
  return new RequestError("UNSUPPORTED", `billing.usage must give ${what}`);
}

function periodOf({ month, apiKey }: MonthlyUsage): UsagePeriod {
  const start = new Date(month);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return { startDate: start.toISOString(), endDate: end.toISOString(), apiKey };
}
