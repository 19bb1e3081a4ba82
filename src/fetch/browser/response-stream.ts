/** Reads the body of an answer that is paused in the browser. */
import type { CDPSession } from "playwright";
import { ScrapeError } from "../../errors.ts";
import { Collected, type IsUnwanted, startBytes } from "../collected.ts";
import { within } from "./within.ts";

const chunkBytes = 512 * 1024;

interface StreamLimits {
  readonly bytes: number;
  readonly ms: number | undefined;
  readonly isUnwanted: IsUnwanted | undefined;
}

/**
 * The decoded bytes, or just the start, if that `isUnwanted`. Rejects with `SCRAPE_UNSUPPORTED_FILE_ERROR` if there are
 * more than the limit, and with `SCRAPE_SITE_ERROR` if they take more milliseconds. To the browser, an answer that breaks
 * off has just come to its end, so it also rejects if there are fewer bytes than the head announces.
 */
export async function readStream(
  session: CDPSession,
  requestId: string,
  headers: Readonly<Record<string, string>>,
  limits: StreamLimits,
): Promise<Uint8Array> {
  const { stream } = await session.send("Fetch.takeResponseBodyAsStream", { requestId });
  const bytes = new Collected(limits.isUnwanted);
  const end = performance.now() + (limits.ms ?? Number.POSITIVE_INFINITY);
  try {
    for (;;) {
      // The browser answers once it has as many bytes as that.
      const size = bytes.byteLength === 0 ? startBytes : chunkBytes;
      const reading = session.send("IO.read", { handle: stream, size });
      if (limits.ms !== undefined && !(await within(reading, end - performance.now()))) {
        throw new ScrapeError("SCRAPE_SITE_ERROR", `The file did not come within ${limits.ms} ms`, { retryable: true });
      }
      const part = await reading;
      if (bytes.add(Buffer.from(part.data, part.base64Encoded ? "base64" : "utf8"))) return bytes.take();
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
