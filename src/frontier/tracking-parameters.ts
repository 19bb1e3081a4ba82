/** Query parameters that say where a visitor came from, or who it is, and never which page is meant. */

const names: ReadonlySet<string> = new Set([
  // Click identifiers of advertising networks.
  "gclid",
  "gclsrc",
  "dclid",
  "gbraid",
  "wbraid",
  "fbclid",
  "msclkid",
  "yclid",
  "twclid",
  "ttclid",
  "igshid",
  // Newsletters and analytics.
  "mc_cid",
  "mc_eid",
  "mkt_tok",
  "_hsenc",
  "_hsmi",
  "_ga",
  "_gl",
  // Sessions kept in the URL.
  "jsessionid",
  "phpsessid",
  "oscsid",
  "zenid",
  "cfid",
  "cftoken",
  // The comment that a form at the page's end would answer: the page is the same.
  "replytocom",
]);

/** Parameters that are a session if their value looks like one: `sid=12` is a story, and as good as a page's name. */
const sessionNames: ReadonlySet<string> = new Set(["s", "sid", "sessid", "sessionid", "session_id"]);
/** A hash, as programs make them of a visit; what a database numbers is shorter. */
const sessionValue = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i;

/** True for a parameter that has no part in which page a URL means: `utm_source`, `gclid`, `PHPSESSID` … */
export function isTrackingParameter(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith("utm_") || names.has(lower) || (sessionNames.has(lower) && sessionValue.test(value));
}
