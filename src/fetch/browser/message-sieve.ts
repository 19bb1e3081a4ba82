/**
 * Passes on those of a browser's messages that have to be read. They arrive as bytes in pieces, and each ends with a
 * zero.
 */

interface MessageSieveParts {
  /** Called with the bytes that are to be read, in order. */
  pass(bytes: Buffer): void;
  /** Called when a message that has to be read is too long to be read. */
  tooLong(): void;
}

/** What pages log, throw and send through WebSockets: nothing here uses it. */
const unread: ReadonlySet<string> = new Set([
  "Runtime.consoleAPICalled",
  "Runtime.exceptionThrown",
  "Log.entryAdded",
  "Network.webSocketFrameReceived",
  "Network.webSocketFrameSent",
  "Network.eventSourceMessageReceived",
]);
/** A request that waits for this process to let it continue. */
const waiting = "Fetch.requestPaused";
/** Longer events are about addresses that contain a file, and about data that pages send; they can be dropped. */
const maxEventBytes = 4 * 1024 * 1024;
/** As much as Playwright accepts from a browser that is controlled through a WebSocket. */
const maxMessageBytes = 256 * 1024 * 1024;
/** The first bytes of a message tell its kind: an event `{"method":"…"`, or an answer `{"id":…`. */
const headBytes = 64;
const eventHead = /^\{"method":"([\w.]+)"/;

/** What happens to a message: not known yet; passed on piece by piece; held until its end has come; dropped. */
type Fate = "unknown" | "passed" | "held" | "dropped";

/** Takes the next bytes. The very first may be in the middle of a message, which is then passed on. */
export function createMessageSieve({ pass, tooLong }: MessageSieveParts): (chunk: Buffer) => void {
  let fate: Fate = "passed";
  let length = 0;
  let held: Buffer[] = [];

  function letGo(): void {
    for (const piece of held) pass(piece);
    held = [];
  }

  function add(piece: Buffer, isLast: boolean): void {
    length += piece.byteLength;
    if (fate === "passed") pass(piece);
    else if (fate !== "dropped") held.push(piece);
    if (fate === "unknown" && (isLast || length >= headBytes)) {
      fate = fateOf(held.length === 1 ? piece : Buffer.concat(held));
      if (fate === "passed") letGo();
    }
    if (fate === "held" && length > maxEventBytes) fate = "dropped";
    if (fate === "dropped") held = [];
    if (fate === "passed" && length > maxMessageBytes) tooLong();
    if (!isLast) return;
    letGo();
    fate = "unknown";
    length = 0;
  }

  return (chunk) => {
    for (let start = 0; start < chunk.byteLength; ) {
      const zero = chunk.indexOf(0, start);
      const end = zero < 0 ? chunk.byteLength : zero + 1;
      add(chunk.subarray(start, end), zero >= 0);
      start = end;
    }
  };
}

function fateOf(message: Buffer): Fate {
  const method = eventHead.exec(message.toString("latin1", 0, headBytes))?.[1];
  if (method === undefined || method === waiting) return "passed";
  return unread.has(method) ? "dropped" : "held";
}
