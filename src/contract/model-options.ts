/** Options of the formats that a language model produces. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { list } from "./list.ts";
import { name } from "./name.ts";
import { type SchemaOption, schemaOption } from "./schema-option.ts";

/** Most characters of a prompt. */
const maxPromptLength = 10_000;

export const prompt = z.string().max(maxPromptLength);

/** What a model is to take from a page. */
export interface JsonOptions<Schema extends SchemaOption = SchemaOption> {
  /** The form of the answer: a JSON Schema, or a Standard Schema such as one of zod. */
  schema?: Schema | undefined;
  /** Instructions for the model, given before the page. At most 10,000 characters. */
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
   * How to report changes: `git-diff` compares the markdown, `json` compares data that a model takes from the page. If
   * empty, only whether the page changed is reported.
   * @default []
   */
  modes?: readonly ("git-diff" | "json")[] | undefined;
  /**
   * For mode `json`: the form of the data to compare, as a JSON Schema or Standard Schema. Without one, a model sees
   * both versions and its answer is returned as it is.
   */
  schema?: SchemaOption | undefined;
  /** For mode `json`: what to compare. At most 10,000 characters. */
  prompt?: string | undefined;
  /**
   * Names a separate history: a page is compared only with versions that have the same tag. At most 200 characters.
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
  tag: name(200).nullable().default(null),
} satisfies Fields<ChangeTrackingOptions>);
