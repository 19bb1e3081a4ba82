// Reads microdata (`itemscope`, `itemprop`) and RDFa (`typeof`, `property`), which annotate the elements of the page
// itself.

import type { Document, Element, ParentNode } from "domhandler";
import type { StructuredItem, StructuredValue } from "../../contract/structured-data.ts";
import { resolveUrl } from "../absolute-urls.ts";
import { walkElements } from "../html/walk.ts";
import { type Budget, localName, maxNesting, maxProperties, shortText } from "./bounds.ts";
import { declaredText } from "./declared-address.ts";

interface Syntax {
  readonly from: StructuredItem["from"];
  /** The types of the thing that the element begins; undefined if it begins none. */
  readonly types: (element: Element) => string | undefined;
  readonly property: string;
}

const syntaxes: readonly Syntax[] = [
  {
    from: "microdata",
    types: ({ attribs }) => (attribs["itemscope"] === undefined ? undefined : (attribs["itemtype"] ?? "")),
    property: "itemprop",
  },
  { from: "rdfa", types: ({ attribs }) => attribs["typeof"], property: "property" },
];

interface OpenItem {
  readonly item: StructuredItem & { readonly properties: Record<string, StructuredValue[]> };
  readonly depth: number;
  /** How many names its properties have. */
  names: number;
}

export function readAnnotations(document: Document, base: string, budget: Budget): StructuredItem[] {
  return syntaxes.flatMap((syntax) => read(document, base, syntax, budget));
}

function read(document: Document, base: string, syntax: Syntax, budget: Budget): StructuredItem[] {
  const items: StructuredItem[] = [];
  /** For each element, the thing that its content belongs to. */
  const around = new Map<ParentNode, OpenItem>();
  walkElements(document, (element) => {
    const outer = element.parent === null ? undefined : around.get(element.parent);
    const types = syntax.types(element);
    const names = outer === undefined ? undefined : element.attribs[syntax.property];
    let inner = outer;
    if (types !== undefined && budget.items <= 0) budget.isCut = true;
    else if (types !== undefined && (outer?.depth ?? 0) < maxNesting) {
      budget.items--;
      inner = {
        item: {
          types: words(types).map(localName),
          properties: Object.create(null) as Record<string, StructuredValue[]>,
          from: syntax.from,
        },
        depth: (outer?.depth ?? 0) + 1,
        names: 0,
      };
      // A thing that is no property of another is listed by itself.
      if (outer === undefined || names === undefined) items.push(inner.item);
    }
    if (outer !== undefined && names !== undefined) {
      const value = inner === outer ? declaredValue(element, base, budget) : inner?.item;
      if (value !== undefined && value !== "")
        for (const name of words(names).map(localName))
          add(outer, name, typeof value === "string" ? declaredText(name, value, base) : value, budget);
    }
    if (inner !== undefined) around.set(element, inner);
  });
  return items.filter(({ properties }) => Object.keys(properties).length > 0);
}

function add(open: OpenItem, name: string, value: StructuredValue, budget: Budget): void {
  if (name === "") return;
  const values = open.item.properties[name];
  if (budget.values-- <= 0 || (values === undefined && open.names >= maxProperties)) {
    budget.isCut = true;
  } else if (values === undefined) {
    open.names++;
    open.item.properties[name] = [value];
  } else values.push(value);
}

function words(text: string): string[] {
  return text
    .slice(0, 2000)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 10);
}

const addresses: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  link: "href",
  img: "src",
  audio: "src",
  video: "src",
  source: "src",
  iframe: "src",
  embed: "src",
  track: "src",
  object: "data",
};

function declaredValue(element: Element, base: string, budget: Budget): string {
  const { name, attribs } = element;
  const { content, datetime, value } = attribs;
  if (content !== undefined) return budget.take(content.trim());
  const address = attribs[addresses[name] ?? ""];
  if (address !== undefined) return budget.take(resolveUrl(address, base) ?? "");
  if (name === "time" && datetime !== undefined) return budget.take(datetime.trim());
  if ((name === "data" || name === "meter") && value !== undefined) return budget.take(value.trim());
  return shortText(element, budget);
}
