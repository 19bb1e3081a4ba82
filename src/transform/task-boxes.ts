// Check boxes drawn by style sheets: empty elements whose class tells what they are.

import type { Element } from "domhandler";

const boxName = /(?:^|\s)(?:checkbox|checkbox-(?:on|off))(?:\s|$)/i;

export const isDrawnBox = ({ attribs, children }: Element): boolean =>
  children.length === 0 && attribs["class"] !== undefined && boxName.test(attribs["class"]);
