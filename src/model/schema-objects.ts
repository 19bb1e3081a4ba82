/** The keywords of JSON Schema that are about objects. */
import { isObject, type JsonObject } from "./json-value.ts";
import { listOf } from "./schema-lists.ts";
import { type Evaluated, type Node, namesInStep, type Path, type SchemaRun } from "./schema-run.ts";

export function checkObject(run: SchemaRun, schema: Node, value: JsonObject, path: Path, seen: Evaluated): boolean {
  let fits = true;
  const keys = Object.keys(value);
  const required = listOf(schema["required"]);
  run.spend(Math.floor((keys.length + required.length) / namesInStep), path);
  for (const name of required) {
    if (!Object.hasOwn(value, name as string)) fits = run.fail(path, `must have ${String(name)}`);
  }
  const { minProperties, maxProperties, propertyNames, additionalProperties, unevaluatedProperties } = schema;
  if (typeof minProperties === "number" && keys.length < minProperties)
    fits = run.fail(path, `must have at least ${minProperties} properties`);
  if (typeof maxProperties === "number" && keys.length > maxProperties)
    fits = run.fail(path, `must have at most ${maxProperties} properties`);
  fits = checkDependencies(run, schema, value, path, seen) && fits;

  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const patterns = isObject(schema["patternProperties"]) ? Object.entries(schema["patternProperties"]) : [];
  run.spend(Math.floor(patterns.length / namesInStep), path);
  for (const key of keys) {
    if (run.isOver) return false;
    if (propertyNames !== undefined) fits = run.inside(propertyNames, key, [...path, key]) && fits;
    let known = Object.hasOwn(properties, key);
    if (known) fits = run.inside(properties[key], value[key], [...path, key]) && fits;
    for (const [pattern, part] of patterns) {
      if (run.isOver) return false;
      const isFound = run.isFound(pattern, key, path);
      if (isFound === false) continue;
      known = true;
      if (isFound) fits = run.inside(part, value[key], [...path, key]) && fits;
    }
    if (!known && additionalProperties !== undefined) {
      known = true;
      fits = run.inside(additionalProperties, value[key], [...path, key]) && fits;
    }
    if (known) seen.keys.add(key);
  }
  if (unevaluatedProperties !== undefined) {
    for (const key of keys) {
      if (!seen.keys.has(key)) fits = run.inside(unevaluatedProperties, value[key], [...path, key]) && fits;
      seen.keys.add(key);
    }
  }
  return fits;
}

function checkDependencies(run: SchemaRun, schema: Node, value: JsonObject, path: Path, seen: Evaluated): boolean {
  let fits = true;
  for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
    const dependencies = schema[keyword];
    if (!isObject(dependencies)) continue;
    const names = Object.keys(dependencies);
    run.spend(Math.floor(names.length / namesInStep), path);
    for (const key of names) {
      if (!Object.hasOwn(value, key)) continue;
      const needed = dependencies[key];
      if (Array.isArray(needed)) {
        run.spend(Math.floor(needed.length / namesInStep), path);
        for (const name of needed)
          if (!Object.hasOwn(value, String(name))) fits = run.fail(path, `must have ${name} with ${key}`);
      } else fits = run.also(needed, value, path, seen) && fits;
    }
  }
  return fits;
}
