/** Pictures and printed pages as URLs: those of the storage's files, or data URIs. */

import type { ActionsResult, Document } from "../contract/document.ts";
import type { FetchResponse } from "../ports/fetcher.ts";
import type { FileStore } from "../ports/file-store.ts";
import { asBuffer } from "../shared/as-buffer.ts";

/** The fields of a document that come from a browser. */
export async function browserFields(
  { screenshot, actions }: Pick<FetchResponse, "screenshot" | "actions">,
  team: string,
  files: FileStore | undefined,
): Promise<Pick<Document, "screenshot" | "actions">> {
  const urlOf = async (contentType: string, bytes: Uint8Array): Promise<string> =>
    (await files?.put({ team, contentType, bytes })) ?? dataUri(contentType, bytes);
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
