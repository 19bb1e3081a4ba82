/** `tbs`, the filter of a search by time. */
import { z } from "zod";

/** The last hour, day, week, month or year; or from one day to another, both included (`YYYY-MM-DD`). */
export type TimeFilter =
  | { readonly past: "hour" | "day" | "week" | "month" | "year" }
  | { readonly from: string; readonly to: string };

const past = { h: "hour", d: "day", w: "week", m: "month", y: "year" } as const;

/**
 * Reads `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m`, `qdr:y` and `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`;
 * null for anything else, dates that do not exist and ranges that end before they begin.
 *
 * @example
 * parseTimeFilter("qdr:w"); // { past: "week" }
 * parseTimeFilter("cdr:1,cd_min:02/01/2024,cd_max:02/29/2024"); // { from: "2024-02-01", to: "2024-02-29" }
 */
export function parseTimeFilter(tbs: string): TimeFilter | null {
  const unit = /^qdr:([hdwmy])$/.exec(tbs)?.[1];
  if (unit !== undefined) return { past: past[unit as keyof typeof past] };
  const range = /^cdr:1,cd_min:(\d{1,2}\/\d{1,2}\/\d{4}),cd_max:(\d{1,2}\/\d{1,2}\/\d{4})$/.exec(tbs);
  if (range === null) return null;
  const from = isoDay(range[1]!);
  const to = isoDay(range[2]!);
  return from === null || to === null || from > to ? null : { from, to };
}

/** A day of the calendar in ISO form, or null when there is no such day. */
function isoDay(american: string): string | null {
  const [month, day, year] = american.split("/") as [string, string, string];
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(iso) ? null : iso;
}

export const timeFilter = z
  .string()
  .refine(
    (tbs) => parseTimeFilter(tbs) !== null,
    "must be qdr:h, qdr:d, qdr:w, qdr:m, qdr:y or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY with real dates",
  );
