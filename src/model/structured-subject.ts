/** Finds the one thing that a page is about. */
import type { JsonSchema } from "../contract/schema-option.ts";
import type { StructuredItem } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { comparableText } from "./comparable-text.ts";
import { propertyOf } from "./schema-parts.ts";
import { furniture, generalFields, isOfType, plainName } from "./structured-names.ts";
import type { StructuredReading } from "./structured-reading.ts";
import { groupThings, nameOf } from "./structured-things.ts";

/**
 * The one thing that the page is about and that fits the schema, with everything that is declared about it; undefined
 * if there are several, or none.
 */
export function* findSubject(
  reading: StructuredReading,
  schema: JsonSchema,
  names: readonly string[],
): Steps<readonly StructuredItem[] | undefined> {
  const byPlain = Map.groupBy(names, (name) => reading.fields.plainName(name));
  const scored: { thing: StructuredItem[]; matched: number; telling: number; isFurniture: boolean }[] = [];
  for (const thing of groupThings(reading.data.items)) {
    yield;
    const held = reading.fields.held(thing, byPlain);
    let matched = 0;
    for (const name of held) {
      const found = yield* reading.field(propertyOf(schema, name, reading.resolve), name, thing);
      if (found !== undefined) matched++;
    }
    const telling = held.filter(
      (name) => !generalFields.has(plainName(name)) && reading.fields.valuesOf(thing, name).length > 0,
    ).length;
    const isFurniture = thing.every(({ types }) => types.some((type) => furniture.has(type)) || types.length === 0);
    scored.push({ thing, matched, telling, isFurniture });
  }
  const content = scored.filter(({ isFurniture }) => !isFurniture);
  const onlyGeneral = names.every((name) => generalFields.has(plainName(name)));
  const able = content.filter(({ matched, telling }) => telling > 0 || (onlyGeneral && matched > 0));
  const candidates = able.length > 0 ? able : content.length > 0 ? [] : scored.filter(({ telling }) => telling >= 2);
  const most = candidates.reduce((highest, { matched }) => Math.max(highest, matched), 0);
  const best = candidates.filter(({ matched }) => matched === most).map(({ thing }) => thing);
  const isBest = new Set<unknown>(best);
  // The page also shows other things of the same type; the one it is about has the page's name.
  const types = best[0]?.flatMap((item) => item.types) ?? [];
  const rivals = content
    .filter(
      ({ thing, matched }) => matched > 0 && !isBest.has(thing) && thing.some((item) => isOfType(item.types, types)),
    )
    .map(({ thing }) => thing);
  if (best.length === 1 && rivals.length === 0) return best[0];
  const pageNames = namesIn(reading.data.headings);
  const called = [...best, ...rivals].filter((thing) => pageNames.has(nameOf(thing[0]!)));
  return called.length === 1 && isBest.has(called[0]) ? called[0] : undefined;
}

/** What the page is called; a title may continue with the name of the site. */
function namesIn(headings: readonly string[]): ReadonlySet<string> {
  const names = headings.flatMap((heading) => [heading, heading.split(/\s[|–—·-]\s/, 1)[0]!]).map(comparableText);
  return new Set(names.filter((name) => name !== ""));
}
