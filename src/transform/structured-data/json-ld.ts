// Reads JSON-LD scripts into items; references between nodes are followed.

import type { StructuredItem, StructuredValue } from "../../contract/structured-data.ts";
import { decodeText } from "../../shared/html-references.ts";
import {
  type Budget,
  localName,
  maxNesting,
  maxProperties,
  maxTextLength,
  maxTypes,
  maxValuesPerProperty,
} from "./bounds.ts";
import { declaredText } from "./declared-address.ts";
import { readJsonLdText } from "./json-ld-text.ts";

const maxScripts = 100;
/** Most nodes that are searched for ids. */
const maxNodes = 20_000;

type Node = Readonly<Record<string, unknown>>;

export function readJsonLd(scripts: readonly string[], base: string, budget: Budget): StructuredItem[] {
  const roots = scripts.slice(0, maxScripts).flatMap((script) => rootsOf(readJsonLdText(script)));
  const reader = new Reader(idsIn(roots), base, budget);
  return roots.flatMap((root) => reader.item(root, []) ?? []);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rootsOf(value: unknown): Node[] {
  const roots: Node[] = [];
  const open: unknown[] = [value];
  for (let index = 0; index < open.length && roots.length < maxNodes; index++) {
    const entry = open[index];
    if (Array.isArray(entry)) open.push(...entry.slice(0, maxNodes));
    else if (isNode(entry)) {
      if (Array.isArray(entry["@graph"])) open.push(...entry["@graph"].slice(0, maxNodes));
      if (entry["@type"] !== undefined) roots.push(entry);
    }
  }
  return roots;
}

function idsIn(roots: readonly Node[]): Map<string, Node> {
  const ids = new Map<string, Node>();
  const open: unknown[] = [...roots];
  for (let index = 0; index < open.length && index < maxNodes; index++) {
    const entry = open[index];
    if (Array.isArray(entry)) open.push(...entry.slice(0, maxNodes));
    else if (isNode(entry)) {
      const id = entry["@id"];
      if (typeof id === "string" && entry["@type"] !== undefined && !ids.has(id)) ids.set(id, entry);
      open.push(...Object.values(entry).slice(0, maxNodes));
    }
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
    if (above.length >= maxNesting || above.includes(node) || this.#budget.items <= 0 || this.#budget.values <= 0)
      return undefined;
    this.#budget.items--;
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
      entries = Object.entries(node).slice(0, maxProperties);
      this.#entries.set(node, entries);
    }
    return entries;
  }

  /** Whatever is looked at counts, whether or not it yields a value: a long list of nulls may be referred to often. */
  #values(property: string, value: unknown, above: readonly Node[]): StructuredValue[] {
    if (above.length > maxNesting || this.#budget.values-- <= 0) return [];
    if (Array.isArray(value))
      return value
        .slice(0, maxValuesPerProperty)
        .flatMap((entry) => this.#values(property, Array.isArray(entry) ? null : entry, above));
    if (typeof value === "string") {
      const text = value.slice(0, maxTextLength);
      this.#budget.characters -= text.length;
      if (this.#budget.characters < 0) return [];
      return text.trim() === "" ? [] : [declaredText(property, plain(text).trim(), this.#base)];
    }
    if (typeof value === "number" || typeof value === "boolean") return [value];
    if (!isNode(value)) return [];
    for (const keyword of ["@value", "@list"])
      if (value[keyword] !== undefined) return this.#values(property, value[keyword], [...above, value]);
    const item = this.item(value, above);
    if (item !== undefined) return [item];
    // A reference to something outside of the page is at least an address.
    const id = value["@id"];
    return typeof id === "string" && !this.#ids.has(id)
      ? [declaredText(property, id.slice(0, maxTextLength), this.#base)]
      : [];
  }
}

/** Entities do not belong into JSON, but some tools write them, even escaped twice. */
function plain(text: string): string {
  const once = text.includes("&") ? decodeText(text) : text;
  return /&#?\w{2,8};/.test(once) ? decodeText(once) : once;
}
