/** Links to the sections of a page whose own address ends in a route: `#/guide?id=knots` on the page `#/guide`. */
import type { Document } from "domhandler";
import { decodedText } from "../shared/percent-decoding.ts";
import { nextElement } from "./html/walk.ts";

const sectionOfRoute = /^([^#]*#!?\/[^?#]*)\?id=([^&#]+)$/;

export class RouteSections {
  readonly #document: Document;
  readonly #url: string;
  #page: string | undefined;
  #ids: Set<string> | undefined;

  /** @param url of the page, as it is after its scripts have run */
  constructor(document: Document, url: string) {
    this.#document = document;
    this.#url = url;
  }

  /** The address of the page if `url` leads to one of its elements, otherwise the same. */
  pageFor(url: string): string {
    if (!url.includes("?id=")) return url;
    const [, page = "", id = ""] = sectionOfRoute.exec(url) ?? [];
    if (page === "" || pageOf(page) !== this.#ownPage()) return url;
    this.#ids ??= idsOf(this.#document);
    return this.#ids.has(decodedText(id)) ? page : url;
  }

  #ownPage(): string {
    this.#page ??= pageOf((URL.parse(this.#url)?.href ?? this.#url).replace(/\?id=[^&#]*$/, ""));
    return this.#page;
  }
}

/** The first page of an application is the one without a route. */
const pageOf = (url: string): string => url.replace(/#!?\/?$/, "");

function idsOf(document: Document): Set<string> {
  const ids = new Set<string>();
  for (let element = nextElement(document, document); element !== null; element = nextElement(element, document)) {
    const { id } = element.attribs;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
