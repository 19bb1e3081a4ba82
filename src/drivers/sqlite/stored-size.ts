/** How many bytes a table holds: read once in a transaction, changed in place, and written before it commits. */

import type { Database } from "./database.ts";
import type { StatementName } from "./statements.ts";

export interface StoredSize {
  bytes: number;
}

export function storedSize(database: Database, read: StatementName, save: StatementName): StoredSize {
  const size = database.shared(read, () => database.get<StoredSize>(read) as StoredSize);
  database.beforeCommit(save, () => database.run(save, size.bytes));
  return size;
}
