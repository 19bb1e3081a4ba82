/**
 * Leaves out what a page asks of its readers about itself: whether it was of use, and to mend it. How long ago it was
 * changed is no longer true when it is read.
 */
import { blockLine } from "./block-text.ts";
import { linkShare } from "./link-share.ts";
import { isOneOfMany } from "./one-of-many.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { CELLS_AND_TERMS } from "./tag-sets.ts";

/** In characters. */
const LONGEST = 90;
/** In words. */
const MOST_WORDS = 16;
/** From this share of linked words on, a block counts as a link. */
const LINK_SHARE = 0.8;

const page = "page|article|document|doc|topic|guide|section|content|information|answer|tutorial|post";
const questions = [
  `(?:was|is|did you find) (?:this|the) (?:${page}) (?:helpful|useful)`,
  "(?:was|is|did you find) (?:this|it) (?:helpful|useful)",
  `did (?:this|the) (?:${page}) (?:help|answer|solve)(?: .{0,30})?|did (?:this|it) help(?: you)?`,
  `how (?:helpful|useful) was (?:this|the) (?:${page})`,
  "war (?:dies(?:e|er|es)?|der|die|das) (?:seite|artikel|beitrag|inhalt|antwort)(?: für sie)? (?:hilfreich|nützlich)|war das hilfreich",
  "(?:cette page|cet article|ce contenu) (?:vous )?a-t-(?:elle|il)(?: été)? (?:utile|aidé)|avez-vous trouvé cet article utile",
  "¿(?:te|le) (?:ha resultado|resultó|fue|ha sido|pareció) útil.{0,30}|¿(?:fue|ha sido|es) útil (?:esta página|este artículo)",
  "(?:esta página|este artigo|este conteúdo) (?:foi|é) útil|questo (?:articolo|contenuto) (?:ti )?è stato utile|questa pagina (?:ti )?è stata utile",
  "was (?:deze pagina|dit artikel) (?:nuttig|behulpzaam)|(?:была|был|было) ли (?:эта|этот|это) (?:страница|статья|раздел|материал) полез(?:на|ен|но)",
  "(?:この|本)(?:ページ|記事|情報|内容)は(?:お?役に立ちましたか|役立ちましたか)|(?:此|本|这篇|這篇|该)(?:页面?|頁面?|文章|文档|內容|内容)?(?:对您|對您|是否|对你)?(?:有|有所)?[帮幫]助[吗嗎]?",
  "(?:이|본) (?:페이지|문서|글|도움말)[가이]? ?(?:도움이 (?:되었나요|되었습니까|됐나요))",
];
const counts = "\\d{1,7} (?:out )?of \\d{1,7} (?:people )?found (?:this|it) helpful";
const ago =
  "(?:last )?(?:updated|modified|edited|changed)(?: on)?:? (?:about |over |almost |more than )?(?:an?|\\d{1,3}) (?:second|minute|hour|day|week|month|year)s? ago";
// Of texts in lower case: to prepare a search without regard to case takes twice as long.
const asks = new RegExp(`^\\s*(?:${[...questions, counts, ago].join("|")})[\\s.?？!]*$`);

/** Links that lead to the source of a manual's page. */
const mends =
  /^\W*(?:(?:edit|improve|suggest (?:an? )?(?:edits?|changes?)(?: (?:to|on|for))?|view|see) (?:this |the )?(?:page|doc(?:ument)?|article|source)?(?: source)?(?: (?:on|in) (?:git(?:hub|lab|ea)|bitbucket|codeberg))?|report (?:an? )?(?:issue|bug|problem)(?: (?:with|on|about) this (?:page|doc(?:ument)?|article))?|suggest (?:an? )?edits?|(?:seite|diese seite) (?:bearbeiten|auf github bearbeiten)|(?:modifier|éditer) cette page|editar (?:esta )?página)\W*$/;

/** Changes `keep` in place. Threads have such lines below their posts, and shops below reviews. */
export function dropFeedback(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  if (pageType === "forum" || pageType === "product") return;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0 || sizes[block]! > MOST_WORDS) continue;
    const line = blockLine(table, block);
    if (line.length > LONGEST || isHeadingOfText(table, block, keep, sizes)) continue;
    const text = line.toLowerCase();
    if (asks.test(text)) keep[block] = 0;
    else if (pageType === "documentation" && mendsPage(table, block, text) && !isOneOfMany(table, block, keep, mends))
      keep[block] = 0;
  }
}

/** A table of cells, or a list of terms, says what a program can do to a page. */
const mendsPage = (table: PageTable, block: number, text: string): boolean =>
  linkShare(table, block) >= LINK_SHARE &&
  !CELLS_AND_TERMS.has(table.tag[table.blockElement[block]!]!) &&
  mends.test(text);

/** A chapter may be called so. */
const isHeadingOfText = ({ headingRanks }: PageTable, block: number, keep: Uint8Array, sizes: Float32Array): boolean =>
  headingRanks[block]! > 0 && keep[block + 1] === 1 && sizes[block + 1]! > MOST_WORDS;
