/** Where a page should think its reader is. */
import { z } from "zod";
import { list } from "./list.ts";

export const location = z.strictObject({
  /**
   * Country, as a code of two letters; either case.
   * @default "US"
   */
  country: z
    .string()
    .regex(/^[a-z]{2}$/i, "must be a country code of two letters")
    .transform((country) => country.toUpperCase())
    .default("US"),
  /** Language tags, best first: `["de-CH", "de"]`. Default: the languages of the country. */
  languages: list(
    z.string().regex(/^[a-z0-9]{1,8}([-_][a-z0-9]{1,8}){0,7}$/i, "must be a language tag"),
    100,
  ).optional(),
});
