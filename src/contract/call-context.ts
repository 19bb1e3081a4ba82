/** The call context: who calls, and how the call can be stopped. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { name } from "./name.ts";

/** On whose behalf a call is made, and how to stop it: the last argument of every call. */
export interface CallContext {
  /**
   * The team on whose behalf the call is made: it pays, and no other team sees its jobs. 1 to 200 characters.
   * @default "default"
   */
  team?: string | undefined;
  /** Name of the API key, for usage broken down by key. 1 to 200 characters. */
  apiKey?: string | undefined;
  /**
   * Stops the call at once; the call then rejects with the signal's reason. Passed to `crawl`, `batchScrape` or
   * `extract`, it also cancels the job that they start, for as long as that runs.
   */
  signal?: AbortSignal | undefined;
  /** A language model to use for this call instead of the engine's: a `LanguageModel` of the AI SDK. */
  model?: unknown;
}

export type ParsedCallContext = Filled<CallContext, "apiKey" | "signal" | "model">;

/** Most characters in the name of a team or key. */
const maxNameLength = 200;

const callerName = name(maxNameLength).min(1);

/** Recognised by its shape rather than its class: a signal of another realm, or of a polyfill, is one too. */
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

/**
 * Node combines only signals of its own class, so a foreign one is replaced by a native one that follows it, and that has
 * a reason even if the foreign one has none.
 */
export function ownSignal(given: AbortSignal): AbortSignal {
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

/**
 * Recognised by its shape too: a model of any version of the AI SDK from 5 on (those before have the specification v1,
 * which later ones cannot call). The id of a model counts only if the host has named a provider for it: without one,
 * the SDK would turn to a service on the web.
 */
export const languageModel = z.custom<unknown>(
  (value) =>
    typeof value === "string"
      ? value !== "" && (globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown }).AI_SDK_DEFAULT_PROVIDER !== undefined
      : typeof value === "object" &&
        value !== null &&
        (value as { specificationVersion?: unknown }).specificationVersion !== "v1" &&
        typeof (value as { doGenerate?: unknown }).doGenerate === "function",
  {
    error: ({ input }) =>
      typeof input === "string"
        ? "must be a LanguageModel of the AI SDK rather than an id; an id needs a provider in globalThis.AI_SDK_DEFAULT_PROVIDER"
        : "must be a LanguageModel of the AI SDK, version 5 or later",
  },
);

export const callContext: z.ZodType<ParsedCallContext, CallContext | undefined> = z
  .strictObject({
    team: callerName.default("default"),
    apiKey: callerName.optional(),
    signal: signal.optional(),
    model: languageModel.optional(),
  } satisfies Fields<CallContext>)
  .prefault({});
