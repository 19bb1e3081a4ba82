/**
 * Receives the engine's log messages. Without one the engine is silent. Fields are structured; authorization headers,
 * cookies, tokens, webhook secrets and credentials in URLs are removed. A logger should not throw; if it does, the
 * engine continues.
 *
 * @example
 * const engine = createEngine({ logger: console });
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The data that belongs to a message, by name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;
