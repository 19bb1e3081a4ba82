// Check boxes drawn by style sheets: empty elements whose class tells what they are.

import type { Element } from "domhandler";
import { classNamed } from "./html/class-names.ts";

const boxName = classNamed("checkbox|checkbox-(?:on|off)", "i");

export const isDrawnBox = ({ attribs, children }: Element): boolean =>
  attribs["role"] === "checkbox" ||
  (children.length === 0 && attribs["class"] !== undefined && boxName.test(attribs["class"]));
