/** Recognises pages that keep robots out: challenges, and refusals by status. */

import type { FetchResponse } from "../ports/fetcher.ts";
import { asBuffer } from "../shared/as-buffer.ts";

/** Status codes with which sites refuse a visitor that they take for a robot. */
const refusals: ReadonlySet<number> = new Set([401, 403, 429]);
/** A challenge comes with one of these. */
const challengeStatus: ReadonlySet<number> = new Set([200, 202, 403, 405, 429, 503]);
/** A challenge page is small. */
const largestChallenge = 128 * 1024;

/** Headers that the guards of sites set on a challenge. */
const challengeHeaders: readonly (readonly [name: string, value: RegExp])[] = [
  ["cf-mitigated", /challenge/i],
  ["x-amzn-waf-action", /challenge|captcha/i],
  ["x-datadome", /protected/i],
];

/** Texts in the challenge pages of common guards, in lower case, and not in the scripts that these add to all pages. */
const challengeMarks: readonly string[] = [
  "/orchestrate/chl_",
  "_cf_chl_opt",
  "captcha-delivery.com",
  "px-captcha",
  "/_incapsula_resource",
  "awswafcookiedomainlist",
  "challenge.compute.amazonaws",
  "sucuri_cloudproxy_js",
  "ddos-guard/js-challenge",
  "ak_bmsc_challenge",
  "sec-if-cpt-container",
  "kpsdk",
  "<title>just a moment...</title>",
  "<title>checking your browser",
  "<title>ddos-guard</title>",
  "<title>human verification</title>",
  "<title>security checkpoint</title>",
];

/** True for a page that wants to see a browser before it shows itself. */
export function isChallenge({ statusCode, headers, body }: FetchResponse): boolean {
  if (!challengeStatus.has(statusCode)) return false;
  // A page with one of these headers and status 200 has passed.
  if (statusCode !== 200 && challengeHeaders.some(([name, value]) => value.test(headers[name] ?? ""))) return true;
  if (body.byteLength > largestChallenge || !/html/i.test(headers["content-type"] ?? "html")) return false;
  const html = asBuffer(body).toString("latin1").toLowerCase();
  return challengeMarks.some((mark) => html.includes(mark)) && shortText(html);
}

/** True if the site has refused to show the page, so that another way may do better. */
export function isBlocked(response: FetchResponse): boolean {
  return refusals.has(response.statusCode) || isChallenge(response);
}

/** Pages with much text may mention a guard, or contain the scripts of one that has let the visitor through. */
function shortText(html: string): boolean {
  let count = 0;
  let from = Math.max(html.indexOf("<body"), 0);
  while (from < html.length && count < 1500) {
    const open = html.indexOf("<", from);
    if (open < 0) return count + (html.length - from) < 1500;
    count += open - from;
    const name = /^<(script|style)\b/.exec(html.slice(open, open + 8))?.[1];
    const close = html.indexOf(name === undefined ? ">" : `</${name}`, open);
    if (close < 0) return true;
    from = close + 1;
  }
  return count < 1500;
}
