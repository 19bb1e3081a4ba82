/** Checks, when a call is made, whether a schema can be used: its form, its size, its references. */
import type { ErrorDetail } from "../errors.ts";
import { isDeeperThan, isObject, maxLevels } from "./json-value.ts";
import { createResolver, referenceKeywords } from "./schema-references.ts";
import { childSchemas, isSchema, type SchemaNode, subschemaKeywords } from "./schema-walk.ts";

/** In characters, as JSON. */
const maxSchemaLength = 200_000;

const types: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** Those that may have an object or the name of a type as their value. */
const keywords: ReadonlySet<string> = new Set([
  ...Object.keys(subschemaKeywords),
  ..."type format title description default example examples const enum contentEncoding contentMediaType contentSchema".split(
    " ",
  ),
]);

/** Keywords that lead to further schemas, or name all values: a schema that has one checks something. */
const tellingKeywords: ReadonlySet<string> = new Set([
  ...Object.keys(subschemaKeywords),
  ...referenceKeywords,
  "enum",
  "const",
]);

/** Whether a schema can be examined: it must be an object, and neither too deep nor too long. */
export function sizeProblems(schema: unknown): ErrorDetail[] {
  if (!isObject(schema)) return [problem([], "must be a JSON Schema object")];
  if (isDeeperThan(schema, maxLevels)) return [problem([], "nests too deep")];
  const length = JSON.stringify(schema).length;
  return length > maxSchemaLength
    ? [problem([], `has ${length} characters; at most ${maxSchemaLength} are allowed`)]
    : [];
}

/** Everything that is wrong with a JSON Schema, with paths relative to it; empty if it can be used. */
export function schemaProblems(schema: unknown): ErrorDetail[] {
  const tooLarge = sizeProblems(schema);
  if (tooLarge.length > 0 || !isObject(schema)) return tooLarge;
  if (isZodAsJson(schema)) {
    return [
      problem([], "is a schema of zod that has become JSON; turn it into JSON Schema first, with z.toJSONSchema"),
    ];
  }
  if (isZod3(schema)) {
    return [problem([], "is a schema of zod 3; give one of zod 4, or turn it into JSON Schema first")];
  }
  if (isNothingOfZod(schema)) {
    const turn = "one of zod 4 that an older converter could not read becomes this; use z.toJSONSchema";
    return [problem([], `names its draft and nothing else, so it would check nothing; ${turn}`)];
  }
  const problems: ErrorDetail[] = [];
  const found = collect(schema, problems);
  const resolve = createResolver(schema);
  for (const { node, path } of found) {
    if (typeof node === "boolean") continue;
    problems.push(...formProblems(node, path));
    for (const keyword of referenceKeywords) {
      const reference = node[keyword];
      if (typeof reference === "string" && resolve(reference) === undefined) {
        problems.push(problem([...path, keyword], "must lead to a place in the schema itself; nothing is fetched"));
      }
    }
  }
  return problems.slice(0, 100);
}

/**
 * What is left of a schema of zod 4 that was sent as JSON, as by clients of the service in a crawl: its type, and beside
 * it the definition, which is no keyword, so that next to nothing would be checked.
 */
function isZodAsJson({ type, def }: Readonly<Record<string, unknown>>): boolean {
  return type !== undefined && isObject(def) && def["type"] === type;
}

/**
 * A schema of zod 3 from before Standard Schema, or any that was sent as JSON: it keeps its definition under a name that
 * is no keyword, so that nothing would be checked.
 */
function isZod3({ _def }: Readonly<Record<string, unknown>>): boolean {
  return isObject(_def) && typeof _def["typeName"] === "string" && _def["typeName"].startsWith("Zod");
}

/**
 * What zod-to-json-schema, which clients of the service use, makes of each schema of zod 4: the draft it follows. A
 * schema that is to allow anything has no reason to name a draft.
 */
function isNothingOfZod(schema: object): boolean {
  const [[name, draft] = [], ...others] = Object.entries(schema);
  return name === "$schema" && draft === "http://json-schema.org/draft-07/schema#" && others.length === 0;
}

type Path = readonly (string | number)[];

function collect(schema: SchemaNode, problems: ErrorDetail[]): { node: SchemaNode; path: Path }[] {
  const found: { node: SchemaNode; path: Path }[] = [{ node: schema, path: [] }];
  for (let index = 0; index < found.length; index++) {
    const { node, path } = found[index]!;
    for (const child of childSchemas(node)) {
      const at = [...path, ...child.path];
      if (isSchema(child.schema)) found.push({ node: child.schema, path: at });
      else problems.push(problem(at, "must be a schema"));
    }
  }
  return found;
}

function formProblems(node: Readonly<Record<string, unknown>>, path: Path): ErrorDetail[] {
  const name = misplacedName(node);
  if (name !== undefined) {
    const form = `{"type": "object", "properties": {${JSON.stringify(name)}: {"type": "string"}}}`;
    return [
      problem(
        path,
        `is no JSON Schema, and would check nothing; the names of properties belong in "properties": ${form}`,
      ),
    ];
  }
  const problems: ErrorDetail[] = [];
  const { type, required, properties } = node;
  const named = Array.isArray(type) ? type : [type];
  if (type !== undefined && !named.every((name) => types.has(name))) {
    problems.push(problem([...path, "type"], `must be one of ${[...types].join(", ")}, or a list of them`));
  }
  // Draft 3 had a boolean here. It is common in hand-written schemas, and does no harm.
  if (required !== undefined && typeof required !== "boolean" && !isTextList(required)) {
    problems.push(problem([...path, "required"], "must be a list of property names"));
  }
  if (properties !== undefined && !isObject(properties)) {
    problems.push(problem([...path, "properties"], "must be an object of schemas"));
  }
  if (node["enum"] !== undefined && !Array.isArray(node["enum"])) {
    problems.push(problem([...path, "enum"], "must be a list"));
  }
  return problems;
}

/**
 * A property's name where keywords belong, as in `{ name: "string" }` or `{ name: { type: "string" } }`: nothing in it is
 * a keyword, or all values are names of types, as in `{ title: "string", price: "number" }`, or something that is no
 * keyword has a type, as in `{ type: "object", name: { type: "string" } }`, or a schema in the request of another API,
 * `{ name: "product", schema: { type: "object" } }`. What a reference may lead to can have any name, and a schema of
 * values that are no objects may say more about them, for a form: `{ type: "number", input: { type: "number" } }`.
 */
function misplacedName(node: Readonly<Record<string, unknown>>): string | undefined {
  const entries = Object.entries(node);
  const named = entries.filter(([key]) => !keywords.has(key) && !/^(?:x-|\$)/.test(key));
  if (named.length === 0) return undefined;
  if (entries.every(([, value]) => types.has(value))) return entries[0]![0];
  const isPart = ([, value]: [string, unknown]) => types.has(value) || isObject(value);
  if (named.length === entries.length && entries.every(isPart)) return named[0]![0];
  const isTelling =
    entries.some(([key]) => tellingKeywords.has(key)) || ![node["type"] ?? "object"].flat().includes("object");
  return isTelling ? undefined : named.find(([, value]) => isObject(value) && types.has(value["type"]))?.[0];
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function problem(path: Path, message: string): ErrorDetail {
  return { code: "invalid_schema", path, message };
}
