/** The path that means: in memory, gone when closed. */
export const inMemory = ":memory:";
