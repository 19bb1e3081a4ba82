/** Tells which keys of an object identify it, and which identify something else that it belongs to. */

export interface Role {
  /** Different things may have the same title; a setting is where something is, or whose it is. */
  readonly kind: "name" | "title" | "part" | "number" | "address" | "time" | "setting";
  /** It identifies the thing itself: `id` and `name`, and in a list of `jobs` also `job_id`, but not `company_name`. */
  readonly own: boolean;
  /** Of several names, the one of the lowest rank counts. */
  readonly rank: number;
}

const codes = /^(?:uuid|guid|sku|mpn|isbn\d*|issn|doi|asin|ean\d*|gtin\d*|orcid)$/;
const ids: ReadonlySet<string> = new Set(["id", "slug", "identifier"]);
const contacts: ReadonlySet<string> = new Set(["email", "phone", "telephone"]);
const addresses: ReadonlySet<string> = new Set(["url", "link", "href", "permalink"]);
const names: ReadonlySet<string> = new Set(["name", "title", "headline", "label", "question", "term"]);
/** Words before a name that do not make it the name of something else. */
const plainOwners: ReadonlySet<string> = new Set(["full", "display"]);
const times: ReadonlySet<string> = new Set(["date", "datetime", "start", "starts"]);
/** Words before a date that make it one of the page, or of when it was read, not of the thing. */
const passing = /^(?:updat|modif|chang|edit|last|access|retriev|crawl)/;
const settings: ReadonlySet<string> = new Set(
  "location city place venue author reviewer username user company employer organisation organization organiser organizer".split(
    " ",
  ),
);
const partsOfName: ReadonlySet<string> = new Set(["first", "given", "middle", "last", "family", "sur"]);

/** @param list the name of the list that contains the thing; null if all keys are about the thing itself */
export function roleOf(key: string, list: string | null): Role | undefined {
  const words = wordsOf(key);
  const last = words.at(-1) ?? "";
  const owner = words.at(-2);
  const own = owner === undefined || plainOwners.has(owner) || list === null || isNamedAfter(list, owner);
  if (names.has(last)) {
    if (last === "name" && owner !== undefined && partsOfName.has(owner)) return role("part", true);
    if (!own && settings.has(owner!)) return role("setting", false);
    return role(
      last === "name" ? "name" : "title",
      own,
      owner !== undefined && !plainOwners.has(owner) ? 3 : last === "name" ? 0 : 2,
    );
  }
  if (last === "surname" || last === "lastname" || last === "firstname") return role("part", true);
  if (codes.test(last)) return role("number", true);
  if (ids.has(last)) return role("number", own);
  if (words.length === 1 && contacts.has(last)) return role("number", false);
  if (addresses.has(last)) return role("address", own);
  if (times.has(last)) return words.some((word) => passing.test(word)) ? undefined : role("time", true);
  if (words.length === 1 && settings.has(last)) return role("setting", false);
  return last === "website" ? role("address", false) : undefined;
}

function role(kind: Role["kind"], own: boolean, rank = 0): Role {
  return { kind, own, rank };
}

/** `companyName` and `company_name` are two words; `currentBid` does not end in `id`. */
function wordsOf(key: string): string[] {
  return key
    .slice(0, 100)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** `companies` is the name of a list in which each item is a `company`. */
function isNamedAfter(list: string, owner: string): boolean {
  const last = wordsOf(list).at(-1) ?? "";
  return last.startsWith(owner) || last.startsWith(owner.replace(/y$/, "ie"));
}
