/**
 * Sends one request to a server that does not quite speak HTTP, on a connection of its own, and reads the answer as
 * browsers would.
 *
 * On shared connections such an answer is refused, and should be: if one answer is read differently from how it was
 * meant, all later ones on the connection are misread. Here no other answer follows.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RequestError } from "../errors.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { maxHeaderBytes, withMendedHeads } from "./answer-head.ts";
import type { WireRequest } from "./connections.ts";
import { type ConnectorOf, connectTargetOf, type Route } from "./connectors.ts";
import { type Answer, type AnswerBody, chunksOf } from "./exchange.ts";
import { invalidAnswer, networkError } from "./network-errors.ts";
import { request as sendRequest } from "./node-http.ts";

interface LenientExchange {
  /** Like `exchange`, for a server whose answer to the same request could not be read. */
  ask(url: URL, route: Route, request: WireRequest, signal: AbortSignal | undefined): Promise<Answer>;
  /** Closes all connections. */
  close(): void;
}

export function createLenientExchange(connectorOf: ConnectorOf): LenientExchange {
  const end = new AbortController();

  return {
    async ask(url, route, request, signal) {
      const brokenOff = AbortSignal.any(signal ? [signal, end.signal] : [end.signal]);
      brokenOff.throwIfAborted();
      const sockets: Socket[] = [];
      const leave = (): void => {
        brokenOff.removeEventListener("abort", leave);
        for (const socket of sockets) socket.destroy();
      };
      brokenOff.addEventListener("abort", leave);
      /** The result of a step; if it fails, the connection is closed. */
      const step = async <Result>(result: Promise<Result>): Promise<Result> => {
        try {
          const value = await orAborted(result, brokenOff);
          // Node takes the end of the connection, whoever ended it, for the end of a body without a length.
          brokenOff.throwIfAborted();
          return value;
        } catch (error) {
          leave();
          brokenOff.throwIfAborted();
          throw networkError(error, { host: url.host, skipTlsVerification: route.skipTlsVerification });
        }
      };
      const connected = connectorOf(route)(connectTargetOf(url), (begun) => {
        sockets.push(begun);
        if (brokenOff.aborted) begun.destroy();
      });
      const answer = await step(answerOn(await step(connected), url, request));
      return {
        statusCode: answer.statusCode!,
        statusText: answer.statusMessage ?? "",
        headers: headersOf(answer),
        announcedBytes: request.method === "HEAD" ? 0 : Number(answer.headers["content-length"] ?? 0),
        body: bodyOf(answer, step, leave),
      };
    },
    close: () => end.abort(new RequestError("ENGINE_CLOSED", "The engine has been closed")),
  };
}

function answerOn(socket: Socket, url: URL, { method, path, headers, body }: WireRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({
      createConnection: () => withMendedHeads(socket),
      // Spaces behind the sizes of chunks, and lines that end with a line feed alone.
      insecureHTTPParser: true,
      maxHeaderSize: maxHeaderBytes,
      method,
      path,
      headers: { host: url.host, ...headers, connection: "close" },
    });
    outgoing.on("error", reject).on("upgrade", () => reject(invalidAnswer(url.host)));
    outgoing.on("response", (answer) => {
      // Otherwise a body that cannot be read would seem to be one that broke off.
      outgoing.on("error", (error) => answer.destroy(error));
      if (answer.statusCode! >= 200) resolve(answer);
      else reject(invalidAnswer(url.host));
    });
    outgoing.end(body);
  });
}

/** All values of each header; Node's `headers` keeps only the first value of some. */
function headersOf({ headersDistinct }: IncomingMessage): Answer["headers"] {
  const headers: Record<string, string | string[] | undefined> = { ...headersDistinct };
  for (const [name, values] of Object.entries(headersDistinct)) if (values?.length === 1) headers[name] = values[0];
  return headers;
}

/** The body of an answer; each read is a step. */
function bodyOf(
  answer: IncomingMessage,
  step: <Result>(result: Promise<Result>) => Promise<Result>,
  cancel: () => void,
): AnswerBody {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  const body = {
    async read() {
      const { value } = await step(chunks.next());
      if (value === undefined) cancel();
      return value;
    },
    cancel,
  };
  return { ...body, [Symbol.asyncIterator]: () => chunksOf(body) };
}
