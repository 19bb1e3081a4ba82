/** Recognises pages that were written by hand, or nearly so: content systems generate many times as many elements. */
import type { PageTable } from "./page-table.ts";

const FEW_ELEMENTS = 200;

/** True for a page with few elements, about whose parts more is certain. */
export function isSimplePage({ elements }: PageTable): boolean {
  return elements.length < FEW_ELEMENTS;
}
