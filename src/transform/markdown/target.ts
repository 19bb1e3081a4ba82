// Link targets and titles, as written in the brackets after a link's text.

/** A link target, as written in the brackets. */
export function destination(href: string): string {
  const safe = href
    .replace(/[\s<>\\]/g, (character) => encodeURIComponent(character))
    .replace(/&(?=#?\w{1,31};)/g, "&amp;");
  if (!/[()]/.test(safe)) return safe;
  return hasBalancedBrackets(safe) ? safe : `<${safe}>`;
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return false;
  }
  // CommonMark allows parsers to limit the depth.
  return depth === 0 && !text.includes("((((");
}

export function linkTitle(title: string): string {
  const text = title.replace(/\s+/g, " ").trim();
  return text === "" ? "" : ` "${text.replace(/[\\"]/g, "\\$&").replace(/&(?=#?\w{1,31};)/g, "\\&")}"`;
}
