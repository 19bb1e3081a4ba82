// Rules for elements of which nothing has to be known.

import type { MarkdownRule } from "./context.ts";

/** Leaves an element out. */
export const skip: MarkdownRule = () => {};

/** Writes what is inside an element, apart from what is before and after it. */
export const block: MarkdownRule = (context, element) => {
  // The box of a task stands in the line of the text behind it, be that in a block of its own.
  if (!context.run.isBox) context.boundary();
  context.children(element);
  if (!context.run.isBox) context.boundary();
};
