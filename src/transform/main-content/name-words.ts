/**
 * What authors' names for elements (class, id, role, itemprop, test ids) tend to mean: data for features, not rules.
 */

import { placesOf } from "./lexicon.ts";
import { wordHash } from "./text-statistics.ts";

/** One bit per meaning. The words are parts of names: `post-body`, `postBody`, `post_body` are `post` and `body`. */
const meanings: Record<string, string> = {
  navigation:
    "nav navbar navigation menu menus submenu mainmenu topnav subnav megamenu navmenu tabs tabbar toolbar topbar",
  sidebar: "sidebar side aside rail sidenav leftcol rightcol secondary complementary widget widgets sidebars gutter",
  footer: "footer foot bottom colophon copyright legal contentinfo siteinfo disclaimer",
  header: "header head masthead top banner topbar site branding logo",
  related:
    "related recommend recommended recommendations recommendation recirc similar suggested more trending popular also upnext further readnext",
  comments: "comment comments disqus commentlist respond discussion responses commenter replies",
  share: "share sharing social socials addthis sharedaddy facebook twitter follow sharebar pinterest linkedin whatsapp",
  advert: "ad ads advert advertisement sponsor sponsored promo promotion adsbygoogle banner dfp taboola outbrain teads",
  consent: "cookie cookies consent gdpr privacy onetrust cookiebot cmp notice ccpa",
  overlay: "modal popup overlay dialog lightbox drawer tooltip offcanvas toast flyout popover interstitial",
  subscribe:
    "newsletter subscribe subscription signup login signin register paywall account optin mailchimp regwall cart basket checkout minicart",
  breadcrumb: "breadcrumb breadcrumbs crumbs crumb pathway",
  pagination: "pagination pager paging page-numbers prev next previous paginator pagenav",
  byline: "author byline authors meta date time published timestamp posted info dateline credit avatar bio",
  tags: "tag tags category categories topics keywords taxonomy topic label labels badge chip",
  toc: "toc contents tableofcontents outline onthispage toctree",
  hidden: "hidden hide sr screenreader visuallyhidden invisible offscreen assistive noprint skip skiplink",
  article: "article articlebody story storybody entry post posts blog blogpost news single hentry",
  body: "content body text richtext prose maintext copy description rte wysiwyg formatted markdown editor bodytext",
  main: "main maincontent primary core mainbody",
  product:
    "product products price prices sku variant buy shop pdp addtocart specs specifications woocommerce specification",
  review: "review reviews rating ratings stars testimonial testimonials feedback",
  thread:
    "thread message messages post posts postbody reply topic forum cooked bbwrapper postcontent bbcode threads answer question signature poster",
  card: "card cards grid tile tiles item items list listing teaser result results collection catalog feed archive summary",
  hero: "hero jumbotron intro lead headline title heading subtitle lede standfirst deck kicker",
  documentation:
    "docs doc documentation api reference guide sphinx rst docutils admonition codehilite docusaurus mkdocs theme manual",
  code: "code highlight highlighter sourcecode pre snippet prism hljs",
  faq: "faq accordion faqs collapse panel toggle tab tabpanel",
  figure: "caption figure image gallery photo video media slider carousel swiper slick slide player",
  form: "form search searchbar filter filters sort facets facet refinement input select dropdown button btn buttons cta",
  wiki: "mw infobox navbox catlinks reflist references footnote footnotes editsection wikitable citation bibliography",
};

/** The names of the meanings, in the order of their bits. */
export const MEANINGS: readonly string[] = Object.keys(meanings);

const bitsOfWords = new Map<number, number>();
MEANINGS.forEach((meaning, bit) => {
  for (const word of meanings[meaning]!.split(" ")) {
    const hash = wordHash(word);
    bitsOfWords.set(hash, (bitsOfWords.get(hash) ?? 0) | (1 << bit));
  }
});
const place = placesOf(Int32Array.from(bitsOfWords.keys()));
const bits = Int32Array.from(bitsOfWords.values());

/** The meanings of one part of a name, given by its hash, as bits. */
export function meaningBits(hash: number): number {
  const at = place(hash);
  return at < 0 ? 0 : bits[at]!;
}

const hashesOf = (words: string): ReadonlySet<number> => new Set(words.split(" ").map(wordHash));
/** What style sheets for all purposes begin the names of colours and places with: `text-secondary`, `border-bottom`. */
const styled = hashesOf("align bg border btn link margin outline padding rounded text");
const styles = hashesOf("bottom info primary secondary side top");

/** Whether one part of a name after another says how something looks, and so nothing about what it is. */
export function isStyle(before: number, hash: number): boolean {
  return styled.has(before) && styles.has(hash);
}

/** The bit of a meaning. */
export function meaningBit(meaning: string): number {
  const bit = MEANINGS.indexOf(meaning);
  if (bit < 0) throw new Error(`no such meaning: ${meaning}`);
  return 1 << bit;
}

/** The bits of several meanings. */
export function bitsOfMeanings(...names: readonly string[]): number {
  return names.reduce((all, name) => all | meaningBit(name), 0);
}
