/** Checks a value against a JSON Schema (draft-07, 2019-09, 2020-12) within a bounded amount of work. */
import { pathText } from "../shared/path-text.ts";
import { canonicalJson, isObject, type JsonObject, maxLevels } from "./json-value.ts";
import { allSchemas } from "./schema-check.ts";
import { SchemaChoices } from "./schema-choices.ts";
import { isConverted } from "./schema-conversions.ts";
import { SchemaPatterns } from "./schema-patterns.ts";
import { createResolver, type Resolve, referenceKeywords, type SchemaNode } from "./schema-references.ts";
import { numberProblem, textProblem } from "./schema-scalars.ts";

export interface ValidationIssue {
  /** `products[0].price`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

export type Validate = (value: unknown) => ValidationIssue[];

/**
 * Schemas come from strangers, and with references they may grow exponentially, so the work is limited. An ordinary
 * schema takes a few steps for each value.
 */
const stepsForSchema = 50_000;
const stepsForValue = 20;
/** How many names, or characters, are examined in one step. */
const namesInStep = 16;
const charactersInStep = 256;
const maxIssues = 20;
/** Most types in a list; there are seven kinds. */
const maxTypes = 20;
/** Most levels of nested schemas, for a value and those around it: more would exhaust the stack. */
const maxDepth = 1000;

/**
 * @param schema one without problems (see `schema-check.ts`)
 * @example
 * createValidator({ type: "object", required: ["name"] })({}); // [{ path: "", message: "must have name" }]
 */
export function createValidator(schema: SchemaNode): Validate {
  return partValidators(schema)(schema);
}

/** What a check may rely on because it has been checked before, and how much work that was. */
export class Checked {
  /** Values that fit a part of the schema; they must not change. */
  readonly fitting = new WeakMap<object, SchemaNode>();
  steps = 0;
}

/** Checks values against parts of one schema, in which references are relative to the whole schema. */
export function partValidators(schema: SchemaNode, checked = new Checked()): (part: SchemaNode) => Validate {
  const resolve = createResolver(schema, allSchemas(schema));
  const known = { patterns: new SchemaPatterns(), choices: new SchemaChoices() };
  return (part) => (value) => {
    const run = new Run(resolve, known, checked, stepsForSchema + stepsForValue * countValues(value));
    run.check(part, value, [], new Evaluated());
    checked.steps += run.used;
    return run.unfinished === undefined ? run.issues : [...run.issues, run.unfinished];
  };
}

const tooMuchWork = "takes too much work to check against its schema";

/** Whether an issue only says that the check has ended before everything was checked. */
export function isUnfinished({ message }: ValidationIssue): boolean {
  return message === tooMuchWork;
}

/** Which properties and items a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
class Evaluated {
  readonly keys = new Set<string>();
  /** All items before this one. */
  items = 0;
  /** Those that `contains` has found. */
  readonly found = new Set<number>();

  add(other: Evaluated): void {
    for (const key of other.keys) this.keys.add(key);
    for (const index of other.found) this.found.add(index);
    this.items = Math.max(this.items, other.items);
  }
}

type Path = readonly (string | number)[];
type Node = Readonly<Record<string, unknown>>;

/** What is prepared from a schema once, for all values. */
interface Known {
  readonly patterns: SchemaPatterns;
  readonly choices: SchemaChoices;
}

class Run {
  readonly issues: ValidationIssue[] = [];
  /** Where the check has ended because there were no steps left. */
  unfinished: ValidationIssue | undefined;
  #steps: number;
  readonly #resolve: Resolve;
  readonly #known: Known;
  readonly #checked: Checked;
  /** Steps that the check has taken. */
  used = 0;
  #depth = 0;
  /** The schemas being applied to the same value, in order to stop circular references. */
  #applied: SchemaNode[] = [];

  constructor(resolve: Resolve, known: Known, checked: Checked, steps: number) {
    this.#checked = checked;
    this.#steps = steps;
    this.#resolve = resolve;
    this.#known = known;
  }

