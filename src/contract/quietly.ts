/** Tells a host something: what its function throws, now or later, is nobody's concern. */
export function quietly<Value>(act: () => Value): Value | undefined {
  try {
    const value = act();
    // An async function fits where one that returns nothing is asked for.
    if (typeof (value as { then?: unknown } | undefined)?.then === "function") Promise.resolve(value).catch(() => {});
    return value;
  } catch {
    return undefined;
  }
}
