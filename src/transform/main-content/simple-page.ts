/** Pages that were written by hand, or nearly so: a site's machinery makes many times as many elements. */
import type { PageTable } from "./page-table.ts";

const FEW_ELEMENTS = 200;

/** True for a page of few elements: of its parts more is certain, because there are few. */
export function isSimplePage({ elements }: PageTable): boolean {
  return elements.length < FEW_ELEMENTS;
}
