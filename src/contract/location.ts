/** Where the visitor of a page appears to be. */
import { z } from "zod";
import { isCountry } from "../shared/countries.ts";
import type { Fields, Filled } from "./fields.ts";
import { list } from "./list.ts";

/** Where the visitor of a page appears to be. */
export interface LocationOptions {
  /**
   * Country, as its two-letter code of ISO 3166-1 in either case.
   * @default "US"
   */
  country?: string | undefined;
  /** Language tags in order of preference: `["de-CH", "de"]`. Default: the languages of the country. */
  languages?: readonly string[] | undefined;
}

/** With the country in capitals. */
export type ParsedLocation = Filled<LocationOptions, "languages">;

/**
 * In either case. Whether there is such a country is for those to judge who receive it: search engines have codes of
 * their own.
 */
export const twoLetterCode = z.string().regex(/^[a-z]{2}$/i, {
  error: "must be a country code of two letters",
  abort: true,
});

/** The code of a country that exists, in either case. */
export const countryCode = twoLetterCode.refine(isCountry, {
  error: ({ input }) => `must be the code of a country in ISO 3166-1${hintAt(String(input))}`,
});

/** The code that many take for that of the United Kingdom. */
const hintAt = (code: string): string => (code.toUpperCase() === "UK" ? "; that of the United Kingdom is GB" : "");

const languageTag = z.string().regex(/^[a-z0-9]{1,8}([-_][a-z0-9]{1,8}){0,7}$/i, "must be a language tag");

export const location: z.ZodType<ParsedLocation, LocationOptions> = z.strictObject({
  country: countryCode.transform((country) => country.toUpperCase()).default("US"),
  languages: list(languageTag, 100).optional(),
} satisfies Fields<LocationOptions>);
