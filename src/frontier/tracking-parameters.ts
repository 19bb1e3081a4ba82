/** Query parameters that say where a visitor came from or who it is, but never which page is meant. */

const names: ReadonlySet<string> = new Set([
  // Click identifiers of advertising networks.
  "gclid",
  "gclsrc",
  "dclid",
  "gbraid",
  "wbraid",
  "gad_source",
  "gad_campaignid",
  "srsltid",
  "fbclid",
  "msclkid",
  "yclid",
  "twclid",
  "ttclid",
  "igshid",
  "li_fat_id",
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
  // The comment that a form at the end of the page would reply to; the page is the same.
  "replytocom",
  // What a shop puts into the cart or onto a list when its page is asked for; the page is the same.
  "add-to-cart",
  "add_to_wishlist",
]);

/** Parameters that are a session only if their value looks like one: `sid=12` may be a story, and identify the page. */
const sessionNames: ReadonlySet<string> = new Set(["s", "sid", "sessid", "sessionid", "session_id"]);
/** A hash, as programs generate for a session; numbers from a database are shorter. */
const sessionValue = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i;

/** True for a parameter that does not affect which page a URL means: `utm_source`, `gclid`, `PHPSESSID` … */
export function isTrackingParameter(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return (
    lower.startsWith("utm_") ||
    lower.startsWith("mtm_") ||
    names.has(lower) ||
    (sessionNames.has(lower) && sessionValue.test(value))
  );
}
