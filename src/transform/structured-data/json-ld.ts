// Reads JSON-LD scripts into items; references between nodes are followed.

import type { StructuredItem, StructuredValue } from "../../contract/structured-data.ts";
import { decodeText } from "../../shared/html-references.ts";
import { type Budget, localName, maxNesting, maxProperties, maxTypes } from "./bounds.ts";
import { declaredText } from "./declared-address.ts";
import { readJsonLdText } from "./json-ld-text.ts";

/** In characters. */
const maxScriptLength = 20_000_000;

type Node = Readonly<Record<string, unknown>>;

export function readJsonLd(scripts: readonly string[], base: string, budget: Budget): StructuredItem[] {
  const read = scripts.filter(({ length }) => length <= maxScriptLength);
  if (read.length < scripts.length) budget.isCut = true;
  const roots = read.flatMap((script) => rootsOf(readJsonLdText(script)));
  const reader = new Reader(idsIn(roots), base, budget);
  return roots.flatMap((root) => reader.item(root, []) ?? []);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rootsOf(value: unknown): Node[] {
  const roots: Node[] = [];
  const open: unknown[] = [value];
  // One by one: as arguments of a single call, a long list would exhaust the stack.
  const openAll = (entries: readonly unknown[]) => {
    for (const entry of entries) open.push(entry);
  };
  for (let index = 0; index < open.length; index++) {
    const entry = open[index];
    if (Array.isArray(entry)) openAll(entry);
    else if (isNode(entry)) {
      if (Array.isArray(entry["@graph"])) openAll(entry["@graph"]);
      if (entry["@type"] !== undefined) roots.push(entry);
    }
  }
  return roots;
}

function idsIn(roots: readonly Node[]): Map<string, Node> {
  const ids = new Map<string, Node>();
  const open: unknown[] = [...roots];
  for (let index = 0; index < open.length; index++) {
    const entry = open[index];
    if (typeof entry !== "object" || entry === null) continue;
    if (isNode(entry)) {
      const id = entry["@id"];
      if (typeof id === "string" && entry["@type"] !== undefined && !ids.has(id)) ids.set(id, entry);
    }
    for (const inner of Object.values(entry)) if (typeof inner === "object") open.push(inner);
  }
  return ids;
}

class Reader {
  readonly #ids: ReadonlyMap<string, Node>;
  readonly #base: string;
  readonly #budget: Budget;
  /** The entries of a node, read once however often it is referred to. */
  readonly #entries = new Map<Node, readonly (readonly [string, unknown])[]>();

  constructor(ids: ReadonlyMap<string, Node>, base: string, budget: Budget) {
    this.#ids = ids;
    this.#base = base;
    this.#budget = budget;
  }

  item(given: Node, above: readonly Node[]): StructuredItem | undefined {
    const id = given["@id"];
    const node = given["@type"] === undefined && typeof id === "string" ? (this.#ids.get(id) ?? given) : given;
    if (above.length >= maxNesting || above.includes(node)) return undefined;
    if (this.#budget.items-- <= 0 || this.#budget.values <= 0) {
      this.#budget.isCut = true;
      return undefined;
    }
    const properties = new Map<string, StructuredValue[]>();
    for (const [key, value] of this.#entriesOf(node)) {
      if (key.startsWith("@")) continue;
      const name = localName(key);
      const values = this.#values(name, value, [...above, node]);
      if (values.length > 0) properties.set(name, values);
    }
    if (properties.size === 0) return undefined;
    const type = node["@type"];
    const types = (Array.isArray(type) ? type.slice(0, maxTypes) : [type]).filter((name) => typeof name === "string");
    return { types: types.map(localName), properties: Object.fromEntries(properties), from: "json-ld" };
  }

  #entriesOf(node: Node): readonly (readonly [string, unknown])[] {
    let entries = this.#entries.get(node);
    if (entries === undefined) {
      const all = Object.entries(node);
      if (all.length > maxProperties) this.#budget.isCut = true;
      entries = all.slice(0, maxProperties);
      this.#entries.set(node, entries);
    }
    return entries;
  }

  /** Whatever is looked at counts, whether or not it yields a value: a long list of nulls may be referred to often. */
  #values(property: string, value: unknown, above: readonly Node[]): StructuredValue[] {
    if (above.length > maxNesting) return [];
    if (this.#budget.values-- <= 0) return this.#cut();
    if (Array.isArray(value)) return this.#members(property, value, above);
    if (typeof value === "string") {
      const text = plain(this.#budget.take(value)).trim();
      return text === "" ? [] : [declaredText(property, text, this.#base)];
    }
    if (typeof value === "number" || typeof value === "boolean") return [value];
    if (!isNode(value)) return [];
    for (const keyword of ["@value", "@list"])
      if (value[keyword] !== undefined) return this.#values(property, value[keyword], [...above, value]);
    const item = this.item(value, above);
    if (item !== undefined) return [item];
    // A reference to something outside of the page is at least an address.
    const id = value["@id"];
    const address = typeof id === "string" && !this.#ids.has(id) ? this.#budget.take(id) : "";
    return address === "" ? [] : [declaredText(property, address, this.#base)];
  }

  #members(property: string, list: readonly unknown[], above: readonly Node[]): StructuredValue[] {
    const members: StructuredValue[] = [];
    for (const entry of list) {
      if (this.#budget.values <= 0) return [...members, ...this.#cut()];
      for (const value of this.#values(property, Array.isArray(entry) ? null : entry, above)) members.push(value);
    }
    return members;
  }

  #cut(): [] {
    this.#budget.isCut = true;
    return [];
  }
}

/** Entities do not belong into JSON, but some tools write them, even escaped twice. */
function plain(text: string): string {
  const once = text.includes("&") ? decodeText(text) : text;
  return /&#?\w{2,8};/.test(once) ? decodeText(once) : once;
}
