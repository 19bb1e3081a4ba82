/**
 * Where the engine reports what it does. Silent by default.
 * Fields are structured and never hold secrets: no authorization headers, cookies, webhook secrets or URL credentials.
 * A logger must not throw; if it does, the engine goes on.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** What belongs to a message, by name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;
