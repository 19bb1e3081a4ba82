/** Reads the pages for a benchmark as bytes, and prepares the input of a transform. */
import type { TransformInput } from "../../src/transform/transform-shapes.ts";
import { readBody, readCorpus as readList } from "../extraction/corpus.ts";

export interface CorpusPage {
  readonly id: string;
  readonly url: string;
  readonly body: Uint8Array;
}

/** All pages of the sets below `path`, or of the named sets; throws if there are none. */
export function readCorpus(path: string, sets: readonly string[] = []): CorpusPage[] {
  const pages = readList(path, sets.length > 0 ? sets : undefined);
  return pages.map((page) => ({ id: page.id, url: page.url, body: readBody(page) }));
}

/** Markdown and links, of the main content or of the whole page. */
export function inputOf(body: Uint8Array, url: string, onlyMainContent = true): TransformInput {
  return {
    body,
    contentType: "text/html; charset=utf-8",
    url,
    rendered: false,
    options: { formats: ["markdown", "links"], onlyMainContent, removeBase64Images: true, parsePDF: true },
  };
}
