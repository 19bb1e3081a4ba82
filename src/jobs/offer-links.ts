/** Offers the links of a page to a crawl, and says which of the new ones are late. */
import type { Frontier, Offered } from "../frontier/frontier.ts";
import { isLateUrl } from "../frontier/late-urls.ts";
import type { Admission, FoundAt } from "../frontier/scope.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";

interface OfferedLinks {
  readonly offered: Offered;
  /** By its address, or because the page has only `nofollow` links to it. */
  isLate(admission: Admission): boolean;
}

export async function offerLinks(
  frontier: Frontier,
  { discovered, unendorsed }: Pick<ScrapedPage, "discovered" | "unendorsed">,
  found: FoundAt,
): Promise<OfferedLinks> {
  if (unendorsed.length === 0) return { offered: await frontier.offer(discovered, found), isLate: isLateAddress };
  const marked = new Set(unendorsed);
  const endorsed = await frontier.offer(
    discovered.filter((url) => !marked.has(url)),
    found,
  );
  const rest = await frontier.offer(unendorsed, found);
  const keys = new Set(endorsed.admitted.map(({ key }) => key));
  const late = rest.admitted.filter(({ key }) => !keys.has(key));
  const leftOutKeys = new Set(endorsed.leftOut.map(({ key }) => key));
  return {
    offered: {
      admitted: [...endorsed.admitted, ...late],
      leftOut: [...endorsed.leftOut, ...rest.leftOut.filter(({ key }) => !leftOutKeys.has(key))],
    },
    isLate: (admission) => !keys.has(admission.key) || isLateAddress(admission),
  };
}

const isLateAddress = ({ url }: Admission): boolean => isLateUrl(url);
