/**
 * Removes secrets from texts that are logged: credentials in URLs, tokens, cookies, signatures. Runs in linear time.
 */

const hidden = "[redacted]";

const credentials = /\/\/[^\s/?#]*@/g;
const scheme = /\b(bearer|basic|negotiate)\s+[\w.~+/=-]+/gi;
/** What stands between a name and its value; the quotes of a JSON text within another one are escaped. */
const between = String.raw`\\*["']?\s*[:=]\s*`;
const header = new RegExp(String.raw`\b((?:proxy-)?authorization|(?:set-)?cookie)(${between}\\*["']?)[^\r\n"']+`, "gi");
const named = new RegExp(
  String.raw`\b([\w-]{0,40}(?:api[-_]?key|token|secret|passw(?:or)?d|signature)|sig|key)(${between})` +
    String.raw`(?:(\\*(["']))(?:(?!\4)[^\r\n])+|[^\s"'&,;]+)`,
  "gi",
);
/** API keys of services, which are recognised by their form if no name precedes them. */
const keys = /\b(?:AIza[\w-]{30,}|(?:sk|pk|rk|gsk|xai|tvly)[-_](?=[\w-]{0,40}\d)[\w-]{16,})/g;
const digest = /\bsha256=[0-9a-f]+/gi;

const secretName = /authorization|cookie|secret|passw|api[-_]?key|signature|token$/i;

/** @param known secrets that are removed wherever they occur */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  let result = text;
  for (const secret of known) result = result.replaceAll(secret, hidden);
  return result
    .replace(credentials, `//${hidden}@`)
    .replace(header, `$1$2${hidden}`)
    .replace(scheme, `$1 ${hidden}`)
    .replace(digest, `sha256=${hidden}`)
    .replace(named, `$1$2$3${hidden}`)
    .replace(keys, hidden);
}

/** The value of a field without secrets; all of it is hidden if the name of the field says that it is secret. */
export function fieldWithoutSecrets<Value>(name: string, value: Value, known: readonly string[]): Value | string {
  if (typeof value !== "string") return value;
  return secretName.test(name) ? hidden : withoutSecrets(value, known);
}

/** Origin and path of a URL; empty if it is no valid URL. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
