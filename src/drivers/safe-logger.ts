/** Wraps a host's logger so that it never throws, and does not get secrets. */

import type { LogFields, Logger } from "../ports/logger.ts";
import { quietly } from "../shared/quietly.ts";
import { fieldWithoutSecrets, withoutSecrets } from "../shared/without-secrets.ts";

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** @param secrets those that the engine was given, such as the key of its webhooks */
export function safeLogger(logger: Logger | undefined, secrets: readonly string[]): Logger {
  if (logger === undefined) return silent;
  const write = (level: keyof Logger) => (message: string, fields?: LogFields) => {
    // There is nobody left to tell of a failure.
    quietly(() => {
      if (fields === undefined) return logger[level](withoutSecrets(message, secrets));
      return logger[level](withoutSecrets(message, secrets), clean(fields));
    });
  };

  function clean(fields: LogFields): LogFields {
    const entries = Object.entries(fields);
    return Object.fromEntries(entries.map(([name, value]) => [name, fieldWithoutSecrets(name, value, secrets)]));
  }

  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
