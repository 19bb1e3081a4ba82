/** What tables have in common that hold the latest entries of each key, up to a number of bytes. */

interface Entry {
  readonly team: string;
  readonly hash: string;
  readonly bytes: number;
}

export interface Sized {
  readonly bytes: number;
}

/** The entries that are left if all are written in this order: of each key the last, and no more than fit. */
export function newestThatFit<Given extends Entry>(entries: readonly Given[], maxBytes: number): Given[] {
  const keys = new Set<string>();
  const left: Given[] = [];
  let bytes = 0;
  for (const entry of entries.toReversed()) {
    const key = `${entry.hash} ${entry.team}`;
    if (keys.has(key)) continue;
    keys.add(key);
    // It alone is too much, and pushes no other out.
    if (entry.bytes > maxBytes) continue;
    bytes += entry.bytes;
    if (bytes > maxBytes) break;
    left.push(entry);
  }
  return left.reverse();
}

/** The values of each column, as `unnest` takes them. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}

export function sum(rows: readonly Sized[]): number {
  return rows.reduce((total, row) => total + row.bytes, 0);
}

/**
 * Removes the oldest entries until there is room.
 *
 * @param total the bytes of all entries
 * @param room the most that may be left
 * @param removeOldest removes at least one entry if there is one, and as many as free so many bytes, or a part of them
 * @returns the bytes of all entries afterwards
 */
export async function makeRoom(
  total: number,
  room: number,
  removeOldest: (bytes: number) => Promise<Sized[]>,
): Promise<number> {
  let left = total;
  while (left > room) {
    const removed = await removeOldest(left - room);
    left = removed.length === 0 ? 0 : left - sum(removed);
  }
  return left;
}
