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

/**
 * Only the name of the error, and the code of what it comes from, if its message may contain something that must not be
 * logged. Never throws.
 */
export function errorName(error: unknown): string {
  try {
    if (!(error instanceof Error)) return typeof error;
    const code = firstCode(error);
    return code === undefined ? String(error.name) : `${error.name} (${code})`;
  } catch {
    return unreadable;
  }
}

/** How many causes are looked at. */
const maxCauses = 5;

/** Codes of Node, the operating system and databases are words; whatever else is called so may have anything in it. */
function firstCode(error: Error): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth <= maxCauses && at instanceof Error; depth++) {
    const { code, errcode } = at as { code?: unknown; errcode?: unknown };
    // SQLite says with a number what has happened.
    if (typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code)) {
      return Number.isSafeInteger(errcode) ? `${code} ${errcode}` : code;
    }
    at = at.cause;
  }
  return undefined;
}
