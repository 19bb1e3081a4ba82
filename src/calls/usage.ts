import type { CallContext } from "../contract/call-context.ts";
import { parse } from "../contract/parse.ts";
import { type CreditUsage, type TokenUsage, type UsagePeriod, type UsageQuery, usageQuery } from "../contract/usage.ts";
import type { MonthlyUsage } from "../ports/ledger.ts";
import type { CallParts } from "./call-parts.ts";
import { openCall } from "./open-call.ts";

/** Credits by calendar month. */
export async function creditUsage(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<CreditUsage> {
  const months = await read(parts, query, context);
  const used = months.filter(({ credits }) => credits > 0);
  return { success: true, periods: used.map((month) => ({ ...periodOf(month), totalCredits: month.credits })) };
}

/** Tokens by calendar month; only extract uses any. */
export async function tokenUsage(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<TokenUsage> {
  const months = await read(parts, query, context);
  const used = months.filter(({ tokens }) => tokens > 0);
  return { success: true, periods: used.map((month) => ({ ...periodOf(month), totalTokens: month.tokens })) };
}

async function read(parts: CallParts, query?: UsageQuery, context?: CallContext): Promise<readonly MonthlyUsage[]> {
  const { team } = openCall(parts, context);
  const { byApiKey } = parse(usageQuery, query, "usage query");
  return parts.billing?.usage?.({ team, byApiKey }) ?? parts.storage.ledger.usage({ team, byApiKey });
}

function periodOf({ month, apiKey }: MonthlyUsage): UsagePeriod {
  const start = new Date(month);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return { startDate: start.toISOString(), endDate: end.toISOString(), apiKey };
}
