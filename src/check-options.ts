/** Checks the engine options that a host gives, and names everything that is wrong with them at once. */
import { z } from "zod";
import { languageModel } from "./contract/call-context.ts";
import { headerName, headerValue } from "./contract/headers.ts";
import { countryCode } from "./contract/location.ts";
import { parse } from "./contract/parse.ts";
import { wholeNumber } from "./contract/whole-number.ts";
import type { EngineOptions } from "./options.ts";
import type { Fetcher } from "./ports/fetcher.ts";
import { parseHttpUrl } from "./shared/http-url.ts";

/** The types of a seam's members that are not functions. */
const partTypes: Readonly<Record<string, string>> = {
  name: "string",
  jobs: "object",
  ledger: "object",
  outbox: "object",
  cache: "object",
};
const seam = (...parts: readonly string[]) =>
  z.custom<object>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      parts.every((part) => typeof (value as Record<string, unknown>)[part] === (partTypes[part] ?? "function")),
    `must be an object with ${parts.join(", ")}`,
  );
const count = wholeNumber().min(1);
/** A hundred years. With much more, the present plus this time would be no valid date. */
const longestMs = 100 * 365.25 * 24 * 60 * 60 * 1000;
const milliseconds = count.max(longestMs);
/** Some 24 days: a timer that is set to a longer time fires at once. */
const patience = count.max(2 ** 31 - 1);
const credits = z.number().min(0);
const texts = z.array(z.string());
// The message does not repeat the URL, which may hold a password.
const proxies = z.array(
  z
    .string()
    .refine((text) => parseHttpUrl(text) !== null, "must be a URL: http://[user:password@]host:port or https://…"),
);
const oneOrMore = (...parts: readonly string[]) =>
  z.union(
    [seam(...parts), z.array(seam(...parts))],
    `must be an object with ${parts.join(", ")}, or a list of such objects`,
  );
const fetcher = z.custom<Fetcher | string>(
  (value) => value === "http" || value === "browser" || isFetcher(value),
  'must be "http", "browser", or an object with a name, can (a set) and fetch',
);
const callback = z.custom<() => unknown>((value) => typeof value === "function", "must be a function");

/** What the parts that open connections object to in options; undefined means nothing. */
interface OptionRules {
  readonly allowedHostProblem: (entry: string) => string | undefined;
  readonly certificateProblem: (certificate: string | Uint8Array) => string | undefined;
}

/** Refuses a value that the rule objects to. */
const meets = <Value>(problem: (value: Value) => string | undefined) =>
  z.superRefine<Value>((value, context) => {
    const message = problem(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

function isFetcher(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, can, fetch } = value as Partial<Fetcher>;
  // The name appears in the metadata of the pages.
  return typeof name === "string" && /\S/.test(name) && can instanceof Set && typeof fetch === "function";
}
const leavesFetcher = ({ browser, fetchers }: { browser?: unknown; fetchers?: readonly unknown[] | undefined }) =>
  fetchers?.every((one) => one === "browser" && browser === false) !== true;
const nameOf = (one: Fetcher | string): string => (typeof one === "string" ? one : one.name);

function engineOptions({ allowedHostProblem, certificateProblem }: OptionRules) {
  const certificate = z
    .union([z.string(), z.instanceof(Uint8Array)], "must be PEM text")
    .check(meets(certificateProblem));
  const options = z.strictObject({
    storage: seam("jobs", "ledger", "outbox", "cache", "sweep", "close").optional(),
    billing: seam("authorize", "charge").optional(),
    events: oneOrMore("emit").optional(),
    search: oneOrMore("name", "search").optional(),
    model: languageModel.optional(),
    browser: z
      .union(
        [
          z.literal(false),
          z.strictObject({
            executablePath: z.string().optional(),
            channel: z.string().optional(),
            endpoint: z.string().optional(),
            browser: seam("newContext", "isConnected").optional(),
            maxPages: count.optional(),
            maxPagesPerBrowser: count.optional(),
            maxBrowserAgeMs: milliseconds.optional(),
            maxBrowserMemory: count.optional(),
            launchArgs: texts.optional(),
            filterLists: texts.optional(),
            choose: callback.optional(),
            allowScripts: z.boolean().optional(),
          }),
        ],
        "must be false or an object",
      )
      .optional(),
    fetchers: z
      .array(fetcher)
      .refine((list) => new Set(list.map(nameOf)).size === list.length, "must have each name once")
      .optional(),
    proxies: z
      .union(
        [
          callback,
          z.strictObject({
            basic: proxies.optional(),
            stealth: proxies.optional(),
            byCountry: z.record(countryCode, proxies).optional(),
          }),
        ],
        "must be an object or a function",
      )
      .optional(),
    network: z
      .strictObject({
        allowPrivateAddresses: z.boolean().optional(),
        allowHosts: z.array(z.string().check(meets(allowedHostProblem))).optional(),
        lookup: callback.optional(),
        ca: z.union([certificate, z.array(certificate)], "must be PEM text, or a list of such texts").optional(),
        maxBodyBytes: count.optional(),
        maxRedirects: wholeNumber().min(0).optional(),
        userAgent: headerValue.optional(),
      })
      .optional(),
    webhooks: z
      .strictObject({
        secret: z.union([z.string().min(1), callback], "must be a text or a function").optional(),
        signatureHeader: headerName.optional(),
        retryDelays: z.array(z.number().min(0).max(longestMs)).optional(),
        timeoutMs: patience.optional(),
      })
      .optional(),
    limits: z
      .strictObject({
        maxConcurrency: count.optional(),
        maxConcurrencyPerHost: count.optional(),
        jobTtlMs: milliseconds.optional(),
        statusChunkBytes: count.optional(),
        maxPagesPerJob: count.optional(),
        modelConcurrency: count.optional(),
        modelInputTokens: wholeNumber().min(1000).optional(),
        modelPartsPerPage: count.optional(),
        modelTimeoutMs: patience.optional(),
        transformThreads: wholeNumber().min(0).optional(),
        changeHistoryTtlMs: milliseconds.optional(),
      })
      .optional(),
    robots: z.enum(["respect", "ignore"]).optional(),
    pricing: z
      .strictObject({
        page: credits.optional(),
        pdfPage: credits.optional(),
        json: credits.optional(),
        stealth: credits.optional(),
        zeroDataRetention: credits.optional(),
        searchResult: credits.optional(),
        map: credits.optional(),
      })
      .optional(),
    publicUrl: z
      .string()
      .refine((text) => URL.canParse(text) && !/[?#]/.test(text), "must be a URL without query and fragment")
      .optional(),
    logger: seam("debug", "info", "warn", "error").optional(),
    telemetry: seam("begin", "count").optional(),
    turndown: seam("turndown").optional(),
    queue: seam("push", "consume", "close").optional(),
    work: z.boolean().optional(),
  });
  const message = "must have at least one, besides the browser if `browser` is false";
  return options.refine(leavesFetcher, { path: ["fetchers"], error: message });
}

/** @throws RequestError `BAD_REQUEST` that names everything that is wrong with the options */
export function parseOptions(options: EngineOptions, rules: OptionRules): EngineOptions {
  parse(engineOptions(rules), options, "engine options");
  // The host's own objects, not copies: seams keep their identity and prototypes.
  return options;
}
