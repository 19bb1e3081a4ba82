/** How deep in its site a URL lies. */

const indexFiles: ReadonlySet<string> = new Set(["", "index.html", "index.php"]);

/** Segments of the path of an absolute URL; empty ones, `index.html` and `index.php` do not count. */
export function pathDepth(url: string): number {
  return new URL(url).pathname.split("/").filter((segment) => !indexFiles.has(segment)).length;
}
