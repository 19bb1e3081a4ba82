/** Checks a value against a JSON Schema (draft-07, 2019-09, 2020-12) within a bounded amount of work. */
import { isObject } from "./json-value.ts";
import { SchemaChoices } from "./schema-choices.ts";
import { checkArray, listOf } from "./schema-lists.ts";
import { checkObject } from "./schema-objects.ts";
import { SchemaPatterns } from "./schema-patterns.ts";
import { createResolver, referenceKeywords } from "./schema-references.ts";
import {
  Checked,
  charactersInStep,
  Evaluated,
  type Node,
  type Path,
  SchemaRun,
  type ValidationIssue,
} from "./schema-run.ts";
import { numberProblem, textProblem } from "./schema-scalars.ts";
import type { SchemaNode } from "./schema-walk.ts";

export type Validate = (value: unknown) => ValidationIssue[];

/**
 * Schemas come from strangers, and with references they may grow exponentially, so the work is limited. An ordinary
 * schema takes a few steps for each value.
 */
const stepsForSchema = 50_000;
const stepsForValue = 20;
/** Most types in a list; there are seven kinds. */
const maxTypes = 20;

/**
 * Checks values against parts of one schema, in which references are relative to the whole schema.
 *
 * @param schema one without problems (see `schema-check.ts`)
 * @example
 * const schema = { type: "object", required: ["name"] };
 * partValidators(schema)(schema)({}); // [{ path: "", message: "must have name" }]
 */
export function partValidators(schema: SchemaNode, checked = new Checked()): (part: SchemaNode) => Validate {
  const resolve = createResolver(schema);
  const known = { patterns: new SchemaPatterns(), choices: new SchemaChoices() };
  return (part) => (value) => {
    const run = new SchemaRun(checkNode, resolve, known, checked, stepsForSchema + stepsForValue * countValues(value));
    run.check(part, value, [], new Evaluated());
    checked.steps += run.used;
    return run.unfinished === undefined ? run.issues : [...run.issues, run.unfinished];
  };
}

function checkNode(run: SchemaRun, schema: Node, value: unknown, path: Path, seen: Evaluated): boolean {
  // A keyword of OpenAPI. Converters write it beside an `enum` without null, and beside references, and mean it.
  if (value === null && schema["nullable"] === true) return true;
  let fits = true;
  for (const keyword of referenceKeywords) {
    const reference = schema[keyword];
    if (typeof reference !== "string") continue;
    const target = run.resolve(reference);
    fits = (target === undefined || run.also(target, value, path, seen)) && fits;
  }
  fits = checkType(run, schema, value, path) && fits;
  fits = checkChoices(run, schema, value, path, seen) && fits;
  if (typeof value === "string") fits = checkText(run, schema, value, path) && fits;
  if (typeof value === "number") {
    const problem = numberProblem(schema, value);
    if (problem !== undefined) fits = run.fail(path, problem);
  }
  if (Array.isArray(value)) fits = checkArray(run, schema, value, path, seen) && fits;
  if (isObject(value)) fits = checkObject(run, schema, value, path, seen) && fits;
  return fits;
}

function checkType(run: SchemaRun, schema: Node, value: unknown, path: Path): boolean {
  const { type } = schema;
  if (type !== undefined) {
    const types = Array.isArray(type) ? type.slice(0, maxTypes) : [type];
    if (!types.some((name) => isOfType(value, name))) return run.fail(path, `must be ${types.join(" or ")}`);
  }
  const { enum: choices } = schema;
  if (Array.isArray(choices)) {
    const { texts, shown } = run.known.choices.of(schema, "enum", choices);
    if (!texts.has(run.textOf(value, path))) return run.fail(path, `must be one of ${shown}`);
  }
  if (Object.hasOwn(schema, "const")) {
    const { texts, shown } = run.known.choices.of(schema, "const", [schema["const"]]);
    if (!texts.has(run.textOf(value, path))) return run.fail(path, `must be ${shown.slice(1, -1)}`);
  }
  return true;
}

function checkChoices(run: SchemaRun, schema: Node, value: unknown, path: Path, seen: Evaluated): boolean {
  let fits = true;
  for (const part of listOf(schema["allOf"])) fits = run.also(part, value, path, seen) && fits;
  const { anyOf, oneOf, not } = schema;
  if (Array.isArray(anyOf)) {
    // All of them, because each may evaluate further properties.
    const fitting = anyOf.filter((part) => run.quietly(part, value, path, seen));
    if (fitting.length === 0) fits = run.fail(path, "must fit one of the forms of anyOf");
  }
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter((part) => run.quietly(part, value, path, seen));
    if (fitting.length !== 1) fits = run.fail(path, `must fit one of the forms of oneOf, and fits ${fitting.length}`);
  }
  if (not !== undefined && run.quietly(not, value, path, new Evaluated()))
    fits = run.fail(path, "must not fit the form of not");
  if (schema["if"] !== undefined) {
    const branch = run.quietly(schema["if"], value, path, seen) ? schema["then"] : schema["else"];
    if (branch !== undefined) fits = run.also(branch, value, path, seen) && fits;
  }
  return fits;
}

function checkText(run: SchemaRun, schema: Node, value: string, path: Path): boolean {
  run.spend(Math.floor(value.length / charactersInStep), path);
  const problem = textProblem(schema, value);
  if (problem !== undefined) return run.fail(path, problem);
  const { pattern } = schema;
  return (
    typeof pattern !== "string" ||
    run.isFound(pattern, value, path) !== false ||
    run.fail(path, `must match ${pattern.slice(0, 100)}`)
  );
}

/** Number of values in a value, including itself. */
function countValues(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const item = open.pop();
    count++;
    if (typeof item === "object" && item !== null) for (const inner of Object.values(item)) open.push(inner);
  }
  return count;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  // Numbers that are too large are parsed as infinite.
  if (type === "number") return Number.isFinite(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}
