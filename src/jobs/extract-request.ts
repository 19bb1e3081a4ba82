/** An extract request as it is stored, and how it determines the choice of pages. */
import type { ParsedExtractRequest } from "../contract/extract.ts";
import { isGlob } from "../contract/glob.ts";
import type { JsonSchema } from "../contract/schema-option.ts";
import type { NewPage } from "../ports/job-store.ts";
import { namedKey } from "./named-key.ts";

export type StoredExtract = Omit<ParsedExtractRequest, "schema" | "invalidURLs" | "enableWebSearch"> & {
  readonly schema?: JsonSchema;
  /** Pages are looked for by web search. */
  readonly searches: boolean;
};

/** Most pages read for one glob if the request does not say; for a search; and for links to other sites. */
const defaultPerGlob = 50;
export const pagesOfSearch = 10;
const externalPages = 20;

/** Most pages of the job. */
export function pageLimit({ urls, limit = defaultPerGlob, searches, allowExternalLinks }: StoredExtract): number {
  const globs = urls.filter(isGlob).length;
  const searched = searches ? pagesOfSearch : 0;
  return urls.length - globs + globs * limit + searched + (allowExternalLinks ? externalPages : 0);
}

export function pagesPerGlob({ limit = defaultPerGlob }: StoredExtract): number {
  return limit;
}

const maxWords = 60;

/** What pages are ranked by: the words of the prompt, and of the schema's names and descriptions. */
export function relevanceQuery({ prompt = "", schema }: Pick<StoredExtract, "prompt" | "schema">): string {
  const words: string[] = [prompt];
  const open: unknown[] = [schema];
  for (let index = 0; index < open.length && words.length < maxWords; index++) {
    const node = open[index];
    if (typeof node !== "object" || node === null) continue;
    const { title, description, properties, items } = node as Record<string, unknown>;
    for (const text of [title, description]) if (typeof text === "string") words.push(text);
    if (typeof properties === "object" && properties !== null) {
      for (const [name, part] of Object.entries(properties)) {
        words.push(name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " "));
        open.push(part);
      }
    }
    open.push(items);
  }
  return words.join(" ").slice(0, 2000);
}

export function asPage(depth: number): (url: string) => NewPage {
  return (url) => ({ url, key: namedKey(url), depth });
}

/** The first pages of a job: those that the request names. */
export function namedPages({ urls }: Pick<StoredExtract, "urls">): NewPage[] {
  return urls.filter((url) => !isGlob(url)).map(asPage(0));
}
