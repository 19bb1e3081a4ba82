// Rules for elements of which nothing has to be known.

import type { MarkdownContext, MarkdownRule } from "./context.ts";

/** Leaves an element out. */
export const skip: MarkdownRule = () => {};

/** Ends what is before a block, or the block. */
export const setApart = (context: MarkdownContext): void => {
  // The box of a task stands in the line of the text behind it, be that in a block of its own.
  if (!context.run.isBox) context.boundary();
};

/** Writes what is inside an element, apart from what is before and after it. */
export const block: MarkdownRule = (context, element) => {
  setApart(context);
  context.children(element);
  setApart(context);
};
