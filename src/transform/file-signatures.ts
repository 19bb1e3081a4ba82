/** The first bytes by which files that contain no page are recognised, whatever the header says. */

import { asBuffer } from "../shared/as-buffer.ts";

interface Signature {
  /** What the file is, in words for an error message. */
  readonly name: string;
  /** Latin-1 text of the bytes; `.` stands for any byte. */
  readonly bytes: string;
  readonly offset?: number;
}

const signatures: readonly Signature[] = [
  { name: "PNG image", bytes: "\x89PNG\r\n\x1a\n" },
  { name: "JPEG image", bytes: "\xff\xd8\xff" },
  { name: "GIF image", bytes: "GIF8" },
  { name: "WebP image", bytes: "RIFF....WEBP" },
  { name: "WAV audio", bytes: "RIFF....WAVE" },
  { name: "AVI video", bytes: "RIFF....AVI " },
  { name: "BMP image", bytes: "BM....\0\0\0\0" },
  { name: "icon", bytes: "\0\0\x01\0" },
  { name: "TIFF image", bytes: "II*\0" },
  { name: "TIFF image", bytes: "MM\0*" },
  { name: "AVIF image", bytes: "ftypavi", offset: 4 },
  { name: "HEIC image", bytes: "ftyphei", offset: 4 },
  { name: "MP4 video", bytes: "ftyp", offset: 4 },
  { name: "Matroska or WebM video", bytes: "\x1aE\xdf\xa3" },
  { name: "Flash video", bytes: "FLV\x01" },
  { name: "MPEG video", bytes: "\0\0\x01\xba" },
  { name: "MPEG video", bytes: "\0\0\x01\xb3" },
  { name: "MP3 audio", bytes: "ID3\x03" },
  { name: "MP3 audio", bytes: "ID3\x04" },
  { name: "MP3 audio", bytes: "\xff\xfb" },
  { name: "Ogg media", bytes: "OggS\0" },
  { name: "FLAC audio", bytes: "fLaC" },
  { name: "MIDI audio", bytes: "MThd" },
  { name: "WOFF font", bytes: "wOFF" },
  { name: "WOFF2 font", bytes: "wOF2" },
  { name: "TrueType font", bytes: "\0\x01\0\0\0" },
  { name: "OpenType font", bytes: "OTTO\0" },
  { name: "ZIP archive or office document", bytes: "PK\x03\x04" },
  { name: "ZIP archive", bytes: "PK\x05\x06" },
  { name: "gzip archive", bytes: "\x1f\x8b\x08" },
  { name: "bzip2 archive", bytes: "BZh.1AY&SY" },
  { name: "xz archive", bytes: "\xfd7zXZ\0" },
  { name: "zstd archive", bytes: "(\xb5/\xfd" },
  { name: "7z archive", bytes: "7z\xbc\xaf\x27\x1c" },
  { name: "RAR archive", bytes: "Rar!\x1a\x07" },
  { name: "tar archive", bytes: "ustar", offset: 257 },
  { name: "office document", bytes: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
  { name: "RTF document", bytes: "{\\rtf" },
  { name: "PostScript document", bytes: "%!PS" },
  { name: "SQLite database", bytes: "SQLite format 3\0" },
  { name: "Windows program", bytes: "MZ.\0" },
  { name: "Linux program", bytes: "\x7fELF" },
  { name: "WebAssembly module", bytes: "\0asm" },
];

/** By their first byte, because nearly every page is text, which has none of them. */
const atStart = Map.groupBy(
  signatures.filter(({ offset }) => offset === undefined),
  ({ bytes }) => bytes[0],
);
const further = signatures.filter(({ offset }) => offset !== undefined);

const longestReach = 512;

/** The kind of file that the first bytes show, if it is in the table. */
export function fileSignature(bytes: Uint8Array): string | undefined {
  const head = asBuffer(bytes, longestReach).toString("latin1");
  const found = (signature: Signature) => matches(head, signature);
  return (atStart.get(head[0])?.find(found) ?? further.find(found))?.name;
}

function matches(head: string, { bytes, offset = 0 }: Signature): boolean {
  if (head.length < offset + bytes.length) return false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== "." && bytes[at] !== head[offset + at]) return false;
  }
  return true;
}
