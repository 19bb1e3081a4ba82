/** A way to the network for a search provider under test: Node's own, without the guard and the limits of an engine. */
import type { HttpClient, HttpRequest, HttpResponseHead } from "../ports/http-client.ts";

export const plainHttpClient: HttpClient = {
  async request(request) {
    const response = await send(request);
    return { ...headOf(response), body: await response.bytes() };
  },
  async stream(request) {
    const response = await send(request);
    return { ...headOf(response), body: response.body ?? nothing() };
  },
  async close() {},
};

function send({ url, method, headers, body, signal, maxRedirects }: HttpRequest): Promise<Response> {
  return fetch(url, {
    redirect: maxRedirects === 0 ? "manual" : "follow",
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function headOf({ url, status, statusText, headers }: Response): HttpResponseHead {
  const { "set-cookie": _, ...rest } = Object.fromEntries(headers);
  return { url, statusCode: status, statusText, headers: rest, redirects: [] };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
