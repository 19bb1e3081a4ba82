/**
 * Names a file for each page, at the place in the folder that its URL has on the site. URLs come from strangers:
 * whatever they contain, the file stays inside the folder and has a name that every system accepts.
 */
import { createHash } from "node:crypto";

/** In bytes: three of these, joined, still fit into the 255 that file systems allow. */
const longestName = 80;
const deepestFolder = 12;
/** Names that Windows reserves for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One part of a path: letters, digits and `. _ - =`, not hidden, not too long. */
function safeName(text: string): string {
  const name = decoded(text)
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._=-]/gu, "-")
    .replace(/^\.+/, "")
    .replace(/\.+$/, "");
  if (Buffer.byteLength(name) > longestName) {
    const kept = Buffer.from(name)
      .subarray(0, longestName - 9)
      .toString()
      .replace(/\u{fffd}+$/u, "");
    return `${kept}-${digest(text)}`;
  }
  return reserved.test(name.split(".", 1)[0] ?? "") || name === "" ? `_${name}` : name;
}

/**
 * Names files, a different one for each URL.
 *
 * @example
 * const names = new FileNames();
 * names.for("https://example.com/docs/install/?v=2"); // example.com/docs/install--v=2.md
 */
export class FileNames {
  readonly #taken = new Set<string>();

  /** The path of the page's file, relative to the folder, with `/` between its parts. */
  for(address: string): string {
    const url = new URL(address);
    const parts = url.pathname.split("/").filter((part) => part !== "");
    const last = safeName((parts.pop() ?? "index").replace(/\.html?$/i, ""));
    // A folder must not look like a page's file: `/x.md/y` would collide with the file of `/x`.
    const folders = [url.hostname, ...parts.slice(0, deepestFolder)].map((part) =>
      safeName(part).replace(/\.md$/i, "-md"),
    );
    const cut = parts.length > deepestFolder ? `-${digest(url.pathname)}` : "";
    const query = url.search === "" ? "" : `--${safeName(url.search.slice(1))}`;
    const name = [...folders, `${last}${cut}${query}`].join("/");
    let file = `${name}.md`;
    // Compared in lower case, because some file systems do not distinguish `A.md` from `a.md`.
    for (let next = 2; this.#taken.has(file.toLowerCase()); next++) file = `${name}-${next}.md`;
    this.#taken.add(file.toLowerCase());
    return file;
  }
}
