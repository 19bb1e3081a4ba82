/** Decides which blocks are kept: those with the highest expected F1 of the page's words, and what belongs to them. */
import type { Steps } from "../../shared/turn.ts";
import { agreeLikes } from "./agree-likes.ts";
import { agreeSections } from "./agree-sections.ts";
import { chooseBest } from "./best-choice.ts";
import { completePosts } from "./complete-posts.ts";
import { completeStructures, lean } from "./complete-structures.ts";
import { dropAlternatives } from "./drop-alternatives.ts";
import { dropApart } from "./drop-apart.ts";
import { dropControls } from "./drop-controls.ts";
import { dropCopies } from "./drop-copies.ts";
import { dropEmptySections } from "./drop-empty-sections.ts";
import { dropFarLinks } from "./drop-far-links.ts";
import { dropFeedback } from "./drop-feedback.ts";
import { dropForms } from "./drop-forms.ts";
import { dropFragments } from "./drop-fragments.ts";
import { dropFurther } from "./drop-further.ts";
import { dropLicenceBox } from "./drop-licence-box.ts";
import { dropMenuHeadings } from "./drop-menu-headings.ts";
import { dropNamed } from "./drop-named.ts";
import { dropNotices } from "./drop-notices.ts";
import { dropRelated } from "./drop-related.ts";
import { dropSignatures } from "./drop-signatures.ts";
import { dropTeasers } from "./drop-teasers.ts";
import { dropTwins } from "./drop-twins.ts";
import { dropUnseen } from "./drop-unseen.ts";
import { dropVisitors } from "./drop-visitors.ts";
import type { ElementTotals } from "./element-totals.ts";
import { fillCertainGaps, fillGaps } from "./fill-gaps.ts";
import { fillManual } from "./fill-manual.ts";
import { fillSections } from "./fill-sections.ts";
import { keepAddresses } from "./keep-addresses.ts";
import { keepAnnounced } from "./keep-announced.ts";
import { keepAsOf } from "./keep-as-of.ts";
import { keepAuthors } from "./keep-authors.ts";
import { keepBoxTitles } from "./keep-box-titles.ts";
import { keepCaptions } from "./keep-captions.ts";
import { keepCards } from "./keep-cards.ts";
import { keepCode } from "./keep-code.ts";
import { keepCodeLabels } from "./keep-code-labels.ts";
import { keepContacts } from "./keep-contacts.ts";
import { keepContents, keepContentsPage } from "./keep-contents.ts";
import { keepDeclarations } from "./keep-declarations.ts";
import { keepDialogs } from "./keep-dialogs.ts";
import { keepFacts } from "./keep-facts.ts";
import { keepIndex } from "./keep-index.ts";
import { keepIngredients } from "./keep-ingredients.ts";
import { keepLabels } from "./keep-labels.ts";
import { keepLastLists } from "./keep-last-lists.ts";
import { keepLinkedTitles } from "./keep-linked-titles.ts";
import { keepPlace } from "./keep-place.ts";
import { keepPosts } from "./keep-posts.ts";
import { keepLonePrice, keepPrice } from "./keep-price.ts";
import { keepPriceList } from "./keep-price-list.ts";
import { keepQuotes } from "./keep-quotes.ts";
import { keepRecipe } from "./keep-recipe.ts";
import { keepSources } from "./keep-sources.ts";
import { keepTabLabels } from "./keep-tab-labels.ts";
import { keepTimes } from "./keep-times.ts";
import { keepTitle } from "./keep-title.ts";
import { keepTitleBlock } from "./keep-title-block.ts";
import { keepWorks } from "./keep-works.ts";
import { keepWriter } from "./keep-writer.ts";
import { leanLikes } from "./lean-likes.ts";
import { leanMainPart, type MainPartLeaning } from "./lean-main-part.ts";
import { leanPanels } from "./lean-panels.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { keepSmallPage, type SmallPage } from "./small-page.ts";
import { chancesOf } from "./sum-trees.ts";

/**
 * What is added to the sums of texts on pages of a type. Shops repeat much that reads like content (offers, reviews,
 * terms), and manuals contain notes about themselves.
 */
const TYPE_LEANING: Partial<Record<PageType, number>> = { documentation: -0.7, product: -0.85, collection: -0.4 };

/**
 * For pages that mark their main part. Manuals of interfaces consist of signatures, types and tables of members, which
 * read by themselves like the lists of links around them, and the other way round.
 */
const MAIN_PART_LEANING: Partial<Record<PageType, MainPartLeaning>> = { documentation: { inside: 1.2, around: -2 } };

/**
 * How much of the doubt all doubtful texts of a page share, as do the comments below an article or the answers to a
 * question. The items of a list are doubtful one by one.
 */
const SHARED_DOUBT: Partial<Record<PageType, number>> = { article: 0.5, documentation: 0.5, forum: 0.5, product: 0.2 };

/**
 * How far a doubtful block is moved towards its likes at most. The comments and links of an article are alike but not
 * part of it; the cards of a shop's products and of a list differ in what they contain.
 */
const LIKES_LEANING: Partial<Record<PageType, number>> = { article: 0, product: 0, listing: 0.3 };
const USUAL_LIKES_LEANING = 0.5;

/** Shops say the same about a product in several places, and manuals repeat a step in several tasks. */
const REPEATING: ReadonlySet<PageType> = new Set<PageType>(["product", "documentation"]);

/** Pages that may be one text in sections. */
const SECTIONED: ReadonlySet<PageType> = new Set<PageType>(["article", "documentation"]);

