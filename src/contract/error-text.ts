// What is said of an error. A host's own part may throw anything, `undefined` and objects that refuse to be read included.
import { withoutSecrets } from "./without-secrets.ts";

const unreadable = "an error that cannot be read";
/** Characters; some put a whole answer into their message. */
const maxLength = 100_000;

/** The message, or its beginning. Never throws. */
export function errorText(error: unknown): string {
  try {
    return (error instanceof Error ? String(error.message) : String(error)).slice(0, maxLength);
  } catch {
    return unreadable;
  }
}

/** The message for those who call: what a host's own part throws may hold its keys. Never throws. */
export function shownErrorText(error: unknown): string {
  return withoutSecrets(errorText(error));
}

/** The kind of error only, where the message may hold what must not be logged. Never throws. */
export function errorName(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : typeof error;
  } catch {
    return unreadable;
  }
}
