/**
 * What may differ between two visits of a page that has not changed: embedded files, disguised email addresses; sessions,
 * signatures and times in addresses.
 */

import { isTrackingParameter } from "../frontier/tracking-parameters.ts";
import { Turn } from "../shared/turn.ts";

/** A file in the page itself, or one that the browser has in memory, under a name that it makes up. */
const embeddedFile = /\bdata:[\w.+-]+\/[^\s)"'<>]*|\bblob:https?:[^\s)"'<>]+/g;
/** A frame without a title, as `transform/markdown/media` writes it: named after the host of the page that it shows. */
const frame = /\[([^[\]\s]+)\]\(https?:\/\/\1(?=[/?#)])[^)\s]{0,2000}\)/g;
const address = /\bhttps?:\/\/[^\s)"'<>\]]+/g;
const pathSession = /;jsessionid=[^/;?#]*/i;
/** An email address in the form in which Cloudflare hides it: its bytes, and before them the key, new at each visit. */
const disguisedEmail = /(\/email-protection#)((?:[\da-f]{2})+)$/i;

/** Parameters that never identify the content. */
const sessions: ReadonlySet<string> = new Set([
  ...["sid", "sessionid", "session_id", "session", "cfid", "csrf", "jwt", "signature", "sig"],
  ...["_", "cb", "cachebuster", "cache_buster", "nocache", "rnd", "rand", "random", "ts", "timestamp"],
]);

/** The names of sessions that many programs vary, and of parameters with which stores sign the addresses of files. */
const sessionStart = /^(?:aspsession|x-amz-|x-goog-)/;
/** Not those of any token: one may name the next page of a list, or a currency. */
const tokenName =
  /(?:^|[-_])(?:wp)?nonce$|^_*(?:(?:csrf|csrfmiddleware|xsrf|requestverification|auth|authenticity|access|id|session|security|form|cf)[-_]?)?token$/;

/** Whether two markdown texts differ in more than noise and white space. Long ones are compared in several turns. */
export async function isChanged(previous: string, current: string, signal?: AbortSignal): Promise<boolean> {
  if (previous === current) return false;
  const before = await steadyLines(previous.split("\n"), signal);
  return before.join("") !== (await steadyLines(current.split("\n"), signal)).join("");
}

/** The lines in the form in which they are compared. Takes several turns of the event loop. */
export async function steadyLines(lines: readonly string[], signal: AbortSignal | undefined): Promise<string[]> {
  const steady: string[] = [];
  const turn = new Turn();
  for (const line of lines) {
    if (turn.isOver()) {
      await turn.next();
      signal?.throwIfAborted();
    }
    steady.push(withoutNoise(line));
  }
  return steady;
}

/** Without noise, and without white space. */
function withoutNoise(line: string): string {
  const plain = line.includes(":")
    ? line.replace(frame, "").replace(embeddedFile, "data:").replace(address, steadyAddress)
    : line;
  return plain.replace(/\s+/g, "");
}

function steadyAddress(url: string): string {
  const [end, path = "", hex = ""] = disguisedEmail.exec(url) ?? [""];
  return withoutSessions(url.slice(0, url.length - end.length)) + path + revealed(hex);
}

function withoutSessions(url: string): string {
  const start = url.indexOf("?");
  const path = start === -1 ? url : url.slice(0, start);
  const steadyPath = path.includes(";") ? path.replace(pathSession, "") : path;
  if (start === -1) return steadyPath;
  const hash = url.indexOf("#", start);
  const query = url.slice(start + 1, hash === -1 ? undefined : hash);
  const kept = query.split("&").filter((pair) => !isNoise(pair));
  // If the query contains only noise, it is dropped.
  return `${steadyPath}${kept.length === 0 ? "" : `?${kept.join("&")}`}${hash === -1 ? "" : url.slice(hash)}`;
}

function revealed(hex: string): string {
  const [key = 0, ...signs] = Buffer.from(hex, "hex");
  return Buffer.from(signs.map((sign) => sign ^ key)).toString("latin1");
}

function isNoise(pair: string): boolean {
  const equals = pair.indexOf("=");
  const name = (equals === -1 ? pair : pair.slice(0, equals)).toLowerCase();
  const value = equals === -1 ? "" : pair.slice(equals + 1);
  const isSession = sessions.has(name) || sessionStart.test(name) || tokenName.test(name);
  if (isSession || isTrackingParameter(name, value)) return true;
  return !name.endsWith("id") && isTime(value);
}

/** Seconds or milliseconds since 1970 that fall into the first decades of this century, or an ISO date with a time. */
function isTime(value: string): boolean {
  return /^1\d{9}(?:\d{3})?$/.test(value) || /^\d{4}(?:-\d\d-\d\d|\d{4})T\d/.test(value);
}
