import { z } from "zod";

/**
 * A name that is stored as a caller wrote it. Databases would alter one that contains a NUL or half a character, and then
 * two names might become one.
 */
export function name(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "holds characters that names cannot have");
}
