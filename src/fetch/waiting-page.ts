/** Pages that say that their content is still to come: scripts fetch it, and put it where nothing or a notice is. */
import { asBuffer } from "../shared/as-buffer.ts";
import { endOfSilent, isSilent } from "./page-signals.ts";

/** How many bytes of the main part, in turn, and of a page are examined. */
const looksAtMain = [1024, 32 * 1024];
const mostOfPage = 256 * 1024;
/** In characters: a text that is longer than the lines of menus, and more of them than a footer and a banner have. */
const longText = 80;
const longTexts = 1500;
/** In characters; a longer text is no notice. */
const longestNotice = 60;

/** What a reader is told meanwhile, alone or with what is fetched (`Loading results…`). */
const notice = new RegExp(
  `^(?:${[
    "loading|please wait|one moment|fetching|hold on|wird geladen|werden geladen|lädt|lade|laden|bitte warten|chargement",
    "veuillez patienter|cargando|espere|caricamento|attendere|carregando|a carregar|aguarde|bezig met laden|laddar|læser",
    "indlæser|laster|ladataan|ładowanie|wczytywanie|proszę czekać|načítání|načítá se|betöltés|se încarcă|yükleniyor",
    "зареждане|загрузка|загружается|завантаження|φόρτωση|טוען|جار[يٍ]? التحميل|लोड हो रहा है|กำลังโหลด|đang tải|memuat",
    "読み込み中|読込中|ロード中|加载中|正在加载|載入中|로딩 ?중|불러오는 중",
  ].join("|")})(?:[\\p{L}\\p{M}' ]{0,40}(?:\\.{2,3}|…)|[.!]?)$`,
  "iu",
);

/** An element that stands for content of its shape, or says that its content is being fetched. */
const placeholder = /^<[a-z\d-]*skeleton|\saria-busy=["']?true|\sclass=(?:"[^"]*|'[^']*)skeleton/i;
/** How much of a tag is examined for that. */
const mostOfTag = 500;

/** Elements that are content by themselves, also without text. */
const contentElements: ReadonlySet<string> = new Set(
  "a input video audio picture iframe object embed select canvas table".split(" "),
);
const textOfPicture = /\salt\s*=\s*["']([^"'<>]{1,60})["']/i;
/** A place whose content the server has sent further down. */
const streamedPlace = /<template id="[^"<>]{0,90}[BP]:[\da-f]/;

/**
 * Whether the page has a main part in which there is nothing, or only such a notice, and little text elsewhere.
 *
 * @param body a page of HTML
 */
export function hasUnfilledMain(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  const open = bytes.indexOf("<main");
  if (open < 0) return false;
  for (const size of looksAtMain) {
    const [html = "", isWhole] = mainIn(asText(bytes.subarray(open, open + size)));
    const isUnfilled = isUnfilledPart(html);
    if (isWhole || !isUnfilled) return isUnfilled && isWhole && !hasLongTexts(bytes);
  }
  return false;
}

/** What is there of the content of the first such element, and whether that is all of it. */
function mainIn(html: string): [content: string, isWhole: boolean] {
  const begin = /^<main(?:\s[^<>]*)?>/.exec(html);
  const end = html.indexOf("</main");
  if (begin === null) return [html, false];
  return end < 0 ? [html.slice(begin[0].length), false] : [html.slice(begin[0].length, end), true];
}

/** Some pages have their content elsewhere, whatever they call their main part. */
function hasLongTexts(bytes: Buffer): boolean {
  let length = 0;
  for (const { text = "" } of partsOf(asText(bytes.subarray(0, mostOfPage)))) {
    if (text.length >= longText) length += text.length;
  }
  return length > longTexts;
}

function isUnfilledPart(html: string): boolean {
  if (streamedPlace.test(html)) return false;
  let [isNoticed, hasPicture] = [false, false];
  for (const part of partsOf(html)) {
    if (part.name !== undefined) {
      if (contentElements.has(part.name)) return false;
      hasPicture ||= part.name === "img";
    } else if (isNotice(part.text)) isNoticed = true;
    else return false;
  }
  // A notice may turn, a picture alone is content.
  return isNoticed || !hasPicture;
}

/** Whether such a notice is anywhere on a page, which has little text otherwise. */
export function saysToWait(body: Uint8Array): boolean {
  return hasPart(body, ({ text }) => text !== undefined && isNotice(text));
}

/** The same for a placeholder. Many pages keep theirs, out of sight, once their content has come. */
export function hasPlaceholder(body: Uint8Array): boolean {
  return hasPart(body, ({ tag }) => tag !== undefined && placeholder.test(tag));
}

function hasPart(body: Uint8Array, isWanted: (part: Part) => boolean): boolean {
  const html = asText(asBuffer(body).subarray(0, mostOfPage));
  if (streamedPlace.test(html)) return false;
  for (const part of partsOf(html)) if (isWanted(part)) return true;
  return false;
}

const isNotice = (text: string): boolean => text.length <= longestNotice && notice.test(text);

const asText = (bytes: Buffer): string => bytes.toString("utf8");

type Part =
  | { readonly name: string; readonly tag: string; readonly text?: never }
  | { readonly name?: never; readonly tag?: never; readonly text: string };

/** The start tags, with their names in lower case, the texts between tags that a reader sees, and notices as pictures. */
function* partsOf(html: string): Generator<Part> {
  for (let position = 0; position < html.length; ) {
    const open = html.indexOf("<", position);
    const text = html.slice(position, open < 0 ? html.length : open).trim();
    if (text !== "") yield { text };
    if (open < 0) return;
    const isComment = html.startsWith("<!--", open);
    const close = isComment ? html.indexOf("-->", open + 4) : html.indexOf(">", open);
    if (close < 0) return;
    position = close + (isComment ? 3 : 1);
    const [, tag] = isComment ? [] : (/^<([a-z][a-z\d-]{0,30})/i.exec(html.slice(open, open + 32)) ?? []);
    if (tag === undefined) continue;
    const name = tag.toLowerCase();
    const [, alternative = ""] = name === "img" ? (textOfPicture.exec(html.slice(open, close)) ?? []) : [];
    const start = html.slice(open, Math.min(close, open + mostOfTag));
    yield isNotice(alternative.trim()) ? { text: alternative.trim() } : { name, tag: start };
    if (!isSilent(name)) continue;
    position = endOfSilent(html, name, position);
    if (position < 0) return;
  }
}
