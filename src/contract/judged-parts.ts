/**
 * Selectors and JSON Schemas of a request, which its own schema lets pass because only the engine's parts can judge
 * them.
 */
import { z } from "zod";
import { actionSelector, maxActions } from "./actions.ts";
import { maxFormats } from "./formats.ts";
import { list } from "./list.ts";
import { type SchemaOption, schemaOption } from "./schema-option.ts";
import { maxSelectors, selector } from "./scrape-options.ts";

interface WithSchema {
  readonly schema?: SchemaOption | undefined;
}

/** The scrape options among them. */
export interface JudgedOptions {
  readonly includeTags?: readonly string[] | undefined;
  readonly excludeTags?: readonly string[] | undefined;
  readonly actions?: readonly { readonly type?: unknown; readonly selector?: string | undefined }[] | undefined;
  readonly jsonOptions?: WithSchema | undefined;
  readonly extract?: WithSchema | undefined;
  readonly changeTrackingOptions?: WithSchema | undefined;
}

export interface JudgedParts extends WithSchema {
  readonly scrapeOptions: JudgedOptions;
}

/**
 * Where a request has its scrape options. `extract` has a schema next to them, and the schemas in them have no effect.
 */
export type OptionsPlace = "top" | "scrapeOptions" | "extract";

/** In the place of what is no selector at all, which has its own issue. */
const anyElement = "*";
const selectors = list(selector.catch(anyElement), maxSelectors).optional().catch(undefined);
const withSelector = z.object({ selector: actionSelector.optional().catch(undefined) }).catch({});
const ofSelectors = {
  includeTags: selectors,
  excludeTags: selectors,
  actions: list(withSelector, maxActions).optional().catch(undefined),
};
const withSchema = z.object({ schema: schemaOption.optional() }).optional().catch(undefined);

const options = z
  .object({
    ...ofSelectors,
    // One that does not exist is no reason to overlook the options of others.
    formats: list(z.unknown(), maxFormats).catch([]),
    jsonOptions: withSchema,
    extract: withSchema,
    changeTrackingOptions: withSchema,
  })
  .transform(
    ({ formats, extract, changeTrackingOptions, ...rest }): JudgedOptions => ({
      ...rest,
      extract: formats.includes("json") ? undefined : extract,
      changeTrackingOptions: formats.includes("changeTracking") ? changeTrackingOptions : undefined,
    }),
  );

const forms: Readonly<Record<OptionsPlace, z.ZodType<JudgedParts>>> = {
  top: options.transform((scrapeOptions) => ({ scrapeOptions })),
  scrapeOptions: z.object({ scrapeOptions: options.catch({}) }),
  extract: z.object({
    scrapeOptions: z.object(ofSelectors).catch({}),
    schema: schemaOption.optional().catch(undefined),
  }),
};

/**
 * These parts of an input that is invalid elsewhere, so that one error can name everything; parts that are themselves
 * invalid are left out.
 */
export function judgedParts(input: unknown, place: OptionsPlace): JudgedParts {
  try {
    const read = forms[place].safeParse(input);
    return read.success ? read.data : { scrapeOptions: {} };
  } catch {
    return { scrapeOptions: {} }; // It cannot be read, which its own schema has already reported.
  }
}
