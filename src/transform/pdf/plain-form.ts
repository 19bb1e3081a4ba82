/** Puts plain characters in place of those that files contain for their looks. */

/** Spaces of certain widths, ligatures, and signs that look like letters. */
const lookalikes = /[\u00a0\u00b5\u037e\u0eb3\u2000-\u200a\u202f\u2126\ufb00-\ufb04\ufb06\u2f00-\u2fd5]/g;

/** Punctuation has forms of its own in vertical lines. */
const verticalForms = /[\ufe10-\ufe19\ufe30-\ufe48]/g;

const shapesOfLetters = /[\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Fonts have one glyph for a Chinese character and the radical of dictionaries that looks like it, and browsers name
 * the radical when they print. Unicode tells the character for most of them, but not for these: each is followed by its
 * character.
 */
const radicals = new Map(
  [
    ..."⺂乛⺃乚⺅亻⺉刂⺋㔾⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺘扌⺙攵⺛旡⺞歺⺟母⺠民⺡氵⺣灬⺤爫⺦丬⺨犭⺫罒⺭礻⺯糹⺰纟⺱罓⺲罒⺳㓁⺹耂⺺肀⺾艹⺿艹⻁虎⻂衤⻃覀⻄西⻅见⻆角",
    ..."⻈讠⻉贝⻋车⻌辶⻍辶⻎辶⻐钅⻑長⻒镸⻓长⻔门⻖阝⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟",
  ].flatMap((radical, index, all) => (index % 2 === 0 ? [[radical, all[index + 1]!] as const] : [])),
);

/**
 * The text as one would write it.
 *
 * U+0000 in a file is no character, and neither markdown nor every database can contain it.
 *
 * @param drawn in reading order already: a shape that stands for two letters would be read from its wrong end
 */
export function plainForm(drawn: string): string {
  if (/^[ -~]*$/.test(drawn)) return drawn;
  const text = drawn
    .replaceAll("\0", "")
    .replaceAll("ﬅ", "ſt")
    .replace(lookalikes, compatible)
    .replace(verticalForms, compatible)
    .replace(/[\u2e80-\u2ef3]/g, (radical) => radicals.get(radical) ?? radical);
  if (!shapesOfLetters.test(text)) return text;
  return inOrder(text)
    .replace(/[\ufe70-\ufe7f]/g, (sign) => compatible(sign).slice(-1)) // Else a vowel sign would be over a space.
    .normalize("NFKC");
}

const compatible = (sign: string): string => sign.normalize("NFKC");

/** pdf.js takes shapes of Hebrew letters for Latin ones, and leaves them from left to right. */
function inOrder(text: string): string {
  return text.replace(/[\ufb1d-\ufb4f](?:[\s\p{P}]*[\ufb1d-\ufb4f])+/gu, (shapes) => [...shapes].reverse().join(""));
}
