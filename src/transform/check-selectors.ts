/** Checks a caller's CSS selectors before anything is fetched for them. */
import { compile } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import * as domutils from "domutils";
import type { ErrorDetail } from "../errors.ts";
import { quote } from "../shared/quote.ts";

/**
 * Everything that is wrong with a list of selectors; empty if nothing is. The `path` of a detail is the index in the
 * list.
 *
 * @example
 * checkSelectors(["main", "p["]); // [{ code: "custom", path: [1], message: 'is no CSS selector: "p["' }]
 */
export function checkSelectors(selectors: readonly string[]): ErrorDetail[] {
  return selectors.flatMap((selector, index) =>
    selector.trim() === "" || isSelector(selector)
      ? []
      : [{ code: "custom", path: [index], message: `is no CSS selector: ${quote(selector)}` }],
  );
}

function isSelector(selector: string): boolean {
  try {
    compile(selector, { adapter: domutils });
    return parse(selector).every((parts) => isSound(parts, !selector.includes("\\")));
  } catch {
    return false;
  }
}

/**
 * The library accepts more than CSS: `div >`, `*ad*`, `<nav>`, `..ad`. Such a selector finds nothing, or not what was
 * meant.
 *
 * @param isPlain nothing in the selector is escaped, so names are as they were written
 */
function isSound(parts: readonly Selector[], isPlain: boolean, isRelative = false): boolean {
  const first = parts[isRelative ? 1 : 0];
  const last = parts.at(-1);
  if (first === undefined || last === undefined || isTraversal(first) || isTraversal(last)) return false;
  return parts.every((part, at) => {
    const before = parts[at - 1];
    const isFirst = before === undefined || isTraversal(before);
    if (!isFirst && (part.type === "tag" || part.type === "universal")) return false;
    if (isPlain && !nameStart.test(nameOf(part))) return false;
    if (part.type !== "pseudo" || !Array.isArray(part.data)) return true;
    return part.data.every((inner) => isSound(inner, isPlain, part.name === "has" && startsRelative(inner)));
  });
}

function startsRelative([first]: readonly Selector[]): boolean {
  return first !== undefined && isTraversal(first);
}

/** What a name may begin with; the library accepts any character. */
const nameStart = /^[\w\u0080-\u{10ffff}-]/u;

/** The name in a part of the selector; for `.ad` and `#ad`, the library has it as the value of an attribute. */
function nameOf(part: Selector): string {
  if (part.type === "attribute" && part.ignoreCase === "quirks") return part.value;
  return "name" in part ? part.name : "x";
}
