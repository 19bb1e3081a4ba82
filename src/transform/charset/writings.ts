/** The letters used by languages that were written in single-byte encodings. */

/** An encoding, and the letters above ASCII of a language that was written in it. */
export type Writing = readonly [encoding: string, letters: string];

const russian = "оеаинтсрвлкм";
const ukrainian = "оаинівтерслк";
const arabic = "اليمونرتبعده";

/** The most frequent letters of the languages that write whole words above ASCII. Of equals the first wins. */
export const otherScripts: readonly Writing[] = [
  ["windows-1251", russian],
  ["koi8-r", russian],
  ["ibm866", russian],
  ["iso-8859-5", russian],
  ["windows-1251", ukrainian],
  ["koi8-u", ukrainian],
  ["iso-8859-5", ukrainian],
  ["windows-1253", "αοιετσνηυρπκ"],
  ["windows-1255", "יוהלאתרמבשנע"],
  ["windows-1256", arabic],
  ["iso-8859-6", arabic],
  ["windows-874", "ารนกอ่มิงทะัด้สล"],
];

const czech = "íáéěřčýžšůúťďňó";
const slovak = "áíéčýžšúťľôňďäóĺŕ";
const polish = "ęłąóżśćńź";
const southSlavic = "čžšćđ";
const estonian = "äõüöšž";

/**
 * All letters above ASCII of the languages that write with Latin letters: by language, since two encodings tell them
 * apart only together (the Icelandic þ and ð of one are the Turkish ş and ğ of another). Of equals the first wins.
 */
const latinLetters: readonly Writing[] = [
  // English, with what are Polish letters elsewhere: `£5` and `m³`.
  ["windows-1252", "é£¥¢¹²³¼½¾"],
  ["windows-1252", "éèàêçâîôûùëïœæ"],
  ["windows-1252", "üäöß"],
  ["windows-1252", "óíáéñúü¿¡ºª"],
  ["windows-1252", estonian],
  ["windows-1250", "áéőöíóüúű"],
  ["windows-1252", "ãçáéíóêõàâúôüºª"],
  ["windows-1252", "èàùòéìî"],
  ["windows-1252", "àóèéíòúçïü·"],
  ["windows-1252", "äåöøæéü"],
  ["windows-1254", "ığüşçöâîûİ"],
  ["windows-1252", "áðíéóþúöæýø"],
  ["windows-1257", estonian],
  ["windows-1250", czech],
  ["iso-8859-2", czech],
  ["windows-1250", slovak],
  ["iso-8859-2", slovak],
  ["windows-1250", polish],
  ["iso-8859-2", polish],
  ["windows-1250", southSlavic],
  ["iso-8859-2", southSlavic],
  ["windows-1250", "ăîâşţ"],
  ["windows-1257", "ėąųšįžūčę"],
  ["windows-1257", "āīēšņļūžķģč"],
];

const punctuation = "’‘“”„–—…•«»°·§©®™€×";

export const latinScripts = latinLetters.map(
  ([encoding, letters]): Writing => [encoding, letters + letters.toUpperCase() + punctuation],
);
