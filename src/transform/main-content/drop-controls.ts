/**
 * Leaves out what readers of a thread click below its posts: short, and repeated as often as the posts are; and what
 * readers of a manual click below its examples.
 */
import { blockText } from "./block-text.ts";
import { isOneOfMany } from "./one-of-many.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { CELLS_AND_TERMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const BUTTON = tagId("button");
const MOST_WORDS = 4;
/** In characters. */
const LONGEST = 40;
const word =
  "reply|quote|report|share|save|likes?|permalink|edit|flag|award|follow|upvote|downvote|top|parent|context|" +
  "antworten|zitieren|melden|teilen|répondre|citer|signaler|partager|responder|citar|denunciar|compartir|rispondi|cita|" +
  "odpowiedz|cytuj|ответить|цитировать|пожаловаться|回复|引用|返信|通報|답글|신고";
/** How often it was clicked may stand before it. */
const counted = `(?:\\d{1,6} ?)?(?:${word})`;
/** What readers think of a review, with how many of them do so. */
const votes = /^\s*(?:(?:not )?helpful|useful|funny|love this|hilfreich|nützlich|utile|útil)(?: ?\(?\d{1,6}\)?)?\s*$/;
const controls = new RegExp(`^[\\s|·•]*${counted}(?:[\\s|·•]+${counted})*[\\s|·•]*$`);

/** Below the examples of a manual; each by itself in a link. */
const tries =
  /^(?:(?:try it|run (?:it|code|example)|run this (?:code|example)|try (?:this|the) example)(?: (?:yourself|now|online|live))?|open in (?:the )?(?:playground|sandbox|codepen|codesandbox|stackblitz|colab)|运行实例|尝试一下|試試看)[\s»›>▶→]*$/;

/**
 * Takes from `keep`, in place. Outside of threads, some lists and articles have posts, too; there only links count, and not
 * those in cells and terms, which lead to the documents of a table or are words of a glossary.
 * Reviews are on pages of any type; one votes on them by buttons.
 */
export function dropControls(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  const isThread = pageType === "forum";
  const mayHavePosts = isThread || pageType === "listing" || pageType === "article";
  for (let block = 0; block < keep.length; block++) {
    const row = block * STATISTIC_COUNT;
    const words = table.statistics[row + STATISTIC.words]!;
    if (keep[block] === 0 || words > MOST_WORDS || table.headingRanks[block]! > 0) continue;
    const element = table.blockElement[block]!;
    const isButton = table.tag[element] === BUTTON;
    const isLink = table.statistics[row + STATISTIC.linkWords]! >= words;
    if (!isThread && !isLink && !isButton) continue;
    const shown = blockText(table, block, LONGEST);
    if (shown.length > LONGEST) continue;
    const text = shown.toLowerCase();
    const isOfPost = isThread || (isLink && mayHavePosts && !CELLS_AND_TERMS.has(table.tag[element]!));
    const isControl = isOfPost && controls.test(text) && !isOneOfMany(table, block, keep, controls);
    if (isControl || (isLink && tries.test(text.trim())) || (isButton && votes.test(text))) keep[block] = 0;
  }
}
