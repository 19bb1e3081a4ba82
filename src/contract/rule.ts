/** Rules between the fields of one object. */
import { z } from "zod";

/**
 * A check over several fields that runs whenever these fields are sound by themselves, whatever is wrong elsewhere,
 * so that one error can name all issues.
 *
 * @param fields the keys that `holds` and `message` read
 */
export function rule<Value extends object>(
  fields: readonly (keyof Value & string)[],
  at: readonly PropertyKey[],
  message: string | ((value: Value) => string),
  holds: (value: Value) => boolean,
) {
  return z.refine<Value>(holds, {
    path: [...at],
    error: (issue) => (typeof message === "string" ? message : message(issue.input as Value)),
    when: whenSound(fields),
  });
}

/** For the `when` of a check: true if none of these fields has an issue, nor the object itself. */
export function whenSound(fields: readonly string[]) {
  const read: ReadonlySet<PropertyKey> = new Set(fields);
  return ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ code, path }) => {
      const key = path?.[0];
      return key === undefined ? code !== "unrecognized_keys" : read.has(key);
    });
}
