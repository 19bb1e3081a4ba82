/** Which URLs of an extract request stand for many pages, and what such a glob may contain. */

const maxGlobLength = 2048;
/**
 * A glob becomes a regular expression that tries every position for every star. Two stars in a segment are matched
 * quickly; more are not.
 */
const maxStarsPerSegment = 2;
const maxStars = 10;
/** The same for stars that stand for any number of segments. */
const maxOpenStars = 3;

export function isGlob(url: string): boolean {
  return url.includes("*");
}

/** What is wrong with a glob; undefined if it can be used. */
export function globProblem(url: string): string | undefined {
  if (url.length > maxGlobLength) return `is a glob of more than ${maxGlobLength} characters`;
  const stars = url
    .replace(/\*+/g, "*")
    .split("/")
    .map((segment) => segment.split("*").length - 1);
  if (stars.some((count) => count > maxStarsPerSegment))
    return `has a segment with more than ${maxStarsPerSegment} wildcards`;
  if (stars.reduce((sum, count) => sum + count, 0) > maxStars) return `has more than ${maxStars} wildcards`;
  if ((url.match(/\*\*/g)?.length ?? 0) > maxOpenStars) return `has more than ${maxOpenStars} times **`;
  return undefined;
}
