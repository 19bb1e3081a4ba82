/** Rules between the fields of one object. */
import { z } from "zod";

/**
 * A check over several fields that runs if these fields are valid by themselves, whatever is wrong elsewhere, so that
 * one error can name all issues.
 *
 * @param fields the keys that `holds` and `message` read
 * @param when for a rule that bears with more: {@link whenListsSound}
 */
export function rule<Value extends object>(
  fields: readonly (keyof Value & string)[],
  at: readonly PropertyKey[],
  message: string | ((value: Value) => string),
  holds: (value: Value) => boolean,
  when = whenSound(fields),
) {
  return z.refine<Value>(holds, {
    path: [...at],
    error: (issue) => (typeof message === "string" ? message : message(issue.input as Value)),
    params: { betweenFields: true },
    when,
  });
}

/**
 * Like {@link whenSound}, for a check that judges the items of lists one by one: faults of single items do not prevent it.
 */
export function whenListsSound(fields: readonly string[]) {
  const sound = whenSound(fields);
  return ({ issues, ...payload }: z.core.ParsePayload): boolean =>
    sound({ ...payload, issues: issues.filter(({ path = [] }) => path.length < 2) });
}

/** For the `when` of a check: true if these fields, and the object, are valid by themselves. */
function whenSound(fields: readonly string[]) {
  const read: ReadonlySet<PropertyKey> = new Set(fields);
  return ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some((issue) => {
      const key = issue.path?.[0];
      if (key === undefined) return issue.code === "invalid_type";
      return read.has(key) && !(issue.code === "custom" && issue.params?.["betweenFields"] === true);
    });
}
