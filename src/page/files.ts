/** Pictures and printed pages as URLs: those of the storage's files, or data URIs. */

import type { ActionsResult, Document } from "../contract/document.ts";
import type { FetchResponse } from "../ports/fetcher.ts";
import type { FileStore } from "../ports/file-store.ts";
import type { Logger } from "../ports/logger.ts";
import { asBuffer } from "../shared/as-buffer.ts";
import { errorName } from "../shared/error-text.ts";

/** Keeps a file, and resolves with its URL; null if it is to be in the document. Never rejects. */
export type KeepFile = (file: Parameters<FileStore["put"]>[0]) => Promise<string | null>;

/** A store that fails does not cost the page: its files are in the document then, as without a store. */
export function createKeepFile(files: FileStore | undefined, logger: Logger): KeepFile | undefined {
  if (files === undefined) return undefined;
  return async (file) => {
    try {
      return (await files.put(file)) ?? null;
    } catch (error) {
      logger.warn("a picture or printed page could not be kept; it is in the document", { error: errorName(error) });
      return null;
    }
  };
}

/** The fields of a document that come from a browser. */
export async function browserFields(
  { screenshot, actions }: Pick<FetchResponse, "screenshot" | "actions">,
  team: string,
  keepFile: KeepFile | undefined,
): Promise<Pick<Document, "screenshot" | "actions">> {
  const urlOf = async (contentType: string, bytes: Uint8Array): Promise<string> =>
    (await keepFile?.({ team, contentType, bytes })) ?? dataUri(contentType, bytes);
  const picture = (bytes: Uint8Array) => urlOf(bytes[0] === 0xff ? "image/jpeg" : "image/png", bytes);
  return {
    ...(screenshot === undefined ? {} : { screenshot: await picture(screenshot) }),
    ...(actions === undefined
      ? {}
      : {
          actions: {
            screenshots: await Promise.all(actions.screenshots.map(picture)),
            scrapes: [...actions.scrapes],
            javascriptReturns: [...actions.javascriptReturns],
            pdfs: await Promise.all(actions.pdfs.map((bytes) => urlOf("application/pdf", bytes))),
          } satisfies ActionsResult,
        }),
  };
}

function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${asBuffer(bytes).toString("base64")}`;
}
