/** Reads the body of an answer that is paused in the browser. */
import type { CDPSession } from "playwright";
import { ScrapeError } from "../../errors.ts";
import { ByteList } from "../byte-list.ts";

const chunkBytes = 512 * 1024;

/**
 * The decoded bytes, at most `limit`; rejects with `SCRAPE_UNSUPPORTED_FILE_ERROR` if there are more. To the browser, an
 * answer that breaks off has just come to its end, so it rejects if there are fewer bytes than the head announces.
 */
export async function readStream(
  session: CDPSession,
  requestId: string,
  { headers, limit }: { readonly headers: Readonly<Record<string, string>>; readonly limit: number },
): Promise<Uint8Array> {
  const { stream } = await session.send("Fetch.takeResponseBodyAsStream", { requestId });
  const bytes = new ByteList();
  try {
    for (;;) {
      const part = await session.send("IO.read", { handle: stream, size: chunkBytes });
      bytes.add(Buffer.from(part.data, part.base64Encoded ? "base64" : "utf8"));
      if (bytes.byteLength > limit) {
        throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The file is larger than ${limit} bytes`);
      }
      if (!part.eof) continue;
      if (bytes.byteLength < announcedBytes(headers)) throw new Error("The answer is shorter than announced");
      return bytes.take();
    }
  } finally {
    await session.send("IO.close", { handle: stream }).catch(() => {});
  }
}

/** 0 if it is not known how long the decoded answer is. */
function announcedBytes(headers: Readonly<Record<string, string>>): number {
  const { "content-length": length = "", "content-encoding": encoding } = headers;
  return encoding === undefined && /^\d+$/.test(length) ? Number(length) : 0;
}