  /** True when the value fits. */
  check(schema: SchemaNode, value: unknown, path: Path, seen: Evaluated): boolean {
    if (!this.#spend(1, path)) return false;
    if (path.length > maxLevels || this.#depth > maxDepth) return this.#fail(path, "nests too deep");
    if (typeof schema === "boolean") return schema || this.#fail(path, "is not allowed");
    if (isConverted(schema, value) || this.#applied.includes(schema)) return true;
    this.#applied.push(schema);
    this.#depth++;
    const fits = this.#checkNode(schema, value, path, seen);
    this.#depth--;
    this.#applied.pop();
    return fits;
  }

  /**
   * False if there are no steps left, which is then reported as an issue, so that nothing unchecked counts as valid.
   */
  #spend(steps: number, path: Path): boolean {
    this.#steps -= steps;
    this.used += steps;
    if (this.#steps < 0) this.unfinished ??= { path: pathText(path), message: tooMuchWork };
    return this.#steps >= 0;
  }

  /** Without steps, a value need not fit its schema and yet be without fault. */
  #fail(path: Path, message: string): false {
    if (this.#steps >= 0 && this.issues.length < maxIssues) this.issues.push({ path: pathText(path), message });
    return false;
  }

  /** The same for a part of the schema, which does not see what its neighbours have evaluated. */
  #also(part: unknown, value: unknown, path: Path, seen: Evaluated): boolean {
    const own = new Evaluated();
    const fits = this.check(part as SchemaNode, value, path, own);
    seen.add(own);
    return fits;
  }

  /** The same for another value, for which the check for circular references starts again. */
  #inside(schema: unknown, value: unknown, path: Path): boolean {
    if (typeof value === "object" && value !== null && this.#checked.fitting.get(value) === schema) return true;
    const applied = this.#applied;
    this.#applied = [];
    const fits = this.check(schema as SchemaNode, value, path, new Evaluated());
    this.#applied = applied;
    return fits;
  }

  /** Whether the value fits, without reporting why not. */
  #quietly(schema: unknown, value: unknown, path: Path, seen: Evaluated): boolean {
    const before = this.issues.length;
    const own = new Evaluated();
    const fits = this.check(schema as SchemaNode, value, path, own);
    this.issues.length = before;
    if (fits) seen.add(own);
    return fits;
  }

  #checkNode(schema: Node, value: unknown, path: Path, seen: Evaluated): boolean {
    let fits = true;
    for (const keyword of referenceKeywords) {
      const reference = schema[keyword];
      if (typeof reference !== "string") continue;
      const target = this.#resolve(reference);
      fits = (target === undefined || this.#also(target, value, path, seen)) && fits;
    }
    fits = this.#checkType(schema, value, path) && fits;
    fits = this.#checkChoices(schema, value, path, seen) && fits;
    if (typeof value === "string") fits = this.#checkText(schema, value, path) && fits;
    if (typeof value === "number") {
      const problem = numberProblem(schema, value);
      if (problem !== undefined) fits = this.#fail(path, problem);
    }
    if (Array.isArray(value)) fits = this.#checkArray(schema, value, path, seen) && fits;
    if (isObject(value)) fits = this.#checkObject(schema, value, path, seen) && fits;
    return fits;
  }

  #checkType(schema: Node, value: unknown, path: Path): boolean {
    const { type } = schema;
    if (type !== undefined) {
      const types = Array.isArray(type) ? type.slice(0, maxTypes) : [type];
      const nullable = schema["nullable"] === true && value === null;
      if (!nullable && !types.some((name) => isOfType(value, name)))
        return this.#fail(path, `must be ${types.join(" or ")}`);
    }
    const { enum: choices } = schema;
    if (Array.isArray(choices)) {
      const { texts, shown } = this.#known.choices.of(schema, "enum", choices);
      if (!texts.has(this.#textOf(value, path))) return this.#fail(path, `must be one of ${shown}`);
    }
    if (Object.hasOwn(schema, "const")) {
      const { texts, shown } = this.#known.choices.of(schema, "const", [schema["const"]]);
      if (!texts.has(this.#textOf(value, path))) return this.#fail(path, `must be ${shown.slice(1, -1)}`);
    }
    return true;
  }

  #textOf(value: unknown, path: Path): string {
    const text = canonicalJson(value);
    this.#spend(1 + Math.floor(text.length / charactersInStep), path);
    return text;
  }

  #checkChoices(schema: Node, value: unknown, path: Path, seen: Evaluated): boolean {
    let fits = true;
    for (const part of listOf(schema["allOf"])) fits = this.#also(part, value, path, seen) && fits;
    const { anyOf, oneOf, not } = schema;
    if (Array.isArray(anyOf)) {
      // All of them, because each may evaluate further properties.
      const fitting = anyOf.filter((part) => this.#quietly(part, value, path, seen));
      if (fitting.length === 0) fits = this.#fail(path, "must fit one of the forms of anyOf");
    }
    if (Array.isArray(oneOf)) {
      const fitting = oneOf.filter((part) => this.#quietly(part, value, path, seen));
      if (fitting.length !== 1)
        fits = this.#fail(path, `must fit one of the forms of oneOf, and fits ${fitting.length}`);
    }
    if (not !== undefined && this.#quietly(not, value, path, new Evaluated()))
      fits = this.#fail(path, "must not fit the form of not");
    if (schema["if"] !== undefined) {
      const branch = this.#quietly(schema["if"], value, path, seen) ? schema["then"] : schema["else"];
      if (branch !== undefined) fits = this.#also(branch, value, path, seen) && fits;
    }
    return fits;
  }

  #checkText(schema: Node, value: string, path: Path): boolean {
    this.#spend(Math.floor(value.length / charactersInStep), path);
    const problem = textProblem(schema, value);
    if (problem !== undefined) return this.#fail(path, problem);
    const { pattern } = schema;
    return (
      typeof pattern !== "string" ||
      this.#isFound(pattern, value, path) !== false ||
      this.#fail(path, `must match ${pattern.slice(0, 100)}`)
    );
  }

  /** Undefined if the pattern is not checked. */
  #isFound(pattern: string, text: string, path: Path): boolean | undefined {
    this.#spend(this.#known.patterns.stepsFor(pattern, text), path);
    return this.#steps < 0 ? undefined : this.#known.patterns.isFound(pattern, text);
  }

  #checkArray(schema: Node, value: readonly unknown[], path: Path, seen: Evaluated): boolean {
    const { minItems, maxItems, uniqueItems, contains, items } = schema;
    this.#spend(Math.floor(value.length / namesInStep), path);
    let fits = true;
    if (typeof minItems === "number" && value.length < minItems)
      fits = this.#fail(path, `must have at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems)
      fits = this.#fail(path, `must have at most ${maxItems} items`);
    if (uniqueItems === true && new Set(value.map((item) => this.#textOf(item, path))).size < value.length)
      fits = this.#fail(path, "must not repeat items");
    const tuple = Array.isArray(items) ? items : listOf(schema["prefixItems"]);
    const rest = Array.isArray(items) ? schema["additionalItems"] : items;
    for (const [index, item] of value.entries()) {
      const part = index < tuple.length ? tuple[index] : rest;
      if (part === undefined) continue;
      seen.items = Math.max(seen.items, index + 1);
      fits = this.#inside(part, item, [...path, index]) && fits;
      if (this.#steps < 0) return false;
    }
    if (contains !== undefined) {
      const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
      const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Number.POSITIVE_INFINITY;
      const found = value.filter((item, index) => {
        const before = this.issues.length;
        const is = this.#inside(contains, item, [...path, index]);
        this.issues.length = before;
        if (is) seen.found.add(index);
        return is;
      }).length;
      if (found < least || found > most)
        fits = this.#fail(path, `must have ${least} or more fitting items, and has ${found}`);
    }
    const { unevaluatedItems } = schema;
    if (unevaluatedItems !== undefined) {
      for (let index = seen.items; index < value.length; index++) {
        if (!seen.found.has(index)) fits = this.#inside(unevaluatedItems, value[index], [...path, index]) && fits;
      }
      seen.items = value.length;
    }
    return fits;
  }

  #checkObject(schema: Node, value: JsonObject, path: Path, seen: Evaluated): boolean {
    let fits = true;
    const keys = Object.keys(value);
    const required = listOf(schema["required"]);
    this.#spend(Math.floor((keys.length + required.length) / namesInStep), path);
    for (const name of required) {
      if (!Object.hasOwn(value, name as string)) fits = this.#fail(path, `must have ${String(name)}`);
    }
    const { minProperties, maxProperties, propertyNames, additionalProperties, unevaluatedProperties } = schema;
    if (typeof minProperties === "number" && keys.length < minProperties)
      fits = this.#fail(path, `must have at least ${minProperties} properties`);
    if (typeof maxProperties === "number" && keys.length > maxProperties)
      fits = this.#fail(path, `must have at most ${maxProperties} properties`);
    fits = this.#checkDependencies(schema, value, path, seen) && fits;

    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const patterns = isObject(schema["patternProperties"]) ? Object.entries(schema["patternProperties"]) : [];
    this.#spend(Math.floor(patterns.length / namesInStep), path);
    for (const key of keys) {
      if (this.#steps < 0) return false;
      if (propertyNames !== undefined) fits = this.#inside(propertyNames, key, [...path, key]) && fits;
      let known = Object.hasOwn(properties, key);
      if (known) fits = this.#inside(properties[key], value[key], [...path, key]) && fits;
      for (const [pattern, part] of patterns) {
        if (this.#steps < 0) return false;
        const isFound = this.#isFound(pattern, key, path);
        if (isFound === false) continue;
        known = true;
        if (isFound) fits = this.#inside(part, value[key], [...path, key]) && fits;
      }
      if (!known && additionalProperties !== undefined) {
        known = true;
        fits = this.#inside(additionalProperties, value[key], [...path, key]) && fits;
      }
      if (known) seen.keys.add(key);
    }
    if (unevaluatedProperties !== undefined) {
      for (const key of keys) {
        if (!seen.keys.has(key)) fits = this.#inside(unevaluatedProperties, value[key], [...path, key]) && fits;
        seen.keys.add(key);
      }
    }
    return fits;
  }

  #checkDependencies(schema: Node, value: JsonObject, path: Path, seen: Evaluated): boolean {
    let fits = true;
    for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
      const dependencies = schema[keyword];
      if (!isObject(dependencies)) continue;
      const names = Object.keys(dependencies);
      this.#spend(Math.floor(names.length / namesInStep), path);
      for (const key of names) {
        if (!Object.hasOwn(value, key)) continue;
        const needed = dependencies[key];
        if (Array.isArray(needed)) {
          this.#spend(Math.floor(needed.length / namesInStep), path);
          for (const name of needed)
            if (!Object.hasOwn(value, String(name))) fits = this.#fail(path, `must have ${name} with ${key}`);
        } else fits = this.#also(needed, value, path, seen) && fits;
      }
    }
    return fits;
  }
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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
