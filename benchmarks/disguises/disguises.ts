/** Ways to change a page, and the text that is expected of it, without changing what its main content is. */

export interface Disguise {
  readonly name: string;
  readonly page: (html: string) => string;
  /** The words of the page, where they change. */
  readonly text?: (text: string) => string;
  /** Words are not separated, so characters count. */
  readonly unspaced?: boolean;
}

/** What is not text: scripts, styles, comments, tags; then references, so that they stay whole. */
const markup = /<script\b[\s\S]*?<\/script>|<style\b[\s\S]*?<\/style>|<!--[\s\S]*?-->|<(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const reference = /&[a-z\d#]+;/gi;

/** `change` is called for what lies between the matches of `pattern`. */
function between(pattern: RegExp, whole: string, change: (text: string) => string): string {
  let changed = "";
  let from = 0;
  for (const match of whole.matchAll(pattern)) {
    changed += change(whole.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return changed + change(whole.slice(from));
}

const inTexts = (change: (text: string) => string) => (html: string) =>
  between(markup, html, (text) => between(reference, text, change));

/** `change` is called for each tag, which starts with `<` or `</`. */
const inTags = (change: (tag: string) => string) => (html: string) =>
  html.replace(markup, (found) =>
    /^<\/?[a-z]/i.test(found) && !/^<(?:script|style)\b/i.test(found) ? change(found) : found,
  );

const attribute = (names: string): RegExp => new RegExp(`\\s(?:${names})\\s*=\\s*("[^"]*"|'[^']*'|[^\\s>]+)`, "gi");
const namesOf = attribute("class|id");
const rolesOf = attribute("role");

/** A name that says nothing, the same for the same name. */
function hashed(name: string): string {
  let hash = 7;
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  return `x${(hash >>> 0).toString(36)}`;
}

const hashNames = (tag: string): string =>
  tag.replace(namesOf, (found, value: string) =>
    found.replace(value, `"${value.replace(/["']/g, "").split(/\s+/).filter(Boolean).map(hashed).join(" ")}"`),
  );

const latin = "abcdefghijklmnopqrstuvwxyz";

/** Replaces the letters of the Latin alphabet, and the punctuation, by those of another script. */
function inScript(letters: string, marks: Readonly<Record<string, string>> = {}): (text: string) => string {
  const signs = new Map(Object.entries(marks));
  const lower = [...letters];
  [...latin].forEach((letter, index) => {
    signs.set(letter, lower[index]!);
    signs.set(letter.toUpperCase(), lower[index]!.toUpperCase());
  });
  return (text) => [...text].map((sign) => signs.get(sign) ?? sign).join("");
}

function words(name: string, text: (text: string) => string, unspaced = false): Disguise {
  return { name, text, page: inTexts(text), unspaced };
}

const thai = inScript("กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝ", { ".": " ", ",": " " });

export const disguises: readonly Disguise[] = [
  { name: "as it is", page: (html) => html },
  words("words of no language", inScript("nopqrstuvwxyzabcdefghijklm")),
  words("Cyrillic letters", inScript("абвгдежзийклмнопрстуфхцчшщ")),
  words("Arabic letters", inScript("ابتثجحخدذرزسشصضطظعغفقكلمنه", { ",": "،", ";": "؛", "?": "؟" })),
  words("Devanagari letters", inScript("कखगघचछजझटठडढणतथदधनपफबभमयरल", { ".": "।" })),
  words("Thai letters, unspaced", (text) => thai(text).replace(/(?<=\p{sc=Thai}) (?=\p{sc=Thai})/gu, ""), true),
  { name: "names that say nothing", page: inTags(hashNames) },
  { name: "no names", page: inTags((tag) => tag.replace(namesOf, "")) },
  {
    name: "no landmarks or roles",
    page: inTags((tag) =>
      tag.replace(/^(<\/?)(?:nav|header|footer|aside|main|article|section)\b/i, "$1div").replace(rolesOf, ""),
    ),
  },
  { name: "no head", page: (html) => html.replace(/<head\b[\s\S]*?<\/head>/i, "<head></head>") },
  {
    name: "three more elements around",
    page: (html) =>
      html.replace(/<body\b[^>]*>/i, "$&<div><div><div>").replace(/<\/body>/i, "</div></div></div></body>"),
  },
];
