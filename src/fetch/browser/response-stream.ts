/** Reads the body of an answer that is paused in the browser. */
import type { CDPSession } from "playwright";
import { ScrapeError } from "../../errors.ts";
import { ByteList } from "../byte-list.ts";
import { within } from "./within.ts";

const chunkBytes = 512 * 1024;

/**
 * The decoded bytes. Rejects with `SCRAPE_UNSUPPORTED_FILE_ERROR` if there are more than the limit, and with
 * `SCRAPE_SITE_ERROR` if they take more milliseconds. To the browser, an answer that breaks off has just come to its end,
 * so it also rejects if there are fewer bytes than the head announces.
 */
export async function readStream(
  session: CDPSession,
  requestId: string,
  headers: Readonly<Record<string, string>>,
  limits: { readonly bytes: number; readonly ms: number | undefined },
): Promise<Uint8Array> {
  const { stream } = await session.send("Fetch.takeResponseBodyAsStream", { requestId });
  const bytes = new ByteList();
  const end = performance.now() + (limits.ms ?? Number.POSITIVE_INFINITY);
  try {
    for (;;) {
      const reading = session.send("IO.read", { handle: stream, size: chunkBytes });
      if (limits.ms !== undefined && !(await within(reading, end - performance.now()))) {
        throw new ScrapeError("SCRAPE_SITE_ERROR", `The file did not come within ${limits.ms} ms`, { retryable: true });
      }
      const part = await reading;
      bytes.add(Buffer.from(part.data, part.base64Encoded ? "base64" : "utf8"));
      if (bytes.byteLength > limits.bytes) {
        throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The file is larger than ${limits.bytes} bytes`);
      }
      if (!part.eof) continue;
      if (bytes.byteLength < announcedBytes(headers)) throw new Error("The answer is shorter than announced");
      return bytes.take();
    }
  } finally {
    // Not awaited: it ends only after a read that is waiting, which the caller ends by cancelling the request.
    void session.send("IO.close", { handle: stream }).catch(() => {});
  }
}

/** 0 if it is not known how long the decoded answer is. A length beside a coding of the transfer means nothing. */
function announcedBytes(headers: Readonly<Record<string, string>>): number {
  const { "content-length": length = "", "content-encoding": encoding, "transfer-encoding": coding } = headers;
  return encoding === undefined && coding === undefined && /^\d+$/.test(length) ? Number(length) : 0;
}
