/** Where the visitor of a page appears to be. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { list } from "./list.ts";

/** Where the visitor of a page appears to be. */
export interface LocationOptions {
  /**
   * Country, as a two-letter code in either case.
   * @default "US"
   */
  country?: string | undefined;
  /** Language tags in order of preference: `["de-CH", "de"]`. Default: the languages of the country. */
  languages?: readonly string[] | undefined;
}

/** With the country in capitals. */
export type ParsedLocation = Filled<LocationOptions, "languages">;

/** In either case. */
export const countryCode = z.string().regex(/^[a-z]{2}$/i, "must be a country code of two letters");

const languageTag = z.string().regex(/^[a-z0-9]{1,8}([-_][a-z0-9]{1,8}){0,7}$/i, "must be a language tag");

export const location: z.ZodType<ParsedLocation, LocationOptions> = z.strictObject({
  country: countryCode.transform((country) => country.toUpperCase()).default("US"),
  languages: list(languageTag, 100).optional(),
} satisfies Fields<LocationOptions>);
