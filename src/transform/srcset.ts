// Parses a `srcset` attribute according to the HTML standard: URLs may contain commas.

interface SourceCandidate {
  readonly url: string;
  /** Width (`800w`) or density (`2x`) as a plain number; 1 if the candidate has none. */
  readonly size: number;
  /** `x` also for a candidate without a descriptor. */
  readonly unit: "w" | "x";
}

const maxCandidates = 200;

/** A width or a density, with preceding white space. */
const descriptor = /\s*(\d+(?:\.\d+)?)([wx])/y;

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/**
 * The candidates in their order.
 *
 * @example
 * parseSrcset("/a,b.jpg 1x, /c.jpg 2x"); // [{ url: "/a,b.jpg", size: 1, unit: "x" }, { url: "/c.jpg", size: 2, unit: "x" }]
 */
export function parseSrcset(srcset: string): SourceCandidate[] {
  const candidates: SourceCandidate[] = [];
  let at = 0;
  while (candidates.length < maxCandidates) {
    while (at < srcset.length && (isSpace(srcset.charCodeAt(at)) || srcset[at] === ",")) at++;
    if (at >= srcset.length) break;
    const start = at;
    while (at < srcset.length && !isSpace(srcset.charCodeAt(at))) at++;
    let end = at;
    while (end > start && srcset[end - 1] === ",") end--;
    const url = srcset.slice(start, end);
    if (end < at) {
      candidates.push({ url, size: 1, unit: "x" });
      continue;
    }
    // Without a comma after the URL, descriptors follow up to the next comma.
    descriptor.lastIndex = at;
    const [, size = "1", unit = "x"] = descriptor.exec(srcset) ?? [];
    candidates.push({ url, size: Number(size), unit: unit as "w" | "x" });
    const comma = srcset.indexOf(",", at);
    at = comma === -1 ? srcset.length : comma;
  }
  return candidates;
}

/**
 * URL of the largest candidate, the first among equals.
 *
 * @param source the `src` of the same element: a candidate of density 1, smaller than any width
 */
export function largestSource(srcset: string, source?: string): string | undefined {
  const candidates = parseSrcset(srcset);
  if (source !== undefined && candidates.length > 0) candidates.push({ url: source, size: 1, unit: "x" });
  let best: SourceCandidate | undefined;
  for (const candidate of candidates) {
    if (best === undefined || candidate.size > best.size) best = candidate;
  }
  return best?.url;
}
