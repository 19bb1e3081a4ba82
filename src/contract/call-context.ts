/** Who calls, and how the call can be stopped. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";

/** The second argument of every call. */
export interface CallContext {
  /**
   * The team that the call works for: it pays, and no other team sees its jobs. 1 to 200 characters.
   * @default "default"
   */
  team?: string | undefined;
  /** Name of the API key, for usage by key. 1 to 200 characters. */
  apiKey?: string | undefined;
  /**
   * Stops the call at once; it rejects with the signal's reason. A job that `crawl`, `batchScrape` or `extract` has
   * started is cancelled by it for as long as it runs.
   */
  signal?: AbortSignal | undefined;
  /** A language model for this call instead of the engine's own: a `LanguageModel` of the AI SDK. */
  model?: unknown;
}

export type ParsedCallContext = Filled<CallContext, "apiKey" | "signal" | "model">;

/** Characters of the longest name of a team or a key. */
const maxNameLength = 200;

/** Databases would keep another name in place of one with a NUL or half a character, and two teams might share it. */
const name = z
  .string()
  .min(1)
  .max(maxNameLength)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "holds characters that names cannot have");

/** By its form and not its class: a signal of another realm, or of a polyfill, is one too. */
export const signal = z
  .custom<AbortSignal>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      typeof (value as AbortSignal).aborted === "boolean" &&
      typeof (value as AbortSignal).addEventListener === "function",
    "must be an AbortSignal",
  )
  .transform(ownSignal);

const adopted = new WeakMap<AbortSignal, AbortSignal>();

/** Node unites only signals of its own class; a foreign one gets one of these that follows it. */
function ownSignal(given: AbortSignal): AbortSignal {
  if ((given as object) instanceof AbortSignal) return given;
  let own = adopted.get(given);
  if (own === undefined) {
    const controller = new AbortController();
    own = controller.signal;
    adopted.set(given, own);
    if (given.aborted) controller.abort(given.reason);
    else given.addEventListener("abort", () => controller.abort(given.reason), { once: true });
  }
  return own;
}

/** By its form too: any major version of the AI SDK's models, or the id of one that its default provider knows. */
export const languageModel = z.custom<unknown>(
  (value) =>
    (typeof value === "string" && value !== "") ||
    (typeof value === "object" &&
      value !== null &&
      typeof (value as { doGenerate?: unknown }).doGenerate === "function"),
  "must be a LanguageModel of the AI SDK",
);

export const callContext: z.ZodType<ParsedCallContext, CallContext | undefined> = z
  .strictObject({
    team: name.default("default"),
    apiKey: name.optional(),
    signal: signal.optional(),
    model: languageModel.optional(),
  } satisfies Fields<CallContext>)
  .prefault({});
