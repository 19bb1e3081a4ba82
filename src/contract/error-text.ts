// What is said of an error. A host's own part may throw anything, `undefined` and objects that refuse to be read included.

const unreadable = "an error that cannot be read";

/** The message. Never throws. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return unreadable;
  }
}

/** The kind of error only, where the message may hold what must not be logged. Never throws. */
export function errorName(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : typeof error;
  } catch {
    return unreadable;
  }
}
