/** One request to a search service, and the errors for what goes wrong with it. */
import { ScrapeError } from "../../errors.ts";
import type { HttpRequest } from "../../ports/http-client.ts";
import type { SearchOptions } from "../../ports/search-provider.ts";

const maxAnswerBytes = 8 * 1024 * 1024;

/** @throws ScrapeError when the service refuses or gives no JSON */
export async function askJson(request: HttpRequest, { http, signal }: SearchOptions): Promise<unknown> {
  const body = await askText(
    { ...request, headers: { accept: "application/json", ...request.headers } },
    { http, signal },
  );
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ScrapeError("SCRAPE_SITE_ERROR", "gave an answer that is not JSON", { cause });
  }
}

/** @throws ScrapeError for every status but 2xx */
export async function askText(request: HttpRequest, { http, signal }: SearchOptions): Promise<string> {
  const { statusCode, body } = await http.request({ maxBodyBytes: maxAnswerBytes, ...request, signal });
  if (statusCode >= 200 && statusCode < 300) return new TextDecoder().decode(body);
  throw new ScrapeError("SCRAPE_SITE_ERROR", refusals[statusCode] ?? `answered with status ${statusCode}`, {
    retryable: statusCode === 429 || statusCode >= 500,
  });
}

const refusals: Readonly<Record<number, string>> = {
  401: "refused the key (401)",
  402: "wants to be paid (402)",
  403: "refused (403)",
  429: "asks for a pause (429)",
};
