/**
 * Writes pages about a thing: declared in JSON-LD, microdata or RDFa, or not at all, with the troubles of real pages.
 */
import type { Thing } from "./things.ts";

export type Syntax = "json-ld" | "microdata" | "rdfa" | "none";
/**
 * `graph`: among descriptions of the site; `related`: with other things; `conflict`: declared twice, with two prices.
 */
export type Trouble = "plain" | "graph" | "related" | "conflict";

type Declared = Readonly<Record<string, unknown>>;

export function writePage(thing: Thing, syntax: Syntax, trouble: Trouble): string {
  const { type, declared, expected } = thing;
  const title = String(expected["name"] ?? expected["title"] ?? expected["job_title"]);
  const body = syntax === "microdata" || syntax === "rdfa" ? annotated(type, declared, syntax) : visible(declared);
  return `<!doctype html><html lang="en"><head><title>${escaped(title)} | Site</title>
    <meta property="og:title" content="${escaped(title)}"><meta property="og:site_name" content="Site">${scripts(thing, syntax, trouble)}</head>
    <body><nav><a href="/">Home</a> <a href="/all">All</a></nav><main><h1>${escaped(title)}</h1>${filler(title)}${body}${filler(title)}</main>
    <footer>Site, since 1990</footer></body></html>`;
}

function scripts({ type, declared }: Thing, syntax: Syntax, trouble: Trouble): string {
  const own = { "@context": "https://schema.org", "@type": type, ...declared };
  const site = [
    { "@type": "WebSite", name: "Site", url: "https://site.example" },
    { "@type": "Organization", name: "Site Ltd", telephone: "+46 1" },
    { "@type": "BreadcrumbList", itemListElement: [{ "@type": "ListItem", position: 1, name: "Home" }] },
  ];
  const related = [1, 2].map((n) => ({
    ...own,
    ...(type === "NewsArticle"
      ? { headline: `Other ${n}` }
      : type === "JobPosting"
        ? { title: `Other ${n}` }
        : { name: `Other ${n}` }),
  }));
  const graphs: Record<Trouble, unknown> = {
    plain: syntax === "json-ld" ? own : undefined,
    graph: { "@context": "https://schema.org", "@graph": syntax === "json-ld" ? [...site, own] : site },
    related: syntax === "json-ld" ? [own, ...related] : related,
    conflict: syntax === "json-ld" ? [own, spoiled(own)] : spoiled(own),
  };
  const graph = syntax === "none" ? undefined : graphs[trouble];
  return graph === undefined ? "" : `<script type="application/ld+json">${JSON.stringify(graph)}</script>`;
}

/** The same thing with one different value. */
function spoiled(own: Record<string, unknown>): unknown {
  const offers = own["offers"];
  if (typeof offers === "object") return { ...own, offers: { ...offers, price: "1.00" } };
  const dates = ["startDate", "datePublished", "datePosted", "prepTime"].find((key) => key in own);
  return dates === undefined ? own : { ...own, [dates]: "1999-01-01" };
}

function annotated(type: string, declared: Declared, syntax: "microdata" | "rdfa", property?: string): string {
  const open =
    syntax === "microdata"
      ? `itemscope itemtype="https://schema.org/${type}"${property === undefined ? "" : ` itemprop="${property}"`}`
      : `vocab="https://schema.org/" typeof="${type}"${property === undefined ? "" : ` property="${property}"`}`;
  const name = syntax === "microdata" ? "itemprop" : "property";
  const rows = Object.entries(declared).flatMap(([key, value]) =>
    [value].flat().map((entry) => {
      if (typeof entry === "object" && entry !== null)
        return annotated(String((entry as Declared)["@type"]), entry as Declared, syntax, key);
      if (key === "@type") return "";
      const isUrl = String(entry).startsWith("https://");
      return isUrl
        ? `<link ${name}="${key}" href="${entry}">`
        : `<p>${label(key)}: <span ${name}="${key}">${escaped(String(entry))}</span></p>`;
    }),
  );
  return `<div ${open}>${rows.join("")}</div>`;
}

function visible(declared: Declared): string {
  return Object.entries(declared)
    .flatMap(([key, value]) =>
      [value]
        .flat()
        .map((entry) =>
          typeof entry === "object" && entry !== null
            ? visible(entry as Declared)
            : key === "@type"
              ? ""
              : `<p>${label(key)}: ${escaped(String(entry))}</p>`,
        ),
    )
    .join("");
}

function label(key: string): string {
  return key.replace(/([A-Z])/g, " $1").toLowerCase();
}

function filler(title: string): string {
  const sentence = `This part of the page tells more about ${escaped(title)}, how it came to be, and what others have made of it over the years. `;
  return `<p>${sentence.repeat(6)}</p>`.repeat(4);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
