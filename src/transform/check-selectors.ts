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
  const length = selectors.reduce((sum, selector) => sum + selector.length, 0);
  if (length > mostCharacters) {
    return [{ code: "too_big", path: [], message: `has more than ${mostCharacters} characters in all` }];
  }
  return selectors.flatMap((selector, index) => {
    const problem = selector.trim() === "" ? undefined : problemOf(selector);
    if (problem === undefined) return [];
    return [{ code: "custom", path: [index], message: `${problem}: ${quote(selector)}` }];
  });
}

/**
 * Like {@link checkSelectors}, for selectors that a browser runs. Playwright, through which it gets them, understands
 * more than CSS, as do many libraries; that is refused. Whether there is a pseudo-class of another name, the browser
 * knows.
 */
export function checkBrowserSelectors(selectors: readonly string[]): ErrorDetail[] {
  return selectors.flatMap((selector, index) => {
    const parsed = parsedSoundly(selector);
    // Playwright looks for its own syntax in comments too.
    const isCss = parsed !== undefined && !hasComment(selector) && !namesPseudoClassOfLibrary(parsed);
    return isCss ? [] : [{ code: "custom", path: [index], message: `${noSelector}: ${quote(selector)}` }];
  });
}

const noSelector = "is no CSS selector";
/** Most characters of all selectors of a list: making tests of them takes a microsecond for each. */
const mostCharacters = 20_000;
/** Deepest nesting of `:is()`, `:not()` and the like: making tests of them takes time quadratic in the depth. */
const mostLevels = 10;
/** Most selectors in one, with commas between them: the library goes through them recursively. */
const mostAlternatives = 500;

function problemOf(selector: string): string | undefined {
  const parsed = parsedSoundly(selector);
  if (parsed === undefined) return noSelector;
  if (parsed.length > mostAlternatives) return `has more than ${mostAlternatives} alternatives`;
  if (levelsOf(parsed) > mostLevels) return `nests more than ${mostLevels} levels deep`;
  try {
    compile(selector, { adapter: domutils });
    return undefined;
  } catch {
    return "is a CSS selector that is not supported";
  }
}

/** Undefined for what is no selector. */
function parsedSoundly(selector: string): Selector[][] | undefined {
  try {
    const parsed = parse(selector);
    const isPlain = !selector.includes("\\");
    return parsed.length > 0 && parsed.every((parts) => isSound(parts, isPlain)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Texts in quotes may look like comments. */
function hasComment(selector: string): boolean {
  return selector.replace(/\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, "").includes("/*");
}

/** Pseudo-classes of Playwright, and those of jQuery and the like that callers may take for CSS. */
const ofLibraries: ReadonlySet<string> = new Set([
  ...["has-text", "text", "text-is", "text-matches", "visible", "light", "nth-match"],
  ...["above", "below", "left-of", "near", "right-of"],
  ...["contains", "icontains", "eq", "even", "first", "gt", "hidden", "last", "lt", "odd", "parent", "selected"],
]);

function namesPseudoClassOfLibrary(selectors: readonly (readonly Selector[])[]): boolean {
  return selectors.some((parts) =>
    parts.some(
      (part) =>
        part.type === "pseudo" &&
        (ofLibraries.has(part.name) || (Array.isArray(part.data) && namesPseudoClassOfLibrary(part.data))),
    ),
  );
}

function levelsOf(parsed: readonly Selector[][]): number {
  let deepest = 0;
  let level: readonly Selector[] = parsed.flat();
  while (level.length > 0) {
    deepest++;
    level = level.flatMap((part) => (part.type === "pseudo" && Array.isArray(part.data) ? part.data.flat() : []));
  }
  return deepest - 1;
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
