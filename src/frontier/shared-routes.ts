/**
 * Tells routes of an application (`/#/users`), which is at one address, from what each page of a site can open over
 * itself (`/about/#/sign-up`, `/news/#/sign-up`): the latter are sections of their pages, not pages.
 */

/** So many applications of one site may have a route in common. */
const mostPlaces = 2;
/** Most routes that are remembered. */
const mostRoutes = 10_000;

export class SharedRoutes {
  /** By route, the pages at which it has been met. */
  readonly #places = new Map<string, string[]>();

  /**
   * A page has been met. True if its address ends in a route that many pages have; the first of them keep theirs.
   *
   * @param key identity of the page
   */
  meet(key: string): boolean {
    const at = key.indexOf("#");
    if (at < 0) return false;
    const route = key.slice(at);
    const place = key.slice(0, at);
    const places = this.#places.get(route);
    if (places?.includes(place)) return false;
    if (places !== undefined && places.length >= mostPlaces) return true;
    if (places !== undefined) places.push(place);
    else if (this.#places.size < mostRoutes) this.#places.set(route, [place]);
    return false;
  }
}
