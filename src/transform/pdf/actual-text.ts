/**
 * Makes known what text a file says that it draws (its `ActualText`).
 *
 * Programs say so where letters and glyphs are not one to one: the syllables of Indian scripts, Thai vowels, Arabic
 * ligatures. The glyphs by themselves tell a part of the letters, in another order. pdf.js does not pass on the text,
 * but the name of the mark that it belongs to, as often and in the place where the mark is. So the marks are named by
 * the number of their text, in new versions of the streams behind the file's end, which is how programs change a file.
 */

import { setImmediate as turn } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { asBuffer } from "../../shared/as-buffer.ts";
import { fileStreams } from "./file-streams.ts";
import { readString } from "./file-strings.ts";

interface TextsOfFile {
  /** The file with named marks. */
  readonly file: Uint8Array;
  /** The texts, by the number in the name of their mark. */
  readonly texts: readonly string[];
}

const key = "/ActualText";
const prefix = "actual-text-";
/** How far a mark's name and end are searched for from the text. */
const reach = 150;
/** A longer text says what a whole part of the page means. */
const longestText = 500;
/** Most texts of a file: more than a thousand full pages have. */
const mostTexts = 1_000_000;
/** In milliseconds. */
const longestStretch = 8;

/** The text that belongs to a mark with this name. */
export function textOfMark(name: string, texts: readonly string[]): string | undefined {
  return name.startsWith(prefix) ? texts[Number(name.slice(prefix.length))] : undefined;
}

/** `undefined` if the file says nothing of its text, is encrypted, or has lost its end. */
export async function withNamedTexts(bytes: Uint8Array): Promise<TextsOfFile | undefined> {
  const file = asBuffer(bytes);
  const end = endOf(file);
  if (end === undefined) return undefined;
  const texts: string[] = [];
  const changed = new Map<string, Buffer>();
  let stretchStart = performance.now();
  for (const { id, dictionary, content } of fileStreams(file)) {
    // The last version of an object counts.
    changed.delete(id);
    const named = content?.includes(key) ? nameMarks(content.toString("latin1"), texts) : undefined;
    if (named !== undefined) changed.set(id, written(id, dictionary, named));
    if (texts.length > mostTexts) return undefined;
    if (performance.now() - stretchStart < longestStretch) continue;
    await turn();
    stretchStart = performance.now();
  }
  return changed.size === 0 ? undefined : { file: withChanges(file, changed, end), texts };
}

/** A copy of the drawing in which marks have the numbers of their texts, which are added to `texts`, as names. */
function nameMarks(drawing: string, texts: string[]): string | undefined {
  let named = "";
  let copied = 0;
  let next = 0;
  for (let at = drawing.indexOf(key); at >= 0; at = drawing.indexOf(key, next)) {
    const { text, end } = readString(drawing, at + key.length, longestText * 8);
    next = Math.max(end, at + key.length);
    const before = drawing.slice(Math.max(copied, at - reach), at);
    const name = startOfMark.exec(before.slice(0, Math.max(0, before.lastIndexOf("<<"))));
    const isOfMark = /\bBDC\b/.test(drawing.slice(next, next + reach));
    if (text === undefined || text.length > longestText || name === null || name[1] === "Artifact" || !isOfMark)
      continue;
    const start = at - before.length + name.index;
    named += `${drawing.slice(copied, start)}/${prefix}${texts.length} `;
    copied = start + name[0].length;
    texts.push(text);
  }
  return copied === 0 ? undefined : named + drawing.slice(copied);
}

const startOfMark = /\/([^\s/<>()[\]{}%]{1,60})\s{0,9}$/;

function written(id: string, dictionary: string, drawing: string): Buffer {
  const data = deflateSync(Buffer.from(drawing, "latin1"), { level: 1 });
  const entries = dictionary
    .slice(2, -2)
    .replace(/\/Length\s{0,9}\d{1,10}(?:\s{1,9}\d{1,5}\s{1,9}R)?/, "")
    .replace(/\/Filter\s{0,9}(?:\/\w{1,30}|\[[^\]]{0,99}\])/, "");
  const start = `\n${id} obj\n<<${entries}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(start, "latin1"), data, Buffer.from("\nendstream\nendobj\n")]);
}

/** What the end of a file says, as far as it must be said again. */
interface FileEnd {
  /** Where the table of objects is. */
  readonly table: string;
  /** Entries that name the root and the number of objects. */
  readonly entries: string;
  /** Bytes before the file proper, from which positions are counted. */
  readonly start: number;
}

function endOf(file: Buffer): FileEnd | undefined {
  const start = Math.max(0, file.subarray(0, 1024).indexOf("%PDF-"));
  const last = file.lastIndexOf("startxref");
  const table =
    last < 0 ? undefined : /^startxref\s{1,9}(\d{1,12})/.exec(file.toString("latin1", last, last + 40))?.[1];
  if (table === undefined) return undefined;
  const at = start + Number(table);
  // Either a table with a dictionary behind it, or a stream with one before it.
  const isTable = file.toString("latin1", at, at + 4) === "xref";
  const from = isTable ? file.indexOf("trailer", at) : at;
  const dictionary = from < 0 ? "" : file.toString("latin1", from, from + 4_000).split(/startxref|stream/)[0]!;
  const entries = [/\/Root\s{1,9}\d{1,10}\s{1,9}\d{1,5}\s{1,9}R/, /\/Size\s{1,9}\d{1,10}/].map(
    (entry) => entry.exec(dictionary)?.[0],
  );
  if (entries.includes(undefined) || dictionary.includes("/Encrypt")) return undefined;
  const about = /\/Info\s{1,9}\d{1,10}\s{1,9}\d{1,5}\s{1,9}R/.exec(dictionary)?.[0] ?? "";
  return { table, entries: `${entries.join("")}${about}`, start };
}

function withChanges(
  file: Buffer,
  changed: ReadonlyMap<string, Buffer>,
  { table, entries, start }: FileEnd,
): Uint8Array {
  const parts = [file];
  let length = file.length;
  let places = "";
  for (const [id, object] of changed) {
    const [number, generation] = id.split(" ") as [string, string];
    // The object begins with a line end.
    const place = String(length + 1 - start).padStart(10, "0");
    places += `${number} 1\n${place} ${generation.padStart(5, "0")} n \n`;
    parts.push(object);
    length += object.length;
  }
  const end = `xref\n${places}trailer\n<<${entries}/Prev ${table}>>\nstartxref\n${length - start}\n%%EOF\n`;
  parts.push(Buffer.from(end));
  // Not a buffer: pdf.js takes over all of the memory that it is given, and buffers may share theirs.
  const whole = new Uint8Array(length + end.length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
