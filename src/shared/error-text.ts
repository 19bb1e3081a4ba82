// The texts of errors. A host's own part may throw anything, including `undefined` and objects that refuse to be read.
import { withoutSecrets } from "./without-secrets.ts";

const unreadable = "an error that cannot be read";
/** In characters; some errors have a whole response in their message. */
const maxLength = 100_000;

/** The message, or its beginning. Never throws. */
export function errorText(error: unknown): string {
  try {
    return (error instanceof Error ? String(error.message) : String(error)).slice(0, maxLength);
  } catch {
    return unreadable;
  }
}

/** The message for callers, without secrets: the errors of a host's own part may contain its keys. Never throws. */
export function shownErrorText(error: unknown): string {
  return withoutSecrets(errorText(error));
}

/** Only the name of the error, if its message may contain something that must not be logged. Never throws. */
export function errorName(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : typeof error;
  } catch {
    return unreadable;
  }
}
