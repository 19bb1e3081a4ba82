/** A PDF's own information, under the names used in the metadata of pages. */

/** Of several sources for a field, the first that contains text counts. */
const fields: readonly (readonly [field: string, sources: readonly string[]])[] = [
  ["title", ["Title", "dc:title"]],
  ["author", ["Author", "dc:creator"]],
  ["description", ["Subject", "dc:description"]],
  ["keywords", ["Keywords", "pdf:keywords"]],
  ["language", ["Language", "dc:language"]],
  ["generator", ["Creator", "Producer"]],
  ["publishedTime", ["CreationDate", "xmp:createdate"]],
  ["modifiedTime", ["ModDate", "xmp:modifydate"]],
];

const longestValue = 2_000;

/** What programs write where nothing was said. */
const noValue = /^\(?(?:anonymous|unspecified)\)?$/;

/** What programs write in place of a title. */
const noTitle =
  /^(?:untitled|no title|document\d*|slide \d+|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd|pdf|rtf|odt|html?))$/i;

export function pdfMetadata(information: Readonly<Record<string, unknown>>): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [field, sources] of fields) {
    const value = sources
      .map((source) => textOf(information[source]))
      .find((text) => text !== "" && !noValue.test(text));
    if (value === undefined) continue;
    const shown = field.endsWith("Time") ? isoTime(value) : value;
    if (shown !== undefined && !(field === "title" && noTitle.test(shown))) metadata[field] = shown;
  }
  return metadata;
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.filter((part) => typeof part === "string").join(", ") : value;
  if (typeof text !== "string") return "";
  const short = text.replaceAll("\0", "").replace(/\s+/g, " ").trim().slice(0, longestValue);
  // Not every database can store half a surrogate pair, which the file may hold as well as the cut leave.
  return short.toWellFormed();
}

const pdfDate = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/;

/** `D:20240131120000+01'00'` as `2024-01-31T12:00:00+01:00`; a date without a zone counts as UTC. */
function isoTime(value: string): string | undefined {
  if (/^\d{4}-/.test(value)) return Number.isNaN(Date.parse(value)) ? undefined : value;
  const found = value.match(pdfDate);
  if (found === null) return undefined;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, zoneHour, zoneMinute] =
    found;
  const zone = sign === undefined ? "Z" : `${sign}${zoneHour}:${zoneMinute ?? "00"}`;
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  return Number.isNaN(Date.parse(time)) ? undefined : time;
}
