/** Writes into a table that holds the latest entries of each key, up to a number of bytes. */

import type { Query } from "./connection.ts";
import type { StatementName } from "./statements.ts";

/** The statements of such a table. */
export interface BoundedTable {
  /** Locks and returns the bytes of all entries. */
  readonly lock: StatementName;
  readonly setBytes: StatementName;
  /** Removes the entries of keys, given as lists of teams and hashes. */
  readonly removeKeys: StatementName;
  /** Removes the oldest entries: one at least, and as many as free so many bytes, or a part of them. */
  readonly removeOldest: StatementName;
}

interface Entry {
  readonly team: string;
  readonly hash: string;
  readonly bytes: number;
  /** It only removes the entries of its key. */
  readonly isRemoval?: boolean;
}

interface Sized {
  readonly bytes: number;
}

/**
 * Writes entries in their order, in a transaction of the caller.
 *
 * @param wanted those of the entries that are to be written, found once the table is locked
 * @param insert is given those that are left in the end
 * @param clean removes what is too old; returns the sizes of what it removed
 */
export async function putNewest<Given extends Entry>(
  query: Query,
  table: BoundedTable,
  wanted: () => Promise<readonly Given[]> | readonly Given[],
  maxBytes: number,
  insert: (left: readonly Given[]) => Promise<unknown>,
  clean: () => Promise<readonly Sized[]> = async () => [],
): Promise<void> {
  let total = await lockBytes(query, table);
  const entries = await wanted();
  const left = newestThatFit(entries, maxBytes);
  const added = sum(left);
  total -= sum(await clean());
  const keys = [entries.map(({ team }) => team), entries.map(({ hash }) => hash)];
  total -= sum(await query<Sized>(table.removeKeys, ...keys));
  while (total + added > maxBytes) {
    const removed = await query<Sized>(table.removeOldest, total + added - maxBytes);
    total -= removed.length === 0 ? total : sum(removed);
  }
  if (left.length > 0) await insert(left);
  await query(table.setBytes, total + added);
}

/** The number of bytes of all entries, locked until the transaction ends. */
export async function lockBytes(query: Query, { lock }: BoundedTable): Promise<number> {
  return sum(await query<Sized>(lock));
}

export function sum(rows: readonly Sized[]): number {
  return rows.reduce((total, row) => total + row.bytes, 0);
}

/** The entries that are left if all are written in this order: of each key the last, and no more than fit. */
function newestThatFit<Given extends Entry>(entries: readonly Given[], maxBytes: number): Given[] {
  const keys = new Set<string>();
  const left: Given[] = [];
  let bytes = 0;
  for (const entry of entries.toReversed()) {
    const key = `${entry.hash} ${entry.team}`;
    if (keys.has(key)) continue;
    keys.add(key);
    // If it alone is too much, it pushes no other out.
    if (entry.isRemoval || entry.bytes > maxBytes) continue;
    bytes += entry.bytes;
    if (bytes > maxBytes) break;
    left.push(entry);
  }
  return left.reverse();
}
