/** The credits and tokens that a team has used, by month. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";

/** The query of the usage calls. */
export interface UsageQuery {
  /**
   * Return one row for each API key and month, instead of one for each month.
   * @default false
   */
  byApiKey?: boolean | undefined;
}

type ParsedUsageQuery = Filled<UsageQuery>;

export const usageQuery: z.ZodType<ParsedUsageQuery, UsageQuery | undefined> = z
  .strictObject({ byApiKey: z.boolean().default(false) } satisfies Fields<UsageQuery>)
  .prefault({});

/** One calendar month in UTC. */
export interface UsagePeriod {
  /** ISO 8601: first instant of the month. */
  startDate: string;
  /** ISO 8601: first instant of the next month. */
  endDate: string;
  /** Name of the key; null if the usage is not broken down by key, or was without a key. */
  apiKey: string | null;
}

/** Credits by calendar month; months without use are left out. */
export interface CreditUsage {
  success: true;
  /** Oldest first. */
  periods: (UsagePeriod & { totalCredits: number })[];
}

/** Tokens of extract jobs by calendar month; months without use are left out. */
export interface TokenUsage {
  success: true;
  /** Oldest first. */
  periods: (UsagePeriod & { totalTokens: number })[];
}
