import type { JudgedOptions } from "../contract/judged-parts.ts";
import type { ErrorDetail } from "../errors.ts";
import type { CallParts } from "./call-parts.ts";

/** Names every selector of `includeTags` and `excludeTags` that cannot be used. */
export async function tagProblems(
  { checkSelectors }: Pick<CallParts, "checkSelectors">,
  options: JudgedOptions,
  path: readonly string[],
): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  for (const field of ["includeTags", "excludeTags"] as const) {
    for (const detail of await checkSelectors(options[field] ?? [])) {
      problems.push({ ...detail, path: [...path, field, ...detail.path] });
    }
  }
  return problems;
}
