/** What may differ between two visits of a page that has not changed: embedded files, sessions and times in addresses. */
import { isTrackingParameter } from "../frontier/tracking-parameters.ts";

const embeddedFile = /\bdata:[\w.+-]+\/[^\s)"'<>]*/g;
const frame = /\[iframe\]\([^)\s]*\)/g;
const address = /\bhttps?:\/\/[^\s)"'<>\]]+/g;
const pathSession = /;jsessionid=[^/;?#]*/i;

/** Parameters that never say which thing is meant. */
const sessions: ReadonlySet<string> = new Set([
  ...["sid", "sessionid", "session_id", "session", "cfid", "cftoken", "token", "csrf", "csrf_token", "nonce"],
  ...["_", "cb", "cachebuster", "cache_buster", "nocache", "rnd", "rand", "random", "ts", "timestamp"],
]);

/** Whether two markdown texts differ by more than noise and white space. */
export function isChanged(previous: string, current: string): boolean {
  return steadyText(previous) !== steadyText(current);
}

function steadyText(markdown: string): string {
  return markdown.split("\n").map(withoutNoise).join("");
}

/** The line as it is compared: without noise, and without white space. */
export function withoutNoise(line: string): string {
  const plain = line.includes(":")
    ? line.replace(frame, "").replace(embeddedFile, "data:").replace(address, steadyAddress)
    : line;
  return plain.replace(/\s+/g, "");
}

function steadyAddress(url: string): string {
  const start = url.indexOf("?");
  const path = start === -1 ? url : url.slice(0, start);
  const steadyPath = path.includes(";") ? path.replace(pathSession, "") : path;
  if (start === -1) return steadyPath;
  const hash = url.indexOf("#", start);
  const query = url.slice(start + 1, hash === -1 ? undefined : hash);
  const kept = query.split("&").filter((pair) => !isNoise(pair));
  return `${steadyPath}?${kept.join("&")}${hash === -1 ? "" : url.slice(hash)}`;
}

function isNoise(pair: string): boolean {
  const equals = pair.indexOf("=");
  const name = (equals === -1 ? pair : pair.slice(0, equals)).toLowerCase();
  if (sessions.has(name) || name.startsWith("aspsession") || isTrackingParameter(name)) return true;
  return equals !== -1 && !name.endsWith("id") && isTime(pair.slice(equals + 1));
}

/** Seconds or milliseconds since 1970 in this century's first decades, or an ISO date with a time. */
function isTime(value: string): boolean {
  return /^1\d{9}(?:\d{3})?$/.test(value) || /^\d{4}-\d\d-\d\dT/.test(value);
}
