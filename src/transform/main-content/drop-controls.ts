/** Leaves out what readers of a thread click below its posts: short, and repeated as often as the posts are. */
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const MOST_WORDS = 3;
/** In characters. */
const LONGEST = 40;
const word =
  "reply|quote|report|share|save|likes?|permalink|edit|flag|award|follow|upvote|downvote|top|parent|context|" +
  "antworten|zitieren|melden|teilen|répondre|citer|signaler|partager|responder|citar|denunciar|compartir|rispondi|cita|" +
  "odpowiedz|cytuj|ответить|цитировать|пожаловаться|回复|引用|返信|通報|답글|신고";
/** How often it was clicked may stand before it. */
const counted = `(?:\\d{1,6} ?)?(?:${word})`;
const controls = new RegExp(`^[\\s|·•]*${counted}(?:[\\s|·•]+${counted})*[\\s|·•]*$`, "iu");

/** Takes from `keep`, in place. Outside of threads, some lists and articles have posts, too; there only links count. */
export function dropControls(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  const isThread = pageType === "forum";
  if (!isThread && pageType !== "listing" && pageType !== "article") return;
  for (let block = 0; block < keep.length; block++) {
    const row = block * STATISTIC_COUNT;
    const words = table.statistics[row + STATISTIC.words]!;
    if (keep[block] === 0 || words > MOST_WORDS || table.headingRanks[block]! > 0) continue;
    if (!isThread && table.statistics[row + STATISTIC.linkWords]! < words) continue;
    const text = blockText(table, block, LONGEST);
    if (text.length <= LONGEST && controls.test(text)) keep[block] = 0;
  }
}
