/** Names of files that servers return for their folder. `index.xml` is not among them, because it is often a feed. */
export const indexFiles: ReadonlySet<string> = new Set([
  "index.html",
  "index.htm",
  "index.xhtml",
  "index.shtml",
  "index.php",
  "index.asp",
  "index.aspx",
  "index.jsp",
  "default.html",
  "default.htm",
  "default.asp",
  "default.aspx",
]);
