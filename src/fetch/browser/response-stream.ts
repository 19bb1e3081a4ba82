/** Reads the body of an answer that is paused in the browser. */
import type { CDPSession } from "playwright";
import { ScrapeError } from "../../errors.ts";
import { ByteList } from "../byte-list.ts";

const chunkBytes = 512 * 1024;

/** The decoded bytes, at most `limit`; rejects with `SCRAPE_UNSUPPORTED_FILE_ERROR` if there are more. */
export async function readStream(session: CDPSession, requestId: string, limit: number): Promise<Uint8Array> {
  const { stream } = await session.send("Fetch.takeResponseBodyAsStream", { requestId });
  const bytes = new ByteList();
  try {
    for (;;) {
      const part = await session.send("IO.read", { handle: stream, size: chunkBytes });
      bytes.add(Buffer.from(part.data, part.base64Encoded ? "base64" : "utf8"));
      if (bytes.byteLength > limit) {
        throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The file is larger than ${limit} bytes`);
      }
      if (part.eof) return bytes.take();
    }
  } finally {
    await session.send("IO.close", { handle: stream }).catch(() => {});
  }
}
