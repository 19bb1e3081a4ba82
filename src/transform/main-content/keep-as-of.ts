/**
 * Keeps since when a text is in force, or as of when it is, right below its title: terms, policies, instructions. Articles
 * and blogs declare their dates, which are in the metadata.
 */
import { blockLine } from "./block-text.ts";
import { declaresDate } from "./dated-page.ts";
import type { PageTable } from "./page-table.ts";

/** Blocks after the title that are examined. */
const REACH = 4;
/** In characters. */
const LONGEST = 80;
const phrases = [
  "(?:(?:this|these|our) .{1,30} )?(?:(?:was|were) )?(?:last )?(?:updated|revised|modified|amended)|last update|date of last (?:update|revision)",
  "(?:last )?(?:update|revision) date|effective(?: date| from| as of| since)?|in force since|version (?:of|dated)",
  "stand|(?:zuletzt|letzte) (?:geändert|aktualisiert|änderung|aktualisierung)|gültig (?:ab|seit)|in kraft seit|fassung vom",
  "(?:date de )?(?:la )?dernière (?:mise à jour|modification)|mis à jour|en vigueur (?:depuis|à compter du|au)",
  "(?:fecha de )?(?:la )?última (?:actualización|modificación|revisión)|(?:en vigor|vigente) desde|última atualização|em vigor desde",
  "ultim[oa] (?:aggiornamento|modifica|revisione)|in vigore dal|laatst (?:bijgewerkt|gewijzigd)|ingangsdatum|senast uppdaterad|sist oppdatert|senest opdateret",
  "(?:дата )?последне(?:е|го) (?:обновлени[ея]|изменени[ея])|действует с|ostatnia (?:aktualizacja|zmiana)|obowiązuje od",
  "最終(?:更新|改定)日?|(?:施行|改定)日|(?:最后|最後|最近)?更新(?:日期|时间|時間|于|於)|生效日期|최종 (?:수정|업데이트)일?|시행일",
];
/** Between the phrase and the date, which begins with a number, or with the names of a day and a month. */
const between =
  "(?:[^\\p{L}\\p{N}]|(?<!\\p{L})(?:on|the|of|from|as|at|since|le|la|el|il|am|vom|zum|den|der|de|del|du|em|op|på|dnia|от|с)(?!\\p{L}))*";
const date = "(?:\\p{L}+,\\s)?(?:\\p{L}{3,}\\.?,?\\s(?:de\\s)?)?(?=\\d).{0,30}(?:19|20)\\d\\d.{0,12}";
const year = /(?:19|20)\d\d/;
/** With a year; how long ago it was is no longer true when it is read. */
const asOf = new RegExp(`^[\\s(\\[]*(?:${phrases.join("|")})(?!\\p{Script=Latin})${between}${date}$`, "iu");

/** Adds to `keep`, in place, one such line between the title and the text. */
export function keepAsOf(table: PageTable, keep: Uint8Array): void {
  const title = table.headingRanks.findIndex((rank, block) => rank === 1 && keep[block] === 1);
  if (title < 0) return;
  let block = title + 1;
  while (block <= title + REACH && keep[block] === 0 && !isAsOf(table, block)) block++;
  if (block <= title + REACH && block < keep.length && keep[block] === 0 && !declaresDate(table)) keep[block] = 1;
}

function isAsOf(table: PageTable, block: number): boolean {
  const text = blockLine(table, block);
  return text.length <= LONGEST && year.test(text) && asOf.test(text);
}
