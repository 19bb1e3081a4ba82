/** Pictures and printed pages as data URIs. */
import type { ActionsResult } from "../contract/document.ts";
import type { ActionResults } from "../ports/fetcher.ts";

export function pictureUri(bytes: Uint8Array): string {
  return dataUri(bytes[0] === 0xff ? "image/jpeg" : "image/png", bytes);
}

export function actionsResultOf({ screenshots, scrapes, javascriptReturns, pdfs }: ActionResults): ActionsResult {
  return {
    screenshots: screenshots.map(pictureUri),
    scrapes: [...scrapes],
    javascriptReturns: [...javascriptReturns],
    pdfs: pdfs.map((bytes) => dataUri("application/pdf", bytes)),
  };
}

function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
}
