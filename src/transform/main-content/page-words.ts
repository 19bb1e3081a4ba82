/** Words of addresses, and kinds that pages declare themselves to be: data for features of pages. */

/** Words of addresses; matched as whole parts between slashes, dots, dashes and the like. */
const addressWords: Record<string, string> = {
  article:
    "blog blogs news article articles story stories post posts magazine press opinion politics sport sports lifestyle",
  documentation:
    "docs doc documentation api reference guide guides manual wiki learn tutorial tutorials help handbook developer developers kb howto en-us stable latest sdk readthedocs",
  forum:
    "forum forums thread threads topic topics community communities viewtopic showthread discussion discussions questions question answers board boards t r comments discourse",
  product: "product products item items dp p shop store buy pd prod",
  collection:
    "category categories collection collections c shop catalog catalogue brand brands range sale all-products department browse",
  listing:
    "tag tags topics archive search list directory jobs listing listings events resources category author results",
  service:
    "services service solutions solution about pricing locations company features plans contact industries platform practice",
};
/** Kinds that pages declare in JSON-LD, microdata or OpenGraph. */
const declared: Record<string, string> = {
  article: "article newsarticle blogposting report reportagenewsarticle opinionnewsarticle liveblogposting",
  product: "product productgroup offer aggregateoffer og:product product.item product.group",
  forum: "discussionforumposting qapage question answer comment socialmediaposting",
  list: "itemlist collectionpage searchresultspage offercatalog",
  documentation: "techarticle apireference howto softwaresourcecode softwareapplication",
  service:
    "service localbusiness professionalservice attorney legalservice medicalbusiness aboutpage contactpage organization",
  faq: "faqpage",
  website: "website",
};
/** The kinds of words in addresses, in the order of their bits. */
export const ADDRESS_KINDS: readonly string[] = Object.keys(addressWords);
/** The kinds that pages declare, in the order of their bits. */
export const DECLARED_KINDS: readonly string[] = Object.keys(declared);

/** The bits of a word of an address. */
export const addressBits: ReadonlyMap<string, number> = toBits(addressWords);
/** The bit of a declared kind, in lower case. */
export const declaredBits: ReadonlyMap<string, number> = toBits(declared);

function toBits(words: Record<string, string>): Map<string, number> {
  const bits = new Map<string, number>();
  Object.values(words).forEach((list, bit) => {
    for (const word of list.split(" ")) bits.set(word, (bits.get(word) ?? 0) | (1 << bit));
  });
  return bits;
}
