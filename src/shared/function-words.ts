/** Words that hold a sentence together: they are on nearly every page, and say nothing of what a question is about. */

const words = new Set(
  // English
  (
    "a about after all also an and any are as at be been before but by can could did do does for from had has have how i " +
    "if in into is it its many me more most much my no not of on or our out over should so some such than that the their " +
    "them then there these they this those to up was we were what when where which who whom whose why will with would you " +
    "your " +
    // German
    "aber als am auf aus bei beim bin bis das dass dem den der des die durch ein eine einem einen einer es für hat haben " +
    "ich im ist kann mein mit nach nicht noch oder sein sich sie sind über um und vom von vor war warum was welche welcher " +
    "welches wann wer werden wie wird wir wo zu zum zur " +
    // French
    "à au aux avec ce ces cet cette comment dans de des du elle en est et il ils je la le les leur mais ne nous ou où par " +
    "pas pour pourquoi quand que quel quelle quelles quels qui sa se ses son sont sur un une vous " +
    // Spanish, Portuguese and Italian
    "al com como con cosa cuál cuando cuándo da dal das de del della delle di do dos dove e el ela ele em en es está está " +
    "gli i il la las le lo los más na nas no nos o os para per perché pero por porque qual quale quali quando que qué quem " +
    "quién sono são ser si sin sobre son su sus também um uma un una uno " +
    // Dutch and the Scandinavian languages
    "aan att av bij dat den der det die een ein en er et for från het hoe hur hva hvad hvordan hvor i ik in is met mit med " +
    "naar niet och of og om op på som te til till tot van var vad voor waar waarom wat welke wie zijn är"
  ).split(" "),
);

/** Whether a word is one of these in some language of Latin script, whatever signs follow it. */
export const isFunctionWord = (word: string): boolean => words.has(word.toLowerCase().replace(/[^\p{L}]+/gu, ""));
