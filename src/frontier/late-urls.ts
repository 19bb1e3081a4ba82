/**
 * URLs that seldom lead to a page of its own: forms to log in or to edit, old versions, other orders of a list, feeds,
 * and what opens over a page; of an application with such routes, all pages but the first are late.
 * Most sites made by a program link to a dozen of them from each page, many times the number of their pages. A crawl
 * takes them all the same, but last, so that its limit is spent on the pages.
 */
import { decodedText } from "../shared/percent-decoding.ts";
import { routeOf } from "./fetchable-url.ts";

/** Parameters that are there only on such a page, whatever their value. */
const lateNames: ReadonlySet<string> = new Set(
  [
    // Versions of a page, and what is done with it.
    "oldid diff redlink printable print share edit reply replyto reply_to quote",
    // Where somebody goes after having logged in.
    "returnto return_to returnurl return_url redirect_to redirect_uri",
    // The same list in another order.
    "sort sortby sort_by orderby order_by sortorder sort_order sortdir sort_dir",
  ].flatMap((names) => names.split(" ")),
);

/** Parameters that may say what is done with a page, or in which form it is wanted. */
const verbNames: ReadonlySet<string> = new Set(
  "action act a do mode op cmd command task view method what format output".split(" "),
);

const lateVerbs: ReadonlySet<string> = new Set(
  [
    "edit create delete remove move rename protect purge rollback revert upload submit",
    "history revisions revision diff info backlink backlinks recent credits source raw",
    "login logout signin signout signup register lostpassword resendpwd password",
    "reply newreply quote post report vote rate share email sendemail subscribe unsubscribe watch unwatch",
    "print printable printpage export rss atom feed snapshot download patch opml",
  ].flatMap((verbs) => verbs.split(" ")),
);

/** A part of a path is late if it consists of such words alone, with one that is marked here, or one of the pairs. */
const lateWords: ReadonlyMap<string, boolean> = new Map(
  [
    "*login *logout *signin *signout *signup *register *registration *password *lostpassword *cart *checkout *basket",
    "*edit *print *feed *rss *atom *replies",
    "user users member members customer my wp special admin account create new lost forgot forgotten reset recover",
    "log sign in out up form page comments site",
  ]
    .flatMap((words) => words.split(" "))
    .map((word) => [word.replace("*", ""), word.startsWith("*")]),
);
const latePairs: ReadonlySet<string> = new Set([
  "log in",
  "log out",
  "sign in",
  "sign up",
  "sign out",
  "create account",
  "my account",
]);

/** In characters; longer names are titles. */
const longestName = 40;
const mostSegments = 32;
const mostParameters = 32;
const fileEnding = /\.(?:x?html?|php|aspx?|jsp|do|cgi|xml)$/i;
const feedEnding = /\.(?:atom|rss)$/i;

/** True for the address of a page that a crawl takes after all others. */
export function isLateUrl(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (routeOf(url.hash) !== "" || hasLatePath(url.pathname) || hasLateQuery(url.search));
}

function hasLatePath(pathname: string): boolean {
  if (feedEnding.test(pathname)) return true;
  return pathname.split("/", mostSegments).some((segment) => {
    if (segment.length === 0 || segment.length > longestName) return false;
    return isLateName(decodedText(segment).replace(fileEnding, ""));
  });
}

/** `sign-in`, `wp-login`, `lostPassword` … */
function isLateName(name: string): boolean {
  const words = name
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => lateWords.has(word))) return false;
  return words.some((word, at) => lateWords.get(word) || latePairs.has(`${words[at - 1]} ${word}`));
}

function hasLateQuery(search: string): boolean {
  if (search.length < 2) return false;
  return search
    .slice(1)
    .split(/[&;]/, mostParameters)
    .some((parameter) => {
      const [name = "", value = ""] = parameter.toLowerCase().split("=", 2);
      return lateNames.has(name) || (verbNames.has(name) && isLateVerb(value));
    });
}

const isLateVerb = (value: string): boolean => lateVerbs.has(value) || value.startsWith("export_");
