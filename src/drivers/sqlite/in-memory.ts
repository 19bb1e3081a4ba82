/** The path of a database in memory, which is gone when it is closed. */
export const inMemory = ":memory:";
