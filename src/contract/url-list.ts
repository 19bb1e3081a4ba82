/** Lists of URLs, and what `ignoreInvalidURLs` does with invalid entries. */
import { z } from "zod";
import { list } from "./list.ts";
import { whenListsSound } from "./rule.ts";
import { type InputUrl, readInputUrl } from "./url.ts";

/** Reads each entry; {@link refuseInvalidUrls} and {@link sortUrls} decide about the invalid ones. */
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

/** Without `ignoreInvalidURLs`, every invalid URL is an issue at its own index. */
export const refuseInvalidUrls = z.superRefine<UrlsField>(
  ({ urls = [], ignoreInvalidURLs }, context) => {
    if (ignoreInvalidURLs) return;
    for (const [at, entry] of urls.entries()) {
      // What is no text at all has its own issue.
      if (typeof entry !== "object" || entry === null || !("problem" in entry)) continue;
      context.addIssue({ code: "custom", path: ["urls", at], message: entry.problem, input: entry.given });
    }
  },
  { when: whenListsSound(["urls", "ignoreInvalidURLs"]) },
);

/** The valid URLs, and with `ignoreInvalidURLs` the invalid ones, as they were written. */
export function sortUrls({ urls = [], ignoreInvalidURLs }: UrlsField): { urls: string[]; invalidURLs?: string[] } {
  const good = urls.flatMap((entry) => ("url" in entry ? [entry.url] : []));
  if (!ignoreInvalidURLs) return { urls: good };
  return { urls: good, invalidURLs: urls.flatMap((entry) => ("url" in entry ? [] : [entry.given])) };
}
