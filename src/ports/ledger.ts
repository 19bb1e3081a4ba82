import type { OutboxItem } from "./outbox.ts";

/** Keeps each charge once, and the sums by month. */
export interface Ledger {
  /**
   * Books a charge; a second one with the same id changes nothing and is not an error. The items are put into the
   * outbox in the same step; those whose id is already there are ignored.
   */
  charge(charge: Charge, outbox?: readonly OutboxItem[]): Promise<void>;
  /**
   * Sums by calendar month in UTC, oldest first; with `byApiKey`, also by key (null, for no key, comes last). Months
   * without use are absent.
   */
  usage(query: { readonly team: string; readonly byApiKey: boolean }): Promise<MonthlyUsage[]>;
}

/** Credits and tokens to be paid for one page, one call or the end of one job. */
export interface Charge {
  /** Idempotency key. */
  readonly id: string;
  readonly team: string;
  readonly apiKey: string | null;
  /** Null for a call outside of jobs. */
  readonly jobId: string | null;
  readonly kind: ChargeKind;
  readonly credits: number;
  /** Tokens of language models. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What the charge is for. */
export type ChargeKind = "scrape" | "crawl" | "batch_scrape" | "search" | "extract" | "map";

/** What a team, or one of its keys, has used in a month. */
export interface MonthlyUsage {
  /** First instant of the month, milliseconds since 1970. */
  readonly month: number;
  readonly apiKey: string | null;
  readonly credits: number;
  /** Of extract jobs only; the tokens of other kinds are in their charges. */
  readonly tokens: number;
}
