/** What the demo remembers about a crawl: sums, and one page to quote from. The pages themselves are in files. */
import type { Document } from "../../src/index.ts";
import { countWords } from "./page-file.ts";

export class Tally {
  readonly #started = performance.now();
  /** Pages, including failed ones. */
  attempted = 0;
  /** Pages with text. */
  read = 0;
  words = 0;
  bytes = 0;
  /** Answers such as `404 Not Found`, with their counts. */
  readonly errorAnswers = new Map<string, number>();
  quoted: Document | undefined;

  add(page: Document): void {
    this.attempted++;
    if (page.markdown === undefined) return;
    const { statusCode = 200, error } = page.metadata;
    const words = countWords(page.markdown);
    this.read++;
    this.words += words;
    if (statusCode >= 400) {
      const answer = `${statusCode} ${error ?? ""}`;
      this.errorAnswers.set(answer, (this.errorAnswers.get(answer) ?? 0) + 1);
    } else if (words > 250 && this.attempted > 1) {
      // Not the start page: it is mostly links.
      this.quoted ??= page;
    }
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }
}
