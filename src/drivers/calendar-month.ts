/** The calendar month, in UTC, that a moment lies in. */

/** First instant of the month of `at`, both in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
