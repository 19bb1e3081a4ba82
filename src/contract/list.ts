/** Lists with a bound. The length is looked at before any element is, so that a giant list costs nothing. */
import { z } from "zod";

/** A list of at most `max` elements; callers may pass readonly arrays. */
export function list<Element extends z.ZodType>(element: Element, max: number) {
  return z
    .custom<readonly z.input<Element>[]>()
    .check(({ value, issues }) => {
      if (!Array.isArray(value) || value.length <= max) return;
      issues.push({ code: "too_big", origin: "array", maximum: max, inclusive: true, input: value });
    })
    .pipe(z.array(element) as unknown as z.ZodType<z.output<Element>[], readonly z.input<Element>[]>);
}
