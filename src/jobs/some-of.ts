const most = 3;

/** The first ones, and how many more there are. */
export function someOf(texts: readonly string[], separator = ", "): string {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}
