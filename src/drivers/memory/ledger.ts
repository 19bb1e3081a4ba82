/** Charges of the memory driver, and their sums by month. */

import type { Charge, Ledger, MonthlyUsage } from "../../ports/ledger.ts";
import { monthlyTokens, monthOf } from "../calendar-month.ts";
import type { MemoryOutbox } from "./outbox.ts";

export interface MemoryLedger extends Ledger {
  /** The same as `charge`, synchronously, within the caller's step. */
  book(charge: Charge): void;
}

/**
 * At least so many charges are recognised when they come again, which they do within seconds. If all were remembered,
 * each call would take memory for as long as the process lives.
 */
const knownCharges = 100_000;

type Sum = { -readonly [Field in keyof MonthlyUsage]: MonthlyUsage[Field] };

/** @param onBooked called once for each new charge */
export function memoryLedger(onBooked: (charge: Charge) => void, outbox: MemoryOutbox): MemoryLedger {
  // In two parts, the older of which is dropped as a whole: removing the first of many items from a set again and again
  // is slow.
  let booked = new Set<string>();
  let bookedBefore = new Set<string>();
  /** By team, then by month and key. */
  const teams = new Map<string, Map<string, Sum>>();

  /** False if the charge is already known. */
  function remember(id: string): boolean {
    if (booked.has(id) || bookedBefore.has(id)) return false;
    if (booked.size === knownCharges) {
      bookedBefore = booked;
      booked = new Set();
    }
    // Copied into one piece: a random id is a string concatenated from many, which takes ten times the memory.
    booked.add(` ${id}`.slice(1));
    return true;
  }

  function book(charge: Charge): void {
    if (!remember(charge.id)) return;
    let sums = teams.get(charge.team);
    if (sums === undefined) {
      sums = new Map();
      teams.set(charge.team, sums);
    }
    add(sums, { ...charge, month: monthOf(charge.at), tokens: monthlyTokens(charge) });
    onBooked(charge);
  }

  return {
    book,
    async charge(charge, items = []) {
      book(charge);
      outbox.insert(items, null);
    },
    async usage({ team, byApiKey }) {
      const sums = new Map<string, Sum>();
      for (const sum of teams.get(team)?.values() ?? []) add(sums, byApiKey ? sum : { ...sum, apiKey: null });
      return [...sums.values()].sort((a, b) => a.month - b.month || compareKeys(a.apiKey, b.apiKey));
    },
  };
}

function add(sums: Map<string, Sum>, { month, apiKey, credits, tokens }: MonthlyUsage): void {
  const name = `${month} ${apiKey === null ? "" : `=${apiKey}`}`;
  const sum = sums.get(name);
  if (sum === undefined) {
    sums.set(name, { month, apiKey, credits, tokens });
  } else {
    sum.credits += credits;
    sum.tokens += tokens;
  }
}

/** Orders keys by their code units; null, for no key, comes last. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