/** Pages that may contain facts with labels; in threads and lists, labels are about each item. */
const LABELLED: ReadonlySet<PageType> = new Set<PageType>(["product", "service"]);

/** Pages that may consist of pictures. */
const SHOWING: ReadonlySet<PageType> = new Set<PageType>(["collection", "listing", "service"]);

/** Pages that may consist of a list of prices. */
const PRICED: ReadonlySet<PageType> = new Set<PageType>(["collection", "listing", "service"]);

/**
 * 1 for each block to keep, according to the model's sums (which are changed) and the blocks' sizes in words.
 * @param small what is known of the page if it is small
 * @param title the title in the page's head
 * @param totals what lies in and around each element
 */
export function* decideBlocks(
  table: PageTable,
  pageType: PageType,
  sums: Float32Array,
  sizes: Float32Array,
  small: SmallPage | undefined,
  title: string | undefined,
  totals: ElementTotals,
): Steps<Uint8Array> {
  leanLikes(table, totals, sums, LIKES_LEANING[pageType] ?? USUAL_LIKES_LEANING);
  lean(table, sums, TYPE_LEANING[pageType] ?? 0, pageType === "forum");
  const mainPart = MAIN_PART_LEANING[pageType];
  if (mainPart !== undefined) leanMainPart(table, totals, sums, mainPart);
  leanPanels(table, pageType, sums);
  const chances = chancesOf(sums, table.arrays);
  // A small page has too little text for a shared doubt.
  const sharedDoubt = small === undefined ? (SHARED_DOUBT[pageType] ?? 0) : 0;
  const keep = chooseBest(chances, sizes, sharedDoubt, table.arrays);
  yield;
  completeStructures(table, keep, chances, sizes);
  fillSections(table, pageType, keep, chances, sizes);
  agreeLikes(table, pageType, totals, keep, chances, sizes);
  yield;
  fillGaps(table, pageType, totals, keep, chances);
  fillCertainGaps(table, keep, chances);
  const facts = pageType === "documentation" ? fillManual(table, keep, chances) : undefined;
  if (SECTIONED.has(pageType)) agreeSections(table, totals, keep, chances, sizes);
  if (pageType === "documentation") keepLastLists(table, keep, chances, sizes);
  if (LABELLED.has(pageType)) keepLabels(table, keep, chances);
  keepCards(table, pageType, totals, keep);
  if (SHOWING.has(pageType)) keepWorks(table, totals, keep, sizes);
  if (PRICED.has(pageType)) keepPriceList(table, pageType, totals, keep);
  if (pageType === "forum") {
    keepPosts(table, totals, keep, chances, sizes);
    completePosts(table, totals, keep, chances, sizes);
    keepQuotes(table, keep, chances, sizes);
    dropSignatures(table, totals, keep);
  }
  keepLinkedTitles(table, totals, keep, sizes);
  yield;
  dropApart(table, pageType, keep, sizes);
  dropUnseen(table, pageType, keep, sizes);
  if (small !== undefined) keepSmallPage(table, small, keep);
  dropControls(table, pageType, keep);
  dropVisitors(table, pageType, keep);
  dropFeedback(table, pageType, keep, sizes);
  dropForms(table, pageType, keep, sizes);
  yield;
  dropNamed(table, pageType, small, keep, sizes);
  dropFarLinks(table, keep, sizes, facts);
  if (pageType !== "documentation") dropLicenceBox(table, totals, title, keep, sizes);
  dropNotices(table, pageType, keep);
  dropRelated(table, pageType, keep, sizes);
  yield;
  dropTeasers(table, pageType, totals, keep, sizes);
  dropFurther(table, pageType, totals, keep, sizes);
  dropAlternatives(table, pageType, keep, sizes);
  if (pageType === "article") dropFragments(table, keep, sizes);
  if (!REPEATING.has(pageType)) dropCopies(table, totals, keep);
  yield;
  keepDeclarations(table, pageType, title, keep);
  keepCaptions(table, pageType, keep);
  keepSources(table, keep, sizes);
  keepAddresses(table, keep);
  keepBoxTitles(table, keep, sizes);
  keepTitle(table, pageType, title, keep, sizes);
  keepTitleBlock(table, pageType, keep, sizes);
  keepPlace(table, keep, sizes);
  keepAsOf(table, keep);
  keepAuthors(table, keep);
  keepWriter(table, keep, sizes);
  keepFacts(table, keep, sizes);
  if (pageType !== "forum") {
    keepContacts(table, keep, sizes);
    keepDialogs(table, pageType, totals, keep);
    keepIngredients(table, keep, sizes);
    keepRecipe(table, keep, sizes);
  }
  yield;
  dropTwins(table, keep);
  // Code between the posts of a thread may be a quotation.
  if (pageType !== "forum") keepCode(table, pageType, keep);
  keepAnnounced(table, keep);
  keepContents(table, keep);
  if (pageType === "documentation") keepContentsPage(table, totals, title, keep);
  yield;
  keepIndex(table, totals, title, keep);
  keepCodeLabels(table, keep);
  keepTabLabels(table, keep);
  if (pageType === "product") keepPrice(table, keep);
  else if (pageType !== "forum" && pageType !== "collection") keepLonePrice(table, keep);
  if (pageType === "article") keepTimes(table, totals, keep, sizes);
  dropEmptySections(table, pageType, keep);
  dropMenuHeadings(table, pageType, keep);
  return keep;
}
