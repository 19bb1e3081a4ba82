/** Lists with a limit. The length is checked before any element, so that a giant list costs nothing. */
import { z } from "zod";

/** A list of at most `max` elements; callers may pass readonly arrays. */
export function list<Output, Input>(
  element: z.ZodType<Output, Input>,
  max: number,
): z.ZodType<Output[], readonly Input[]> {
  return z
    .custom<readonly Input[]>()
    .check(({ value, issues }) => {
      if (!Array.isArray(value) || value.length <= max) return;
      issues.push({ code: "too_big", origin: "array", maximum: max, inclusive: true, input: value });
    })
    .pipe(z.array(element) as unknown as z.ZodType<Output[], readonly Input[]>);
}
