/**
 * Receives the engine's log messages. Without one the engine is silent. Fields are structured; authorization headers,
 * cookies, tokens, webhook secrets and credentials in URLs are removed. A logger should not throw; if it does, the
 * engine continues.
 *
 * The message comes first, as with `console` and winston. pino takes the fields first, and drops them otherwise.
 *
 * @example
 * const engine = createEngine({ logger: console });
 * @example
 * const log = pino();
 * const logger: Logger = {
 *   debug: (message, fields) => log.debug(fields, message),
 *   info: (message, fields) => log.info(fields, message),
 *   warn: (message, fields) => log.warn(fields, message),
 *   error: (message, fields) => log.error(fields, message),
 * };
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The data that belongs to a message, by name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;
