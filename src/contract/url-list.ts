/** Lists of URLs, and what `ignoreInvalidURLs` does with invalid entries. */
import { z } from "zod";
import { Turn } from "../shared/turn.ts";
import { list } from "./list.ts";
import { whenListsSound } from "./rule.ts";
import { type InputUrl, readInputUrl } from "./url.ts";

/** A longer list is read ahead: ten thousand URLs take some twenty milliseconds. */
const longList = 500;

/** A list that has been read ahead. Nobody else can make one. */
class ReadList {
  readonly urls: readonly InputUrl[];

  constructor(urls: readonly InputUrl[]) {
    this.urls = urls;
  }
}

/**
 * Reads each entry; {@link refuseInvalidUrls} and {@link sortUrls} decide about the invalid ones. A list that has been
 * read ahead is a single entry.
 */
export function urlList(max: number, mayBeGlobs: boolean): z.ZodType<ListedUrls[], readonly string[]> {
  const entry = z.unknown().transform((given, context): ListedUrls => {
    if (given instanceof ReadList) return given.urls;
    if (typeof given === "string") return readInputUrl(given, mayBeGlobs);
    context.addIssue({ code: "invalid_type", expected: "string", input: given });
    return z.NEVER;
  });
  return list(entry, max) as z.ZodType<ListedUrls[], readonly string[]>;
}

/**
 * The input of a request, in which a long list of URLs has been read in turns, between which other work goes on: its
 * schema finds little left to do. Any other input is returned as it is, and so is one with more than `max` URLs.
 *
 * @throws the signal's reason if it fires meanwhile
 */
export async function readUrlsAhead<Input>(input: Input, max: number, signal: AbortSignal): Promise<Input> {
  const copy = copyWithLongList(input, max);
  if (copy === undefined) return input;
  const urls: InputUrl[] = [];
  const turn = new Turn();
  for (const given of copy.urls) {
    if (turn.isOver()) {
      await turn.next();
      signal.throwIfAborted();
    }
    urls.push(readInputUrl(given));
  }
  return { ...copy, urls: [new ReadList(urls)] } as Input;
}

/** Copied before anything waits, so that the caller may change the list as soon as the call has been made. */
function copyWithLongList(input: unknown, max: number): { readonly urls: readonly string[] } | undefined {
  try {
    if (typeof input !== "object" || input === null || Object.getPrototypeOf(input) !== Object.prototype)
      return undefined;
    const copy: { urls?: unknown } = { ...input };
    if (!Array.isArray(copy.urls) || copy.urls.length <= longList || copy.urls.length > max) return undefined;
    const urls: unknown[] = [...copy.urls];
    // What is no text is an issue of the schema's.
    return urls.every((given) => typeof given === "string") ? { ...copy, urls } : undefined;
  } catch {
    return undefined; // It cannot be read, which its schema reports.
  }
}

type ListedUrls = InputUrl | readonly InputUrl[];

interface UrlsField {
  urls?: ListedUrls[] | undefined;
  ignoreInvalidURLs: boolean;
}

/** Without `ignoreInvalidURLs`, every invalid URL is an issue at its own index. */
export const refuseInvalidUrls = z.superRefine<UrlsField>(
  ({ urls = [], ignoreInvalidURLs }, context) => {
    if (ignoreInvalidURLs) return;
    for (const [at, entry] of urls.flat().entries()) {
      // What is no text at all has its own issue.
      if (typeof entry !== "object" || entry === null || !("problem" in entry)) continue;
      context.addIssue({ code: "custom", path: ["urls", at], message: entry.problem, input: entry.given });
    }
  },
  { when: whenListsSound(["urls", "ignoreInvalidURLs"]) },
);

/** The valid URLs, and with `ignoreInvalidURLs` the invalid ones, as they were written. */
export function sortUrls({ urls = [], ignoreInvalidURLs }: UrlsField): { urls: string[]; invalidURLs?: string[] } {
  const good: string[] = [];
  const invalidURLs: string[] = [];
  for (const entry of urls.flat()) {
    if ("url" in entry) good.push(entry.url);
    else invalidURLs.push(entry.given);
  }
  return ignoreInvalidURLs ? { urls: good, invalidURLs } : { urls: good };
}
