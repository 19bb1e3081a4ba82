/** Calendar months, in UTC, for the history of usage. */

/** First instant of the month of `at`, both in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The tokens of a charge that count in the history by month: those of extract jobs. */
export function monthlyTokens({ kind, tokens }: { readonly kind: string; readonly tokens: number }): number {
  return kind === "extract" ? tokens : 0;
}
