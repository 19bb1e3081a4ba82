import { z } from "zod";

/**
 * A whole number. Unlike with `z.int()`, a fraction lets the rules between the other fields of its object have their say,
 * so that one error can name all issues.
 */
export function wholeNumber(): z.ZodNumber {
  return z.number().check(({ value, issues }) => {
    if (Number.isSafeInteger(value)) return;
    if (!Number.isInteger(value)) issues.push({ code: "invalid_type", expected: "int", input: value });
    else if (value > 0) issues.push({ ...outside, code: "too_big", maximum: Number.MAX_SAFE_INTEGER, input: value });
    else issues.push({ ...outside, code: "too_small", minimum: Number.MIN_SAFE_INTEGER, input: value });
  });
}

const outside = { origin: "number", inclusive: true } as const;
