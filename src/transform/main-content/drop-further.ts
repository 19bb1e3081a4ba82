/** Leaves out the cards of other articles below an article: "Latest articles", "More from us", "Up next". */
import { blockLine } from "./block-text.ts";
import { declaresDate } from "./dated-page.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";

/** Fewer cards may be citations. */
const LEAST_CARDS = 3;
/** In words. */
const LONGEST_CARD = 60;
const LONGEST_HEADING = 8;
/** If less than this is kept besides, in words, the cards may be what the page is for. */
const LEAST_BESIDES = 100;
/** What is kept besides is at least so many times as long. */
const TIMES_BESIDES = 2;
/** From this share of linked words on, a block counts as a link. */
const LINK_SHARE = 0.8;
/** Lists of references consist of items and rows that begin with links, too. */
const REFERENCES = new Set(["li", "tr", "dd", "p"].map(tagId));

/** Sources, members and the parts of a series have other headings. */
const announces =
  /^(?:the )?(?:latest|more|newest|recent|popular|trending|up next|next up|read next|what to read next|explore|discover|similar|featured|keep reading|continue reading|from (?:our|the) (?:blog|archives?|magazine)|editor['’]?s['’]? (?:picks?|choice)|weitere|mehr|aktuelle|neueste|ähnliche|más|otr[oa]s|plus d(?:es?)?|à lire|d['’]autres|altr[ie]|meer|fler|flere|więcej|inne|ещё|еще|другие|новые)(?!\p{L})|^(?:もっと|その他の|新着|更多|其他|最新)/iu;

/**
 * Changes `keep` in place. A page that declares no date is hardly an article: its cards may be the speakers of a meeting.
 * `sizes` are the blocks' sizes in words.
 */
export function dropFurther(
  table: PageTable,
  pageType: PageType,
  { repeated, path }: ElementTotals,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  if (pageType !== "article") return;
  const { blockElement, headingRanks, tag } = table;
  const last = keep.lastIndexOf(1);
  const end = last < 0 ? -1 : repeated[blockElement[last]!]!;
  if (end < 0 || REFERENCES.has(tag[end]!)) return;
  const first = firstBlocks(table);
  let cards = 0;
  let words = 0;
  let block = last;
  for (let card = end; card >= 0 && path[card] === path[end]; card = block < 0 ? -1 : repeated[blockElement[block]!]!) {
    let size = 0;
    let begins = block;
    for (; block >= 0 && isBlockIn(table, block, card); block--) {
      if (keep[block] === 0) continue;
      size += sizes[block]!;
      begins = block;
    }
    if (size > LONGEST_CARD || linkShare(table, begins) < LINK_SHARE || first[card]! > begins) return;
    cards++;
    words += size;
    while (block >= 0 && keep[block] === 0) block--;
  }
  if (cards < LEAST_CARDS || block < 0 || headingRanks[block]! < 2 || sizes[block]! > LONGEST_HEADING) return;
  if (!announces.test(blockLine(table, block)) || !declaresDate(table)) return;
  let besides = 0;
  for (let before = 0; before < block; before++) besides += keep[before]! * sizes[before]!;
  if (besides < LEAST_BESIDES || besides < TIMES_BESIDES * words) return;
  keep.fill(0, block, last + 1);
}
