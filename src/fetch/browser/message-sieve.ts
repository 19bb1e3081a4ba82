/** Lets through what has to be read of a browser's messages, which come as bytes in pieces, each with a zero at its end. */

export interface MessageSieveParts {
  /** What is to be read, in order, in pieces. */
  pass(bytes: Buffer): void;
  /** A message that has to be read is longer than can be. */
  tooLong(): void;
}

/** What pages log, throw and say through WebSockets: nobody asks for it. */
const unread: ReadonlySet<string> = new Set([
  "Runtime.consoleAPICalled",
  "Runtime.exceptionThrown",
  "Log.entryAdded",
  "Network.webSocketFrameReceived",
  "Network.webSocketFrameSent",
  "Network.eventSourceMessageReceived",
]);
/** A request that waits for this process to let it go on. */
const waiting = "Fetch.requestPaused";
/** Longer events tell of addresses with a file inside, and of what pages send: whether they come makes no difference. */
const maxEventBytes = 4 * 1024 * 1024;
/** As much as Playwright takes from a browser that is spoken to over a WebSocket. */
const maxMessageBytes = 256 * 1024 * 1024;
/** What a message is stands in its first bytes: an event `{"method":"…"`, or an answer `{"id":…`. */
const headBytes = 64;
const eventHead = /^\{"method":"([\w.]+)"/;

/** Not known yet; passed on piece by piece; held until its end has come; left out. */
type Fate = "unknown" | "passed" | "held" | "dropped";

/** Takes the next bytes. The first of all may stand in the middle of a message, which is passed. */
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
