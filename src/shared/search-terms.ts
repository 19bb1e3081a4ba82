/** The query language of searches: parsed once into terms, which results are checked against. */

import { decodedUrl } from "./percent-decoding.ts";
import { inSmallLetters, searchWords, withoutMarks, wordsOfPage } from "./search-words.ts";

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
  /** `red OR blue`: it is enough to meet one of these instead. */
  readonly alternatives?: readonly SearchTerm[];
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
 * `allintitle:`, which hold for all words up to the next operator; with `-`, a result must not contain all of these.
 * `OR` stands between two terms of which one is enough. Anything else is words.
 *
 * @example
 * parseSearchQuery('kettle -"tea set" site:example.com');
 */
export function parseSearchQuery(query: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let field: SearchField = "anywhere";
  let excludesAll = false;
  let isAlternative = false;
  let count = 0;
  for (const [whole, sign, name, quoted, word] of query.matchAll(token)) {
    if (count >= maxTerms) break;
    if (whole === "OR" && terms.length > 0) {
      isAlternative = true;
      continue;
    }
    const known =
      name === undefined || !Object.hasOwn(operators, name.toLowerCase()) ? undefined : operators[name.toLowerCase()];
    // `10:30` or `note:this` is a word with a colon.
    const written = known === undefined && name !== undefined ? whole.slice(sign!.length) : (quoted ?? word ?? "");
    const text = written.trim().replace(/["“”]/g, "");
    if (known !== undefined) {
      field = known.all ? known.field : "anywhere";
      excludesAll = known.all && sign === "-";
    }
    if (text === "") continue;
    count += 1;
    const term = {
      field: known?.field ?? field,
      text,
      exact: quoted !== undefined,
      negated: sign === "-" || (excludesAll && sign === ""),
    };
    const last = terms.at(-1);
    if (isAlternative && last !== undefined) terms[terms.length - 1] = withAlternative(last, term);
    else if (excludesAll && known === undefined && sign === "" && last !== undefined && isContinued(last, term))
      terms[terms.length - 1] = { ...last, text: `${last.text} ${text}` };
    else terms.push(term);
    isAlternative = false;
  }
  return terms;
}

function withAlternative(term: SearchTerm, alternative: SearchTerm): SearchTerm {
  return { ...term, alternatives: [...(term.alternatives ?? []), alternative] };
}

/** Whether these are words of one exclusion, which holds only for results that contain all of them. */
function isContinued(last: SearchTerm, next: SearchTerm): boolean {
  return last.field === next.field && last.negated && !last.exact && !next.exact && last.alternatives === undefined;
}

/** The term and its alternatives. */
export function choicesOf(term: SearchTerm): readonly SearchTerm[] {
  return term.alternatives === undefined ? [term] : [{ ...term, alternatives: undefined }, ...term.alternatives];
}

/** The same terms with plain words that are optional, as those of a question or a prompt are. */
export function withOptionalWords(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.flatMap((term) => {
    const choices = choicesOf(term);
    return choices.every(isPlainWord) ? choices.map((choice) => ({ ...choice, optional: true })) : [term];
  });
}

const isPlainWord = ({ field, exact, negated }: SearchTerm): boolean => field === "anywhere" && !exact && !negated;

/** The form in which phrases are searched for: small letters without accents, words separated by one space. */
function phraseForm(text: string): string {
  return inSmallLetters(withoutMarks(text))
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
  const meets = (term: SearchTerm): boolean => {
    if (term.field === "related" || !saysSomething(term)) return true;
    if (term.field === "site") return isOnSite(page.url, term.text) !== term.negated;
    if (term.field === "url") return isInAddress(address, term) !== term.negated;
    if (term.field === "title") return title.holds(term) !== term.negated;
    if (term.negated) return !known.holds(term);
    if (term.optional) return true;
    // Indexes find words in addresses, too; so does OR.
    return page.text === undefined || known.holds(term) || (!term.exact && readText(page.url).holds(term));
  };
  return terms.every((term) => choicesOf(term).some(meets));
}

/** Each word anywhere in the address, as part of another word too. */
function isInAddress(address: string, term: SearchTerm): boolean {
  const parts = term.exact ? [term.text] : term.text.split(" ");
  const words = readText(address);
  return parts.every((text) => address.includes(text.toLowerCase()) || words.holds({ ...term, text }));
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
