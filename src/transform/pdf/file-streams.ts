/** Finds the streams in a PDF file, without its tables, and reads those that draw: of pages, and of forms on pages. */

import { inflateSync } from "node:zlib";

/** An object of the file with a stream. */
interface FileStream {
  /** Number and generation, as the file writes them. */
  readonly id: string;
  /** The entries before the stream, with their brackets. */
  readonly dictionary: string;
  /** What is drawn, decompressed; `undefined` for what draws nothing, or is compressed in an unusual way. */
  readonly content: Buffer | undefined;
}

/** Entries in front of a stream; forms name their resources there. */
const longestDictionary = 8_000;
/** Of one stream, and of all: a file that was made to fill the memory is read no further. */
const mostContent = 16 * 1024 * 1024;
const mostContents = 128 * 1024 * 1024;
/** Words that look like the beginning of a stream; in files of others, there are hardly any. */
const mostSeeming = 10_000;

const id = /(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}$/;
const directLength = /\/Length\s{1,9}(\d{1,10})\b(?!\s{1,9}\d{1,5}\s{1,9}R)/;
const isForm = /\/Subtype\s{0,9}\/Form\b/;
/** Pictures, fonts, functions, tables of the file itself. */
const isOther = /\/(?:Subtype|Length[123]|FunctionType|ShadingType|DecodeParms|F)\b|\/Type\s{0,9}\/(?!XObject\b)/;
const isDeflated = /\/Filter\s{0,9}(?:\/FlateDecode\b|\[\s{0,9}\/FlateDecode\s{0,9}\])/;

/** In the order of the file, also those that draw nothing: a file may have very many, between which others want a turn. */
export function* fileStreams(file: Buffer): Generator<FileStream> {
  let left = mostContents;
  let seeming = 0;
  for (let at = file.indexOf("stream"); at >= 0 && left > 0; at = file.indexOf("stream", at)) {
    const start = startOfData(file, at + "stream".length);
    const entries = start < 0 ? undefined : entriesBefore(file, at);
    if (entries === undefined) {
      if (start >= 0 && ++seeming > mostSeeming) return;
      at += "stream".length;
      continue;
    }
    const end = endOfData(file, start, entries.dictionary);
    const content = contentOf(entries.dictionary, file.subarray(start, end), Math.min(left, mostContent));
    left -= content?.length ?? 0;
    yield { ...entries, content };
    at = end + "endstream".length;
  }
}

/** The word is followed by a line end; -1 if it is not, and begins no stream. */
function startOfData(file: Buffer, at: number): number {
  if (file[at] === 0x0a) return at + 1;
  return file[at] === 0x0d && file[at + 1] === 0x0a ? at + 2 : -1;
}

function entriesBefore(file: Buffer, at: number): Omit<FileStream, "content"> | undefined {
  const before = file.toString("latin1", Math.max(0, at - longestDictionary), at);
  const start = before.lastIndexOf("obj");
  const found = start < 0 ? null : before.slice(Math.max(0, start - 30), start).match(id);
  const dictionary = before.slice(start + "obj".length).trim();
  if (found === null || !dictionary.startsWith("<<") || !dictionary.endsWith(">>")) return undefined;
  return { id: `${found[1]} ${found[2]}`, dictionary };
}

function endOfData(file: Buffer, start: number, dictionary: string): number {
  const length = directLength.exec(dictionary)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    if (/^\s{0,2}endstream/.test(file.toString("latin1", end, end + 12))) return end;
  }
  const word = file.indexOf("endstream", start);
  return word < 0 ? file.length : word;
}

function contentOf(dictionary: string, data: Buffer, most: number): Buffer | undefined {
  if (isForm.test(dictionary) ? dictionary.includes("/DecodeParms") : isOther.test(dictionary)) return undefined;
  if (!dictionary.includes("/Filter")) return data.length > most ? undefined : data;
  if (!isDeflated.test(dictionary)) return undefined;
  try {
    return inflateSync(data, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}
