/** Lists of URLs, and what `ignoreInvalidURLs` does with the entries that are none. */
import { z } from "zod";
import { list } from "./list.ts";
import { whenSound } from "./rule.ts";
import { type InputUrl, readInputUrl } from "./url.ts";

/** Each entry with what became of it; {@link refuseInvalidUrls} and {@link sortUrls} decide about the bad ones. */
export function urlList(max: number, mayBeGlobs: boolean) {
  return list(
    z.string().transform((given): InputUrl => readInputUrl(given, mayBeGlobs)),
    max,
  );
}

interface UrlsField {
  urls?: InputUrl[] | undefined;
  ignoreInvalidURLs: boolean;
}

/** Without `ignoreInvalidURLs` every bad URL is an issue at its own index. */
export const refuseInvalidUrls = z.superRefine<UrlsField>(
  ({ urls = [], ignoreInvalidURLs }, context) => {
    if (ignoreInvalidURLs) return;
    for (const [at, entry] of urls.entries()) {
      if ("url" in entry) continue;
      context.addIssue({ code: "custom", path: ["urls", at], message: entry.problem, input: entry.given });
    }
  },
  { when: whenSound(["urls", "ignoreInvalidURLs"]) },
);

/** The good URLs, and with `ignoreInvalidURLs` the bad ones as they were typed. */
export function sortUrls({ urls = [], ignoreInvalidURLs }: UrlsField): { urls: string[]; invalidURLs?: string[] } {
  const good = urls.flatMap((entry) => ("url" in entry ? [entry.url] : []));
  if (!ignoreInvalidURLs) return { urls: good };
  return { urls: good, invalidURLs: urls.flatMap((entry) => ("url" in entry ? [] : [entry.given])) };
}
