/** Options of the formats that a language model makes. */
import { z } from "zod";
import { list } from "./list.ts";
import { schemaOption } from "./schema-option.ts";

/** Characters of the longest prompt. */
export const maxPromptLength = 10_000;

export const prompt = z.string().max(maxPromptLength);

/** `jsonOptions`, and `extract`, its old name. */
export const jsonOptions = z.strictObject({
  /** The form of the answer: a JSON Schema, or a Standard Schema such as one of zod. */
  schema: schemaOption.optional(),
  /** Instruction that goes before the page; replaces the engine's own. At most 10,000 characters. */
  systemPrompt: prompt.optional(),
  /** What to take from the page. At most 10,000 characters. */
  prompt: prompt.optional(),
});

export const changeTrackingOptions = z.strictObject({
  /**
   * How to show what changed: `git-diff` of the markdown, `json` by a model. Empty: only whether it changed.
   * @default []
   */
  modes: list(z.enum(["git-diff", "json"]), 10)
    .transform((modes) => [...new Set(modes)])
    .default([]),
  /** For mode `json`: the form of the data to compare, as JSON Schema or Standard Schema. */
  schema: schemaOption.optional(),
  /** For mode `json`: what to compare. At most 10,000 characters. */
  prompt: prompt.optional(),
  /**
   * Keeps a history of its own: pages are compared only with pages of the same tag. At most 200 characters.
   * @default null
   */
  tag: z.string().max(200).nullable().default(null),
});
