/** The keywords of JSON Schema that are about lists. */
import { type Evaluated, type Node, namesInStep, type Path, type SchemaRun } from "./schema-run.ts";

export function checkArray(
  run: SchemaRun,
  schema: Node,
  value: readonly unknown[],
  path: Path,
  seen: Evaluated,
): boolean {
  const { minItems, maxItems, uniqueItems, contains, items } = schema;
  run.spend(Math.floor(value.length / namesInStep), path);
  let fits = true;
  if (typeof minItems === "number" && value.length < minItems)
    fits = run.fail(path, `must have at least ${minItems} items`);
  if (typeof maxItems === "number" && value.length > maxItems)
    fits = run.fail(path, `must have at most ${maxItems} items`);
  if (uniqueItems === true && new Set(value.map((item) => run.textOf(item, path))).size < value.length)
    fits = run.fail(path, "must not repeat items");
  const tuple = Array.isArray(items) ? items : listOf(schema["prefixItems"]);
  const rest = Array.isArray(items) ? schema["additionalItems"] : items;
  for (const [index, item] of value.entries()) {
    const part = index < tuple.length ? tuple[index] : rest;
    if (part === undefined) continue;
    seen.items = Math.max(seen.items, index + 1);
    fits = run.inside(part, item, [...path, index]) && fits;
    if (run.isOver) return false;
  }
  if (contains !== undefined) {
    const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
    const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Number.POSITIVE_INFINITY;
    const found = value.filter((item, index) => {
      const before = run.issues.length;
      const is = run.inside(contains, item, [...path, index]);
      run.issues.length = before;
      if (is) seen.found.add(index);
      return is;
    }).length;
    if (found < least) fits = run.fail(path, `must have ${least} or more fitting items, and has ${found}`);
    if (found > most) fits = run.fail(path, `must have at most ${most} fitting items, and has ${found}`);
  }
  const { unevaluatedItems } = schema;
  if (unevaluatedItems !== undefined) {
    for (let index = seen.items; index < value.length; index++) {
      if (!seen.found.has(index)) fits = run.inside(unevaluatedItems, value[index], [...path, index]) && fits;
    }
    seen.items = value.length;
  }
  return fits;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
