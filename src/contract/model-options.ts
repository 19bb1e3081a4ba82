/** Options of the formats that a language model makes. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { list } from "./list.ts";
import { type SchemaOption, schemaOption } from "./schema-option.ts";

/** Characters of the longest prompt. */
const maxPromptLength = 10_000;

export const prompt = z.string().max(maxPromptLength);

/** What a model takes from a page. */
export interface JsonOptions<Schema extends SchemaOption = SchemaOption> {
  /** The form of the answer: a JSON Schema, or a Standard Schema such as one of zod. */
  schema?: Schema | undefined;
  /** Instruction that goes before the page. At most 10,000 characters. */
  systemPrompt?: string | undefined;
  /** What to take from the page. At most 10,000 characters. */
  prompt?: string | undefined;
}

export const jsonOptions = z.strictObject({
  schema: schemaOption.optional(),
  systemPrompt: prompt.optional(),
  prompt: prompt.optional(),
} satisfies Fields<JsonOptions>);

/** How a page is compared with its last version. */
export interface ChangeTrackingOptions {
  /**
   * How to show what changed: `git-diff` of the markdown, `json` by a model. Empty: only whether it changed.
   * @default []
   */
  modes?: readonly ("git-diff" | "json")[] | undefined;
  /**
   * For mode `json`: the form of the data to compare, as JSON Schema or Standard Schema. Without one a model sees both
   * versions, and its answer is given as it is.
   */
  schema?: SchemaOption | undefined;
  /** For mode `json`: what to compare. At most 10,000 characters. */
  prompt?: string | undefined;
  /**
   * Keeps a history of its own: pages are compared only with pages of the same tag. At most 200 characters.
   * @default null
   */
  tag?: string | null | undefined;
}

export type ParsedChangeTrackingOptions = Filled<ChangeTrackingOptions, "schema" | "prompt">;

export const changeTrackingOptions: z.ZodType<ParsedChangeTrackingOptions, ChangeTrackingOptions> = z.strictObject({
  modes: list(z.enum(["git-diff", "json"]), 10)
    .transform((modes) => [...new Set(modes)])
    .default([]),
  schema: schemaOption.optional(),
  prompt: prompt.optional(),
  tag: z.string().max(200).nullable().default(null),
} satisfies Fields<ChangeTrackingOptions>);
