/**
 * Limits how much the markdown of a page repeats: the marks of quotes and lists before each line, the empty cells of
 * tables, the address of a link in each of its lines. Without a limit, a page of some kilobytes could be made to fill
 * the memory.
 */
export class Repetition {
  #left: number;

  /** @param pageLength length of the page's source; several texts of one page share the limit */
  constructor(pageLength = 0) {
    this.#left = mostAnywhere + 2 * pageLength;
  }

  /** Whether so many characters may be written again; if so, there are that many less for what comes later. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }
}

/** Small pages may repeat more than they contain, as far as that does no harm. */
const mostAnywhere = 1_000_000;
