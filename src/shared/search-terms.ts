/** The query language of searches: parsed once into terms, which results are checked against. */

import { decodedUrl } from "./percent-decoding.ts";
import { inSmallLetters, searchWords, wordsOfPage } from "./search-words.ts";

/** Where the text of a term is searched. `site` is a host with an optional path, `related` the address of a page. */
type SearchField = "anywhere" | "url" | "title" | "site" | "related";

/** One condition; a result must meet all of them. */
export interface SearchTerm {
  readonly field: SearchField;
  readonly text: string;
  /** In quotes: the words in this order. */
  readonly exact: boolean;
  /** Results that meet it are left out. */
  readonly negated: boolean;
  /**
   * A word that a result need not contain, as in a question or a prompt: it affects the ranking, and results that
   * contain all such words come first.
   */
  readonly optional?: boolean;
}

/** Most terms that have an effect. */
const maxTerms = 64;

const operators: Readonly<Record<string, { readonly field: SearchField; readonly all: boolean }>> = {
  site: { field: "site", all: false },
  inurl: { field: "url", all: false },
  allinurl: { field: "url", all: true },
  intitle: { field: "title", all: false },
  allintitle: { field: "title", all: true },
  related: { field: "related", all: false },
};

/** A sign, an operator, and a quoted text or a word. A quote without its end reaches to the end of the query. */
const token = /([-+]?)(?:([a-z]+):\s*)?(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/giu;

/**
 * Understands `"exact text"`, `-word`, `site:`, `inurl:`, `intitle:`, `related:`, each also with `-`, and `allinurl:` and
 * `allintitle:`, which hold for all words up to the next operator. Anything else is words.
 *
 * @example
 * parseSearchQuery('kettle -"tea set" site:example.com');
 */
export function parseSearchQuery(query: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let field: SearchField = "anywhere";
  for (const [whole, sign, name, quoted, word] of query.matchAll(token)) {
    if (terms.length >= maxTerms) break;
    const known =
      name === undefined || !Object.hasOwn(operators, name.toLowerCase()) ? undefined : operators[name.toLowerCase()];
    // `10:30` or `note:this` is a word with a colon.
    const text = (
      known === undefined && name !== undefined ? whole.slice(sign!.length) : (quoted ?? word ?? "")
    ).trim();
    if (known !== undefined) field = known.all ? known.field : "anywhere";
    if (text.replace(/["“”]/g, "") === "") continue;
    terms.push({
      field: known?.field ?? field,
      text: text.replace(/["“”]/g, ""),
      exact: quoted !== undefined,
      negated: sign === "-",
    });
  }
  return terms;
}

/** The same terms with plain words that are optional, as those of a question or a prompt are. */
export function withOptionalWords(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.map((term) =>
    term.field === "anywhere" && !term.exact && !term.negated ? { ...term, optional: true } : term,
  );
}

/** The form in which phrases are searched for: small letters without accents, words separated by one space. */
function phraseForm(text: string): string {
  return inSmallLetters(text.normalize("NFKD").replace(/\p{M}+/gu, ""))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** True if the words of `wanted` occur in the text, in this order and as whole words. Both are in that form. */
function holdsPhrase(text: string, wanted: string): boolean {
  // In scripts without spaces between words, any position will do.
  return withoutSpaces.test(wanted) ? text.includes(wanted) : ` ${text} `.includes(` ${wanted} `);
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A result as its provider describes it. `text` is the whole page, when it is known. */
interface DescribedPage {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text?: string;
}

/**
 * Whether a result meets the terms, as far as can be told. Usually only a snippet of a page is known, so words and
 * exact texts need not be found in it, but excluded ones must not occur. `related` is left to the provider.
 */
export function meetsTerms(terms: readonly SearchTerm[], page: DescribedPage): boolean {
  const title = readText(page.title);
  const known = readText(page.title, page.description, page.text ?? "");
  const address = decodedUrl(page.url).toLowerCase();
  return terms.every((term) => {
    if (term.field === "related" || !saysSomething(term)) return true;
    if (term.field === "site") return isOnSite(page.url, term.text) !== term.negated;
    if (term.field === "url")
      return (address.includes(term.text.toLowerCase()) || readText(address).holds(term)) !== term.negated;
    if (term.field === "title") return title.holds(term) !== term.negated;
    if (term.negated) return !known.holds(term);
    if (term.optional) return true;
    return page.text === undefined || known.holds(term);
  });
}

/** False for words without a letter or digit: the arrow in `fn -> impl` neither finds nor excludes anything. */
export function saysSomething({ field, text }: SearchTerm): boolean {
  return (field !== "anywhere" && field !== "title") || searchWords(text).length > 0;
}

/** Texts in which terms are searched, prepared when the first one is. A phrase must be within one of them. */
function readText(...texts: readonly string[]): { holds(term: SearchTerm): boolean } {
  let phrases: string[] | undefined;
  let words: Set<string> | undefined;
  return {
    holds({ text: wanted, exact }) {
      if (exact) {
        phrases ??= texts.map(phraseForm);
        const phrase = phraseForm(wanted);
        return phrases.some((text) => holdsPhrase(text, phrase));
      }
      words ??= new Set(texts.flatMap(wordsOfPage));
      return searchWords(wanted).every((word) => words?.has(word));
    },
  };
}

/**
 * `example.com` and its subdomains, `example.com/docs` and everything below, `.edu` for a whole suffix. Stars that say
 * the same (`*.example.com/docs/*`) are left out.
 */
function isOnSite(address: string, site: string): boolean {
  const url = URL.parse(address);
  const plain = site.replace(/^https?:\/\//i, "").replace(/^\*?\./, "");
  const wanted = URL.parse(`http://${plain.replace(/\/\*+$/, "")}`);
  if (url === null || wanted === null) return false;
  const host = url.hostname.replace(/^www\./, "");
  const home = wanted.hostname.replace(/^www\./, "");
  const path = wanted.pathname.replace(/\/$/, "");
  if (host !== home && !host.endsWith(`.${home}`)) return false;
  if (wanted.port !== "" && wanted.port !== url.port) return false;
  return path === "" || url.pathname === path || url.pathname.startsWith(`${path}/`);
}
