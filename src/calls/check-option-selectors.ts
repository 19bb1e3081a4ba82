import type { JudgedOptions } from "../contract/judged-parts.ts";
import type { ErrorDetail } from "../errors.ts";
import type { CallParts } from "./call-parts.ts";

/** Names every selector of `includeTags`, `excludeTags` and `actions` that cannot be used. */
export async function selectorProblems(
  { checkSelectors }: Pick<CallParts, "checkSelectors">,
  options: JudgedOptions,
  path: readonly string[],
): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  for (const field of ["includeTags", "excludeTags"] as const) {
    for (const detail of await checkSelectors(options[field] ?? [], "engine")) {
      problems.push({ ...detail, path: [...path, field, ...detail.path] });
    }
  }
  for (const [index, { selector }] of (options.actions ?? []).entries()) {
    const selectors = selector === undefined ? [] : [selector];
    for (const detail of await checkSelectors(selectors, "browser")) {
      problems.push({ ...detail, path: [...path, "actions", index, "selector"] });
    }
  }
  return problems;
}
