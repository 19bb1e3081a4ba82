import type { Document } from "../contract/document.ts";
import type { ListedResult } from "../ports/job-store.ts";

/** The document of a result. One that repeats another names the URL that asked for it. */
export function readResult({ document, url }: ListedResult): Document {
  const read = JSON.parse(document) as Document;
  if (url !== null) read.metadata.sourceURL = url;
  return read;
}
