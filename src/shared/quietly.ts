/** Calls a function of the host that is only notified; errors that it throws, now or later, are ignored. */
export function quietly<Value>(act: () => Value): Value | undefined {
  try {
    const value = act();
    // The function may be async, although none is asked for.
    if (typeof (value as { then?: unknown } | undefined)?.then === "function") Promise.resolve(value).catch(() => {});
    return value;
  } catch {
    return undefined;
  }
}
