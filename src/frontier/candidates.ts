/** Pages of a site that may be wanted, each once, with the titles and descriptions found for them anywhere. */

import { Turn } from "../shared/turn.ts";
import { Frontier } from "./frontier.ts";
import type { RankedPage } from "./relevance.ts";
import type { Scope } from "./scope.ts";
import { type UrlIdentity, urlKey } from "./url-key.ts";

export interface Candidate extends RankedPage {
  readonly key: string;
  title?: string | undefined;
  description?: string | undefined;
}

/** Most characters of a page's titles together, and of its descriptions. */
const maxLength = 600;

export class Candidates {
  readonly #frontier: Frontier;
  readonly #identity: UrlIdentity;
  readonly #isWanted: (url: string) => boolean;
  readonly #found = new Map<string, Candidate>();

  /** @param identity how URLs are compared; must be that of the scope */
  constructor(scope: Scope, identity: UrlIdentity, isWanted: (url: string) => boolean = () => true) {
    this.#frontier = new Frontier(scope, { maxLeftOut: 0 });
    this.#identity = identity;
    this.#isWanted = isWanted;
  }

  get size(): number {
    return this.#found.size;
  }

  /** In the order in which they were found. */
  all(): Candidate[] {
    return [...this.#found.values()];
  }

  /** Adds new pages, and the texts for new and known ones. Long lists take several turns of the event loop. */
  async add(pages: readonly RankedPage[]): Promise<void> {
    const offered = await this.#frontier.offer(
      pages.map(({ url }) => url),
      { depth: 0 },
    );
    this.#frontier.keep(offered);
    const turn = new Turn();
    for (const { url, key } of offered.admitted) {
      if (turn.isOver()) await turn.next();
      if (this.#isWanted(url)) this.#found.set(key, { url, key });
    }
    for (const { url, title, description } of pages) {
      if (!title && !description) continue;
      if (turn.isOver()) await turn.next();
      const page = this.#found.get(urlKey(url, this.#identity));
      if (page === undefined) continue;
      page.title = joined(page.title, title);
      page.description = joined(page.description, description);
    }
  }
}

function joined(known: string | undefined, said: string | undefined): string | undefined {
  if (known === undefined || known === "") return said;
  return said === undefined || known.includes(said) ? known : `${known} ${said}`.slice(0, maxLength);
}
