import type { JudgedOptions } from "../contract/judged-parts.ts";
import type { ErrorDetail } from "../errors.ts";

const lists = ["includeTags", "excludeTags"] as const;

/** Names every selector of `includeTags`, `excludeTags` and `actions` that cannot be used. */
export async function selectorProblems(options: JudgedOptions, path: readonly string[]): Promise<ErrorDetail[]> {
  const { actions = [] } = options;
  const isAny = lists.some((list) => options[list]?.length) || actions.some(({ selector }) => selector !== undefined);
  if (!isAny) return [];
  // Loaded by the first request that has selectors: most have none.
  const { checkBrowserSelectors, checkSelectors } = await import("../transform/check-selectors.ts");
  const ofLists = lists.flatMap((list) =>
    checkSelectors(options[list] ?? []).map((detail) => ({ ...detail, path: [...path, list, ...detail.path] })),
  );
  const ofActions = actions.flatMap(({ selector }, index) =>
    checkBrowserSelectors(selector === undefined ? [] : [selector]).map((detail) => ({
      ...detail,
      path: [...path, "actions", index, "selector"],
    })),
  );
  return [...ofLists, ...ofActions];
}
