/** A fetcher that the host brought: no forbidden address is given to it, and its answers are checked. */
import { z } from "zod";
import { issueText } from "../contract/issue-text.ts";
import { CrawlcoreError, ScrapeError } from "../errors.ts";
import type { Fetcher, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { shownErrorText } from "../shared/error-text.ts";
import { parseHttpUrl } from "../shared/http-url.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { pathText } from "../shared/path-text.ts";
import type { AddressGuard } from "./address-guard.ts";
import { tooLarge } from "./body-limits.ts";

interface HostFetcherParts {
  readonly guard: AddressGuard;
  readonly maxBodyBytes: number;
}

/** Wraps a host's fetcher for `fetchPage`. Closing it does nothing: whoever made the fetcher closes it. */
export function hostFetcher(fetcher: Fetcher, { guard, maxBodyBytes }: HostFetcherParts): Fetcher {
  async function ask(request: FetchRequest): Promise<unknown> {
    try {
      return await orAborted((async () => fetcher.fetch(request))(), request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (CrawlcoreError.isInstance(error)) throw error;
      throw failed(`failed: ${shownErrorText(error)}`, error);
    }
  }

  function failed(what: string, cause?: unknown): ScrapeError {
    return new ScrapeError("UNKNOWN_ERROR", `The fetcher ${fetcher.name} ${what}`, { cause });
  }

  return {
    name: fetcher.name,
    get can() {
      return fetcher.can;
    },
    async fetch(request) {
      await guard.resolve(new URL(request.url).hostname, request.signal);
      const { success, data, error } = answer.safeParse(await ask(request), { error: issueText });
      if (success && data.body.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
      if (success) return landed(data as FetchResponse, request);
      const issues = error.issues.map(({ path, message }) => `${pathText(path as string[]) || "answer"} ${message}`);
      throw failed(`answered with what is no answer: ${issues.join("; ")}`);
    },
    async close() {},
  };
}

/** The answer, unless a redirect led where the job must not go: not every fetcher can ask before it follows one. */
async function landed(answer: FetchResponse, { url, beforeRedirect }: FetchRequest): Promise<FetchResponse> {
  for (const hop of [...answer.redirects, answer.url]) if (hop !== url) await beforeRedirect?.(hop);
  return answer;
}

const bytes = z.instanceof(Uint8Array, { error: "must be a Uint8Array" });

const httpUrl = z.string().refine((url) => parseHttpUrl(url) !== null, "must be an http(s) URL");

/** What makes up an answer; other fields are left out. */
const answer = z.object({
  url: httpUrl,
  statusCode: z.int().min(100).max(999),
  statusText: z.string(),
  headers: z
    .record(z.string(), z.string())
    .refine(
      (headers) => Object.keys(headers).every((name) => name === name.toLowerCase()),
      "must have names in lower case",
    ),
  body: bytes,
  rendered: z.boolean(),
  redirects: z.array(httpUrl),
  proxyUsed: z.enum(["basic", "stealth"]),
  screenshot: bytes.optional(),
  actions: z
    .object({
      screenshots: z.array(bytes),
      scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
      javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
      pdfs: z.array(bytes),
    })
    .optional(),
  warning: z.string().optional(),
});
