/** The path to a value in the form used in messages: `scrapeOptions.actions[0].selector`; "it" for the value itself. */
export function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return "it";
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}
