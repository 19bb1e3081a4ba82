import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/**
 * The layers of docs/architecture.md, called floors here, the highest first. A file imports from its own floor or a lower
 * one; places that share a line do not import each other.
 */
const floors: readonly (readonly string[])[] = [
  ["index.ts"],
  ["service-watch.ts"],
  ["default-engine.ts", "service-routes.ts"],
  ["engine.ts"],
  ["assemble.ts"],
  ["assemble-pages.ts", "assemble-jobs.ts", "assemble-delivery.ts", "close-parts.ts"],
  ["calls"],
  ["jobs"],
  ["page"],
  ["fetch", "transform", "frontier", "model"],
  ["check-options.ts"],
  ["drivers", "testing", "options.ts"],
  ["network-options.ts"],
  ["ports"],
  ["contract"],
  ["shared"],
  ["errors.ts"],
];

/** Side wings: they stand below the engine, and whoever puts the parts together may use them. */
const wings: Readonly<Record<string, readonly string[]>> = {
  drivers: ["ports", "contract", "shared", "errors.ts"],
  testing: ["ports", "contract", "shared", "errors.ts"],
  "options.ts": ["network-options.ts", "ports", "contract", "shared", "errors.ts"],
};

const source = resolve(import.meta.dirname, "../src");

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** All imports and re-exports of a file, type-only and dynamic ones too, as absolute paths. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+|new URL\(\s*)["'](\.[^"']+)["']/gm);
  return [...found].map((match) => resolve(dirname(file), match[1]!));
}

/** Files that are loaded from outside: the doors of the package, and the files that threads start with. */
const doors = [
  "index.ts",
  "drivers/sqlite/index.ts",
  "drivers/postgres/index.ts",
  "drivers/open-telemetry.ts",
  "testing/index.ts",
  "transform/thread-worker.ts",
];

/** The names that a file takes from others, by the other file's path. */
function namesTaken(file: string): (readonly [target: string, name: string])[] {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const lists = text.matchAll(
    /(?:^(?:import|export)\s+(?:type\s+)?|\bconst\s+)\{([^}]*)\}\s*(?:from|=\s*await\s+import\()\s*["'](\.[^"']+)["']/gm,
  );
  const members = text.matchAll(/import\(\s*["'](\.[^"']+)["']\)\)\.(\w+)/g);
  const lone = [...members].map(([, target, name]) => [resolve(dirname(file), target!), name!] as const);
  const listed = [...lists].flatMap(([, names, target]) =>
    names!.split(",").map((name) => {
      const [first] = name
        .trim()
        .replace(/^type\s+/, "")
        .split(/[\s:]/);
      return [resolve(dirname(file), target!), first!] as const;
    }),
  );
  return [...listed, ...lone];
}

const graph = new Map(files(source).map((file) => [file, importsOf(file)]));

function placeOf(file: string): string {
  return relative(source, file).split("/")[0]!;
}

function floorOf(place: string): number {
  return floors.findIndex((floor) => floor.includes(place));
}

test("every file has a floor, and every import a file", () => {
  for (const [file, imports] of graph) {
    expect(floorOf(placeOf(file)), relative(source, file)).toBeGreaterThanOrEqual(0);
    for (const target of imports)
      if (target.endsWith(".ts")) expect(graph.has(target), `${file} -> ${target}`).toBe(true);
  }
});

test("imports go down, and never to a neighbour on the same floor", () => {
  const wrong: string[] = [];
  for (const [file, imports] of graph) {
    const from = placeOf(file);
    for (const target of imports) {
      const to = placeOf(target);
      if (from === to) continue;
      const allowed = wings[from]?.includes(to) ?? floorOf(to) > floorOf(from);
      if (!allowed) wrong.push(`${relative(source, file)} -> ${relative(source, target)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("no file imports itself by a detour", () => {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  function visit(file: string): void {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].map((part) => relative(source, part)).join(" -> "));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  }
  for (const file of graph.keys()) visit(file);
  expect(cycles).toEqual([]);
});

test("what no other file imports is not exported", () => {
  const root = resolve(source, "..");
  const readers = ["src", "test", "benchmarks", "examples"].flatMap((folder) => files(join(root, folder)));
  const taken = new Set(readers.flatMap(namesTaken).map(([target, name]) => `${target} ${name}`));
  const needless: string[] = [];
  for (const file of graph.keys()) {
    if (doors.includes(relative(source, file))) continue;
    const exported = readFileSync(file, "utf8").matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
    );
    for (const [, name] of exported)
      if (!taken.has(`${file} ${name}`)) needless.push(`${relative(source, file)} ${name}`);
  }
  expect(needless).toEqual([]);
});
