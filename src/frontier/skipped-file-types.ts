/**
 * Extensions of files that are not expected to be a page, text or PDF. A crawl does not fetch them. Extensions that are
 * also words or domains (`com`, `key`, `pages`) are not listed, because addresses of real pages end in them.
 */

const endings = {
  images: "apng avif bmp cur eps gif heic heif ico jfif jpeg jpg png psd svg svgz tif tiff webp xcf",
  fonts: "eot otf ttf woff woff2",
  media:
    "3gp aac aif aiff avi flac flv m3u8 m4a m4v mid midi mkv mov mp2 mp3 mp4 mpeg mpg oga ogg ogv opus wav weba webm wma wmv",
  archives: "7z br bz2 cab gz jar lz lzma rar tar tbz2 tgz txz war xz zip zst",
  programs: "apk appimage bat cmd crx deb dll dmg exe ipa iso img msi msix pkg rpm vsix wasm whl xpi",
  documents: "doc docm docx dotx epub mobi odp ods odt potx pps ppsx ppt pptm pptx rtf xls xlsb xlsm xlsx",
  assets: "cjs css inc js mjs sass scss swf",
  data: "avro bak db dbf h5 hdf5 mdb npy npz onnx parquet pickle pkl safetensors shp sqlite torrent",
} as const;

/** The extensions in lower case, without the dot. */
const skippedFileTypes: ReadonlySet<string> = new Set(Object.values(endings).flatMap((list) => list.split(" ")));

/** True when the last segment of a pathname ends in one of {@link skippedFileTypes}. */
export function hasSkippedFileType(pathname: string): boolean {
  const dot = pathname.lastIndexOf(".");
  return dot >= 0 && skippedFileTypes.has(pathname.slice(dot + 1).toLowerCase());
}
