/** Offers the links of a page to a crawl, and says which of the new ones are late. */
import type { Frontier, Offered } from "../frontier/frontier.ts";
import { isLateUrl } from "../frontier/late-urls.ts";
import type { FoundAt } from "../frontier/scope.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";
import { Turn } from "../shared/turn.ts";

interface OfferedLinks {
  readonly offered: Offered;
  /**
   * If wanted, the keys of those that are late by their address, or because the page has only `nofollow` links to them.
   */
  readonly lateKeys: ReadonlySet<string> | undefined;
}

export async function offerLinks(
  frontier: Frontier,
  { discovered, unendorsed }: Pick<ScrapedPage, "discovered" | "unendorsed">,
  found: FoundAt,
  isLateWanted: boolean,
): Promise<OfferedLinks> {
  if (unendorsed.length === 0) {
    const offered = await frontier.offer(discovered, found);
    return { offered, lateKeys: isLateWanted ? await lateOnes(offered) : undefined };
  }
  const marked = new Set(unendorsed);
  const endorsed = await frontier.offer(
    discovered.filter((url) => !marked.has(url)),
    found,
  );
  const rest = await frontier.offer(unendorsed, found);
  const lateKeys = isLateWanted ? await lateOnes(endorsed) : undefined;
  const keys = new Set(endorsed.admitted.map(({ key }) => key));
  const more = rest.admitted.filter(({ key }) => !keys.has(key));
  for (const { key } of more) lateKeys?.add(key);
  const leftOutKeys = new Set(endorsed.leftOut.map(({ key }) => key));
  return {
    offered: {
      admitted: [...endorsed.admitted, ...more],
      leftOut: [...endorsed.leftOut, ...rest.leftOut.filter(({ key }) => !leftOutKeys.has(key))],
    },
    lateKeys,
  };
}

/** A page may have a hundred thousand links, and each address is parsed. */
async function lateOnes({ admitted }: Offered): Promise<Set<string>> {
  const late = new Set<string>();
  const turn = new Turn();
  for (const { url, key } of admitted) {
    if (turn.isOver()) await turn.next();
    if (isLateUrl(url)) late.add(key);
  }
  return late;
}
