import type { RegisterTest } from "../src/testing/index.ts";

/**
 * The first case of a conformance suite that fails, if any does.
 *
 * @param patienceMs a case that waits longer waits for what will not come
 */
export async function firstFailure(
  register: (test: RegisterTest) => void,
  patienceMs = 6000,
): Promise<string | undefined> {
  const cases: { readonly name: string; readonly run: () => Promise<void> | void }[] = [];
  register((name, run) => void cases.push({ name, run }));
  for (const { name, run } of cases) {
    const late = new Promise<never>((_, reject) => setTimeout(reject, patienceMs).unref());
    late.catch(() => {});
    try {
      await Promise.race([run(), late]);
    } catch {
      return name;
    }
  }
  return undefined;
}
