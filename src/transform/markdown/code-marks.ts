// The backticks around code: always more than in any run inside.

export function codeSpan(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** A block of code; `code` does not end with a line end. */
export function fencedCode(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf("`"); at !== -1 && at < text.length; at++) {
    run = text.charCodeAt(at) === 96 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
