/** One check of a value against a schema: how much work it may be, what it has found, and where it is. */
import { pathText } from "../shared/path-text.ts";
import { canonicalJson, maxLevels } from "./json-value.ts";
import type { SchemaChoices } from "./schema-choices.ts";
import { isConverted } from "./schema-conversions.ts";
import type { SchemaPatterns } from "./schema-patterns.ts";
import type { Resolve } from "./schema-references.ts";
import type { SchemaNode } from "./schema-walk.ts";

export interface ValidationIssue {
  /** `products[0].price`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** How many names are examined in one step. */
export const namesInStep = 16;
/** How many characters are. */
export const charactersInStep = 256;
const maxIssues = 20;
/** Most levels of nested schemas, for a value and those around it: more would exhaust the stack. */
const maxDepth = 1000;

/** What a check may rely on because it has been checked before, and how much work that was. */
export class Checked {
  /** Values that fit a part of the schema; they must not change. */
  readonly fitting = new WeakMap<object, SchemaNode>();
  steps = 0;
}

const tooMuchWork = "takes too much work to check against its schema";

/** Whether an issue only says that the check has ended before everything was checked. */
export function isUnfinished({ message }: ValidationIssue): boolean {
  return message === tooMuchWork;
}

/** Which properties and items a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
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

export type Path = readonly (string | number)[];
export type Node = Readonly<Record<string, unknown>>;

/** What is prepared from a schema once, for all values. */
interface Known {
  readonly patterns: SchemaPatterns;
  readonly choices: SchemaChoices;
}

/** Checks a value against all keywords of a schema; true when it fits. */
type CheckNode = (run: SchemaRun, schema: Node, value: unknown, path: Path, seen: Evaluated) => boolean;

export class SchemaRun {
  readonly issues: ValidationIssue[] = [];
  /** Where the check has ended because there were no steps left. */
  unfinished: ValidationIssue | undefined;
  /** Steps that the check has taken. */
  used = 0;
  readonly resolve: Resolve;
  readonly known: Known;
  #steps: number;
  readonly #checkNode: CheckNode;
  readonly #checked: Checked;
  #depth = 0;
  /** The schemas being applied to the same value, in order to stop circular references. */
  #applied: SchemaNode[] = [];

  constructor(checkNode: CheckNode, resolve: Resolve, known: Known, checked: Checked, steps: number) {
    this.#checkNode = checkNode;
    this.#checked = checked;
    this.#steps = steps;
    this.resolve = resolve;
    this.known = known;
  }

  /** No steps are left. */
  get isOver(): boolean {
    return this.#steps < 0;
  }

  /** True when the value fits. */
  check(schema: SchemaNode, value: unknown, path: Path, seen: Evaluated): boolean {
    if (!this.spend(1, path)) return false;
    if (path.length > maxLevels || this.#depth > maxDepth) return this.fail(path, "nests too deep");
    if (typeof schema === "boolean") return schema || this.fail(path, "is not allowed");
    if (isConverted(schema, value) || this.#applied.includes(schema)) return true;
    this.#applied.push(schema);
    this.#depth++;
    const fits = this.#checkNode(this, schema, value, path, seen);
    this.#depth--;
    this.#applied.pop();
    return fits;
  }

  /**
   * False if there are no steps left, which is then reported as an issue, so that nothing unchecked counts as valid.
   */
  spend(steps: number, path: Path): boolean {
    this.#steps -= steps;
    this.used += steps;
    if (this.#steps < 0) this.unfinished ??= { path: pathText(path), message: tooMuchWork };
    return this.#steps >= 0;
  }

  /** Without steps, a value need not fit its schema and yet be without fault. */
  fail(path: Path, message: string): false {
    if (this.#steps >= 0 && this.issues.length < maxIssues) this.issues.push({ path: pathText(path), message });
    return false;
  }

  /** {@link check} for a part of the schema, which does not see what its neighbours have evaluated. */
  also(part: unknown, value: unknown, path: Path, seen: Evaluated): boolean {
    const own = new Evaluated();
    const fits = this.check(part as SchemaNode, value, path, own);
    seen.add(own);
    return fits;
  }

  /** {@link check} for another value, for which the check for circular references starts again. */
  inside(schema: unknown, value: unknown, path: Path): boolean {
    if (typeof value === "object" && value !== null && this.#checked.fitting.get(value) === schema) return true;
    const applied = this.#applied;
    this.#applied = [];
    const fits = this.check(schema as SchemaNode, value, path, new Evaluated());
    this.#applied = applied;
    return fits;
  }

  /** Whether the value fits, without reporting why not. */
  quietly(schema: unknown, value: unknown, path: Path, seen: Evaluated): boolean {
    const before = this.issues.length;
    const own = new Evaluated();
    const fits = this.check(schema as SchemaNode, value, path, own);
    this.issues.length = before;
    if (fits) seen.add(own);
    return fits;
  }

  /** A text that is the same for equal values. */
  textOf(value: unknown, path: Path): string {
    const text = canonicalJson(value);
    this.spend(1 + Math.floor(text.length / charactersInStep), path);
    return text;
  }

  /** Whether the pattern is found; undefined if it is not checked. */
  isFound(pattern: string, text: string, path: Path): boolean | undefined {
    this.spend(this.known.patterns.stepsFor(pattern, text), path);
    return this.#steps < 0 ? undefined : this.known.patterns.isFound(pattern, text);
  }
}
