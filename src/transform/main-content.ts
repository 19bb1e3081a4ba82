/** Leaves only the main content of a page in its tree. */
import type { Document } from "domhandler";
import type { Steps } from "../shared/turn.ts";
import { decideBlocks } from "./main-content/choose-blocks.ts";
import { contentModel } from "./main-content/content-model.ts";
import { readDeclaredText } from "./main-content/declared-text.ts";
import { dropRules } from "./main-content/drop-rules.ts";
import { totalElements } from "./main-content/element-totals.ts";
import { judgeBlocks } from "./main-content/judge-blocks.ts";
import { keepNotes } from "./main-content/keep-notes.ts";
import { lowerNavigation } from "./main-content/navigation-lists.ts";
import { PageArrays } from "./main-content/page-arrays.ts";
import { computePageFeatures } from "./main-content/page-features.ts";
import { type PageTable, pageTableInSteps } from "./main-content/page-table.ts";
import { isDeclaredProduct, readTitle, titleWordHashes } from "./main-content/page-title.ts";
import { likeliestType, type PageType, scorePageTypes } from "./main-content/page-type.ts";
import { pruneTree } from "./main-content/prune-tree.ts";
import { isFrameOnly, readSmallPage } from "./main-content/small-page.ts";
import { tagId } from "./main-content/tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./main-content/text-statistics.ts";
import { pageWords } from "./main-content/type-words.ts";

export interface MainContent {
  /** False when nothing on the page looks like content; the tree is then not to be used. */
  readonly kept: boolean;
  readonly pageType: PageType;
  /** The page's title, from its head. */
  readonly title?: string;
}

const RULE = tagId("hr");

/** For the next page; nothing while one is worked on: another one at the same time has arrays of its own. */
let spareArrays: PageArrays | undefined;

/** A larger page whose best block is below this (a chance of one in twelve) has no main content. */
const LEAST_SUM = -2.4;
const isLow = (sum: number): boolean => sum < LEAST_SUM;

/**
 * Removes from `document`, in place, everything that is not main content: navigation, banners, related links and
 * the like. Time and memory grow linearly with the page; nesting has no limit.
 *
 * @example
 * const { document } = readHtml(html);
 * const { kept, pageType } = yield* keepMainContent(document, { url: "https://example.com/blog/a-post" });
 */
export function* keepMainContent(document: Document, { url }: { readonly url: string }): Steps<MainContent> {
  const model = yield* contentModel();
  const arrays = spareArrays ?? new PageArrays();
  spareArrays = undefined;
  try {
    const table = yield* pageTableInSteps(document, model.rateName, arrays);
    yield;
    const totals = totalElements(table);
    const typeSums = model.rateTypes(pageWords(table, url));
    const pageTypes = scorePageTypes(computePageFeatures(table, totals, url, typeSums), model.pageTypes);
    const title = readTitle(table);
    const pageType = isDeclaredProduct(table) ? "product" : likeliestType(pageTypes);
    const result = { pageType, ...(title === undefined ? {} : { title }) };
    const sizes = blockSizes(table);
    const small = readSmallPage(table, sizes);
    const hasPlain = small?.hasPlain === true;
    if (table.blockElement.length === 0 && !hasPlain) return { kept: false, ...result };
    yield;
    const words = { titleWords: titleWordHashes(title), declared: readDeclaredText(table), rateText: model.rateText };
    const judged = yield* judgeBlocks(model, table, totals, words, pageTypes);
    if (!hasPlain && judged.every(isLow)) return { kept: false, ...result };
    lowerNavigation(table, totals, judged, url, isLow);
    yield;
    const keep = yield* decideBlocks(table, pageType, judged, sizes, small, title, totals);
    yield;
    if (pageType !== "product") keepNotes(table, keep, sizes, url);
    if (small !== undefined && isFrameOnly(table, small, keep)) return { kept: false, ...result };
    pruneTree(table, keep, small);
    if (table.tag.includes(RULE)) dropRules(document);
    return { kept: true, ...result };
  } finally {
    arrays.reuse();
    spareArrays = arrays;
  }
}

function blockSizes(table: PageTable): Float32Array {
  const sizes = table.arrays.floats(table.blockElement.length);
  for (let block = 0; block < sizes.length; block++) {
    const row = block * STATISTIC_COUNT;
    // The scorer, and a reader, take an ideograph for a word.
    sizes[block] = table.statistics[row + STATISTIC.words]! + table.statistics[row + STATISTIC.ideographs]! * 0.5 + 0.3;
  }
  return sizes;
}
