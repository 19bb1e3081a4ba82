/**
 * Which texts are accepted as the URL of a page.
 *
 * - White space around it is dropped; `http://` is put in front when it has no scheme.
 * - Schemes: http and https. Host: a name, an internationalised name, `localhost`, a bare address. A single word without
 *   scheme and port (`example`) is taken for a mistake, with either (`http://intranet`, `intranet:8080`) it is a host.
 *   Whether an address may be reached is decided where connections are made, not here.
 * - Ports and credentials are legal; control characters and a doubled scheme (`http://http://…`) are not.
 * - At most {@link maxUrlLength} characters, also as browsers encode it.
 * - The text is kept as it is written otherwise, the query byte for byte.
 */
import { z } from "zod";
import { quote } from "../shared/quote.ts";
import { globProblem, isGlob } from "./glob.ts";

/** Most characters of a URL that is accepted. */
export const maxUrlLength = 8192;

/** The result of reading one URL as it was written. */
export type InputUrl = { readonly url: string } | { readonly given: string; readonly problem: string };

/**
 * The URL as the engine uses it, or null when it is not one that can be scraped.
 *
 * @example
 * normaliseInputUrl(" example.com/a?b=%7e "); // "http://example.com/a?b=%7e"
 * normaliseInputUrl("ftp://example.com"); // null
 */
export function normaliseInputUrl(text: string): string | null {
  const read = readInputUrl(text);
  return "url" in read ? read.url : null;
}

/**
 * Like {@link normaliseInputUrl}, with the reason for a refusal.
 *
 * @param mayBeGlob extract requests may name `https://*.example.com/*`
 */
export function readInputUrl(given: string, mayBeGlob = false): InputUrl {
  const refuse = (problem: string): InputUrl => ({ given, problem: `${problem}${echo(given)}` });
  if (given.length > maxUrlLength) return { given, problem: `is longer than ${maxUrlLength} characters` };
  const text = given.trim();
  if (text === "") return { given, problem: "is empty" };
  if (unprintable.test(text) || !text.isWellFormed()) return { given, problem: "holds control characters" };

  const schemeEnd = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0].length ?? 0;
  if (schemeEnd > 0 && !/^https?:/i.test(text)) return refuse("must be an http or https URL");
  if (schemeEnd === 0 && otherScheme.test(text)) return refuse("must be an http or https URL");
  const rest = schemeEnd === 0 ? text.replace(/^\/\//, "") : text.slice(schemeEnd);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) return refuse("has two schemes");

  const authority = /^[^/?#\\]*/.exec(rest)![0];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const name = host.startsWith("[") ? host : host.replace(/:\d*$/, "");
  if (schemeEnd === 0 && !/[.:]|^localhost$/i.test(host)) return refuse("is not a URL");
  if (name.replace(/\.$/, "").split(".").includes("")) return refuse("has no valid host");
  if ((mayBeGlob ? name.replace(/^\*\.(?=[^.]+\.)/, "") : name).includes("*"))
    return refuse("has a wildcard in its host");

  const url = schemeEnd === 0 ? `http://${rest}` : text;
  const parsed = URL.parse(url);
  if (parsed === null) return refuse("is not a URL");
  if (hasTwoSchemes(parsed)) return refuse("has two schemes");
  if (parsed.href.length > maxUrlLength)
    return { given, problem: `is longer than ${maxUrlLength} characters when it is encoded` };
  const problem = mayBeGlob && isGlob(url) ? globProblem(url) : undefined;
  return problem === undefined ? { url } : { given, problem };
}

/** `http://http://host` parses as a host named "http" with a path `//host`. */
export function hasTwoSchemes({ hostname, pathname }: URL): boolean {
  return (hostname === "http" || hostname === "https") && pathname.startsWith("//");
}

/** A URL as the input of a request, together with the text that the caller wrote. */
export const writtenUrl = z.string().transform((given, context) => {
  const read = readInputUrl(given);
  if ("url" in read) return { given, url: read.url };
  context.addIssue({ code: "custom", message: read.problem, input: given });
  return z.NEVER;
});

/** A URL as the input of a request. */
export const httpUrl = writtenUrl.transform(({ url }) => url);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unprintable = /[\u0000-\u001f\u007f-\u009f]/;

/** `mailto:me`, `javascript:…`, `http:/x`: a scheme without `//`; not `host:8080`, which is a name and its port. */
const otherScheme = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i;

/** Quotes the URL in the message, unless it may hold a password. */
function echo(given: string): string {
  return given.includes("@") ? "" : `: ${quote(given)}`;
}
