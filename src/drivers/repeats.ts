/** The repeats of a page as the databases keep them: a JSON array, null for none. */

export function writeRepeats(urls: readonly string[] = []): string | null {
  return urls.length === 0 ? null : JSON.stringify(urls);
}

export function readRepeats(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}
