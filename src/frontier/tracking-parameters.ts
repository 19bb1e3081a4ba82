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
]);

/** True for a parameter that has no part in which page a URL means: `utm_source`, `gclid`, `PHPSESSID` … */
export function isTrackingParameter(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith("utm_") || names.has(lower);
}
