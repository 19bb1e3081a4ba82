// Reads the page sets that a benchmark is given by path: folders with `pages.jsonl` and gzipped pages.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface CorpusPage {
  readonly id: string;
  readonly url: string;
  readonly body: Uint8Array;
}

/** All pages of the sets below `path`, or of those named; throws when there are none. */
export function readCorpus(path: string, sets: readonly string[] = []): CorpusPage[] {
  const pages = readdirSync(path)
    .filter((set) => existsSync(join(path, set, "pages.jsonl")) && (sets.length === 0 || sets.includes(set)))
    .flatMap((set) =>
      readFileSync(join(path, set, "pages.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const { id, url, file } = JSON.parse(line) as { id: string; url: string; file: string };
          return { id, url, body: gunzipSync(readFileSync(join(path, set, file))) };
        }),
    );
  if (pages.length === 0) throw new Error(`${path} has no folder of pages${sets.length > 0 ? `: ${sets}` : ""}`);
  return pages;
}
