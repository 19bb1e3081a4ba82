/** The paths of pages, and the links that each must have so that all pages can be reached from the first. */

const children = 8;

export const pagePath = (index: number): string => (index === 0 ? "/" : `/section-${index % 40}/page-${index}`);

/** The page's number, or -1. */
export function pageIndex(path: string, pages: number): number {
  if (path === "/") return 0;
  const index = Number(/^\/section-\d+\/page-(\d+)$/.exec(path)?.[1] ?? -1);
  return index > 0 && index < pages && pagePath(index) === path ? index : -1;
}

/** Numbers of the pages below a page in the tree. */
export function childrenOf(index: number, pages: number): number[] {
  const first = index * children + 1;
  return Array.from({ length: children }, (_, child) => first + child).filter((child) => child < pages);
}
