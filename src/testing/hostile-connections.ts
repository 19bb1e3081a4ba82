/** Hostile behaviours of the connection itself: silence, endless answers, lies about length, resets. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { htmlPage, number } from "./hostile-page.ts";
import { send, type TestExchange, type TestHandler } from "./test-site-answer.ts";

const html = { "content-type": "text/html; charset=utf-8" };

/** Writes directly to the socket, because the HTTP server would not send such an answer. */
function raw(exchange: TestExchange, ...lines: readonly string[]): void {
  exchange.request.socket.write(lines.join("\r\n"));
}

async function untilGone(exchange: TestExchange): Promise<void> {
  if (exchange.signal.aborted) return;
  await new Promise<void>((resolve) => exchange.signal.addEventListener("abort", () => resolve()));
}

/** The first `times` requests of a path get the answer `first`, the later ones a page. */
function recovers(exchange: TestExchange, status: number, headers: Record<string, string>) {
  const times = number(exchange, 0, 1);
  return exchange.count > times ? htmlPage("Here again") : { status, headers, body: "<p>Come back later.</p>" };
}

export const connections = {
  "slow-headers": async (exchange) => {
    const delay = number(exchange, 0, 0);
    if (delay === 0) return untilGone(exchange);
    await sleep(delay, undefined, { signal: exchange.signal });
    return htmlPage("Slow headers");
  },
  drip: async (exchange) => {
    const pause = number(exchange, 0, 100);
    exchange.response.writeHead(200, html);
    await send(exchange, "<title>Drip</title><p>");
    if (pause === 0) return untilGone(exchange);
    while (await send(exchange, "drop ")) await sleep(pause, undefined, { signal: exchange.signal });
    return undefined;
  },
  "endless-body": async (exchange) => {
    exchange.response.writeHead(200, html);
    await send(exchange, "<title>Endless</title>");
    const chunk = Buffer.from("<p>and so on and so forth</p>\n".repeat(2000));
    while (await send(exchange, chunk));
  },
  reset: async (exchange) => {
    exchange.response.writeHead(200, { ...html, "content-length": "100000" });
    await send(exchange, `<title>Reset</title>${"<p>half of a page</p>".repeat(500)}`);
    // A short wait lets the first half arrive, so that the reset is in the middle of the body.
    await sleep(20, undefined, { signal: exchange.signal });
    exchange.request.socket.resetAndDestroy();
  },
  "reset-before-headers": (exchange) => {
    exchange.request.socket.resetAndDestroy();
  },
  /** Announces fewer bytes than it sends; the rest arrives where the next answer should begin. */
  "content-length-short": (exchange) => {
    const page = `<title>Short</title>${"<p>text</p>".repeat(50)}`;
    raw(
      exchange,
      "HTTP/1.1 200 OK",
      "Content-Type: text/html",
      "Content-Length: 100",
      "Connection: keep-alive",
      "",
      page,
    );
    exchange.request.socket.end();
  },
  /** Announces more bytes than it sends, then closes. */
  "content-length-long": (exchange) => {
    const page = `<title>Long</title>${"<p>text</p>".repeat(50)}`;
    raw(exchange, "HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Length: 100000", "", page);
    exchange.request.socket.end();
  },
  "header-flood": async (exchange) => {
    const { socket } = exchange.request;
    raw(exchange, "HTTP/1.1 200 OK", "Content-Type: text/html", "");
    for (let line = 0; !exchange.signal.aborted && !socket.destroyed; line++) {
      if (socket.write(`X-Flood-${line}: ${"flood ".repeat(100)}\r\n`)) continue;
      await once(socket, "drain", { signal: exchange.signal }).catch(() => {});
    }
  },
  "not-http": (exchange) => {
    raw(exchange, "220 mail.example.test ready", "", "");
    exchange.request.socket.end();
  },
  "refuse-after": (exchange) => {
    if (exchange.count >= number(exchange, 0, 1)) exchange.stopListening();
    return { headers: { connection: "close" }, body: htmlPage("One of the last") };
  },
  "too-many-requests": (exchange) => recovers(exchange, 429, { "retry-after": exchange.segments[1] ?? "1" }),
  unavailable: (exchange) => recovers(exchange, 503, {}),
  status: (exchange) => ({ status: number(exchange, 0, 200), body: htmlPage(`Status ${number(exchange, 0, 200)}`) }),
  echo: (exchange) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      method: exchange.request.method,
      url: exchange.url.href,
      headers: exchange.request.headers,
    }),
  }),
} satisfies Record<string, TestHandler>;
