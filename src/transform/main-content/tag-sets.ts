/** Tags that several steps look for. */
import { tagId } from "./tags.ts";

const setOf = (...names: string[]): ReadonlySet<number> => new Set(names.map(tagId));

export const LISTS = setOf("ul", "ol");
export const LISTS_AND_TERMS = setOf("ul", "ol", "dl");
export const FIGURES = setOf("figure", "figcaption");
export const FORMS = setOf("form", "button");
export const TEXTS = setOf("article", "section", "main");
/** What is there names something, whatever it is called. */
export const CELLS_AND_TERMS = setOf("td", "th", "dt");
