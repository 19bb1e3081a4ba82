// Rules that do not depend on the element.

import type { MarkdownContext, MarkdownRule } from "./context.ts";

/** Leaves an element out. */
export const skip: MarkdownRule = () => {};

/** Ends what is before a block, or the block itself. */
export const setApart = (context: MarkdownContext): void => {
  // The checkbox of a task is in the line of the text after it, even if that is in a block of its own.
  if (!context.run.isBox) context.boundary();
};

/** Writes what is inside an element, separated from what is before and after it. */
export const block: MarkdownRule = (context, element) => {
  setApart(context);
  context.children(element);
  setApart(context);
};

/** Writes what is inside an element as a line of its own, in bold. */
export const boldLine: MarkdownRule = (context, element) => {
  context.boundary();
  context.run.open("strong");
  context.flatten(element);
  context.run.close("strong");
  context.boundary();
};
