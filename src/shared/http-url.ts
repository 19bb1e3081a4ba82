/** The URL that a text is, or leads to from another; null unless its scheme is http or https. */
export function parseHttpUrl(text: string, base?: string): URL | null {
  const url = URL.parse(text, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : null;
}
