/** Tests of a suite, each with a fresh object under test, which is closed after the test, however that ends. */

/** Registers a test: `test` of vitest, Jest or `node:test`. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

export function freshForEach<Fresh extends { close?(): Promise<void> | void }>(
  register: RegisterTest,
  create: () => Promise<Fresh> | Fresh,
): (name: string, run: (fresh: Fresh) => Promise<void>) => void {
  return (name, run) => {
    register(name, async () => {
      const fresh = await create();
      try {
        await run(fresh);
      } finally {
        await fresh.close?.();
      }
    });
  };
}
