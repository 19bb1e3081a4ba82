/** Reads the pages of the demo site: HTML fragments with front matter, one file a page. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

export interface DemoPage {
  /** Where it is served: `/docs/install/` for `pages/docs/install.html`. Empty for the page that says there is none. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly layout: "plain" | "article" | "docs" | "product" | "forum";
  readonly body: string;
  readonly lang: string;
  readonly charset: string;
  readonly author?: string;
  /** `2024-05-16`. */
  readonly date?: string;
  readonly tags: readonly string[];
  /** JSON-LD as text. */
  readonly jsonld?: string;
}

const folder = join(import.meta.dirname, "pages");

function parse(path: string, source: string): DemoPage {
  const [, head = "", ...body] = source.split(/^---$/m);
  const fields = new Map(
    head
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const optional = (name: string): Record<string, string> => {
    const value = fields.get(name);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    path,
    title: fields.get("title") ?? path,
    description: fields.get("description") ?? "",
    layout: (fields.get("layout") ?? "plain") as DemoPage["layout"],
    body: body.join("---").trim(),
    lang: fields.get("lang") ?? "en-GB",
    charset: fields.get("charset") ?? "utf-8",
    tags: fields.get("tags")?.split(", ") ?? [],
    ...optional("author"),
    ...optional("date"),
    ...optional("jsonld"),
  };
}

/** All pages, by path. */
export async function readPages(): Promise<ReadonlyMap<string, DemoPage>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".html")).sort();
  const pages = await Promise.all(
    files.map(async (file) => {
      const name = relative(folder, join(folder, file)).replaceAll("\\", "/");
      const path = `/${name.replace(/\.html$/, "/").replace(/(^|\/)index\/$/, "$1")}`;
      return parse(path, await readFile(join(folder, file), "utf8"));
    }),
  );
  return new Map(pages.map((page) => [page.path, page]));
}
