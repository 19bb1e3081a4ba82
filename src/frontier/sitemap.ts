/** Reads a sitemap while it arrives: XML sitemaps and their indexes, RSS and Atom feeds, plain text; gzipped or not. */

import { sitemapText } from "./sitemap-bytes.ts";
import { decodeEntities, XmlReader } from "./sitemap-xml.ts";

export type SitemapEntry =
  | SitemapPage
  /** Another sitemap file. */
  | { readonly sitemap: string };

interface SitemapPage {
  readonly loc: string;
  readonly lastmod?: string;
  /** In feeds, and in sitemaps for news and videos; truncated. */
  readonly title?: string;
  readonly description?: string;
}

interface Fields {
  readonly loc: string;
  /** What identifies the entry: often its URL, and sometimes the only place where that stands. */
  readonly id?: string;
  readonly lastmod: readonly string[];
}

type Field = "loc" | "id" | "lastmod" | "title" | "description";

/** The elements with texts about a page, under any prefix: `title`, `news:title`, `video:description`. */
const texts: Readonly<Record<string, Field>> = { title: "title", description: "description", summary: "description" };

/** Elements that describe one URL, and where they contain it. Names in lower case, without prefix. */
const elements: Readonly<Record<string, Fields>> = {
  url: { loc: "loc", lastmod: ["lastmod"] },
  sitemap: { loc: "loc", lastmod: [] },
  item: { loc: "link", id: "guid", lastmod: ["pubdate"] },
  entry: { loc: "link", id: "id", lastmod: ["updated", "published"] },
};

/** Longer values are no URLs. */
const maxValueLength = 8192;
/** Most characters that are kept of a title or description. */
const maxTextLength = 300;

/**
 * The entries in the order of the file; broken markup, HTML pages and anything else that is no sitemap give fewer or
 * none, never an error. Memory does not grow with the file, of which at most 50 MB (unpacked) are read.
 *
 * Rejects with the signal's reason, or with what `chunks` throws.
 */
export async function* parseSitemap(
  chunks: AsyncIterable<Uint8Array>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<SitemapEntry> {
  const found: SitemapEntry[] = [];
  let reader: { write(piece: string): void; end(): void } | undefined;
  for await (const piece of sitemapText(chunks, signal)) {
    if (reader === undefined) {
      const start = piece.trimStart();
      if (start === "") continue;
      reader = start.startsWith("<") ? new XmlReader(new EntryCollector(found)) : new LineReader(found);
    }
    reader.write(piece);
    yield* found.splice(0);
  }
  reader?.end();
  yield* found.splice(0);
}

class EntryCollector {
  readonly #found: SitemapEntry[];
  #element: string | undefined;
  #prefix = "";
  #field: Field | undefined;
  #value = "";
  #values: Partial<Record<Field, string>> = {};

  constructor(found: SitemapEntry[]) {
    this.#found = found;
  }

  open(qualifiedName: string, attributes: string): void {
    this.#endField();
    const [prefix, name] = splitName(qualifiedName);
    if (Object.hasOwn(elements, name)) {
      this.#endElement();
      this.#element = name;
      this.#prefix = prefix;
    } else if (this.#element !== undefined) {
      // The prefix keeps <image:loc> apart from <loc>.
      const isOwn = prefix === this.#prefix;
      const fields = elements[this.#element]!;
      const href = isOwn && name === "link" && this.#element === "entry" ? alternateOf(attributes) : undefined;
      if (href !== undefined) this.#values.loc ||= href;
      else if (isOwn && name === fields.loc) this.#field = "loc";
      else if (isOwn && name === fields.id && attribute(attributes, "isPermaLink") !== "false") this.#field = "id";
      else if (isOwn && fields.lastmod.includes(name)) this.#field = "lastmod";
      else if (Object.hasOwn(texts, name)) this.#field = texts[name];
    }
  }

  close(qualifiedName: string): void {
    this.#endField();
    const [, name] = splitName(qualifiedName);
    if (name === this.#element) this.#endElement();
  }

  text(text: string): void {
    if (this.#field !== undefined && this.#value.length <= maxValueLength) this.#value += text;
  }

  #endField(): void {
    if (this.#field !== undefined) this.#values[this.#field] ||= this.#value.trim();
    this.#field = undefined;
    this.#value = "";
  }

  #endElement(): void {
    const { id = "", lastmod, title, description } = this.#values;
    const loc = this.#values.loc || (/^https?:/i.test(id) ? id : "");
    if (loc) {
      if (this.#element === "sitemap") this.#found.push({ sitemap: loc });
      else {
        this.#found.push({
          loc,
          ...(lastmod ? { lastmod } : {}),
          ...(title ? { title: shortText(title) } : {}),
          ...(description ? { description: shortText(description) } : {}),
        });
      }
    }
    this.#element = undefined;
    this.#values = {};
  }

  /** A file that was cut still gives its last complete URL. */
  end(): void {
    this.#endElement();
  }
}

/** Feeds put markup into their descriptions. */
function shortText(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replace(/<[^<>]*>/g, " ")
    .trim();
}

function splitName(qualifiedName: string): [prefix: string, name: string] {
  const colon = qualifiedName.indexOf(":");
  return [qualifiedName.slice(0, Math.max(colon, 0)).toLowerCase(), qualifiedName.slice(colon + 1).toLowerCase()];
}

const linkAttributes = {
  rel: /\srel\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  isPermaLink: /\sisPermaLink\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  href: /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
} as const;

/** The page that an Atom link leads to; links to the feed itself, to comments or files are none. */
function alternateOf(attributes: string): string | undefined {
  const relation = attribute(attributes, "rel");
  return relation === undefined || relation === "alternate" ? attribute(attributes, "href") : undefined;
}

function attribute(attributes: string, name: keyof typeof linkAttributes): string | undefined {
  const value = linkAttributes[name].exec(attributes);
  return value === null ? undefined : decodeEntities((value[1] ?? value[2])!).trim();
}

class LineReader {
  readonly #found: SitemapEntry[];
  #rest = "";

  constructor(found: SitemapEntry[]) {
    this.#found = found;
  }

  write(piece: string): void {
    const lines = (this.#rest + piece).split(/\r\n?|\n/);
    const last = lines.pop()!;
    // A line that is already too long is truncated so that it can still be recognised as too long.
    this.#rest = last.slice(0, maxValueLength + 1);
    for (const line of lines) this.#line(line);
  }

  end(): void {
    this.#line(this.#rest);
  }

  #line(line: string): void {
    const loc = line.trim();
    if (/^https?:\/\/\S+$/i.test(loc) && loc.length <= maxValueLength) this.#found.push({ loc });
  }
}
