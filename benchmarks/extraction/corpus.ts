/** Reads page sets: folders with `pages.jsonl` and gzipped pages beside it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface CorpusPage {
  readonly id: string;
  readonly set: string;
  readonly folder: string;
  readonly file: string;
  /** The page itself, if it is not in a file. */
  readonly html?: string;
  readonly type: string;
  readonly url: string;
  readonly cjk?: boolean;
  readonly title?: string;
  readonly text?: string;
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  readonly structure?: { readonly headings?: readonly (readonly [level: number, text: string])[] };
}

/** All pages of the sets in `folder`, or only of the named sets; throws if there are none. */
export function readCorpus(folder: string, sets?: readonly string[]): CorpusPage[] {
  const pages: CorpusPage[] = [];
  for (const set of readdirSync(folder).sort()) {
    const list = join(folder, set, "pages.jsonl");
    if (!existsSync(list) || (sets !== undefined && !sets.includes(set))) continue;
    for (const line of readFileSync(list, "utf8").split("\n")) {
      if (line !== "") pages.push({ ...(JSON.parse(line) as CorpusPage), set, folder: join(folder, set) });
    }
  }
  if (pages.length === 0) throw new Error(`${folder} has no folder of pages${sets === undefined ? "" : `: ${sets}`}`);
  return pages;
}

/** The bytes of a page; those of all sets are UTF-8. */
export function readBody(page: CorpusPage): Buffer {
  return gunzipSync(readFileSync(join(page.folder, page.file)));
}

export function readPage(page: CorpusPage): string {
  return page.html ?? readBody(page).toString("utf8");
}
