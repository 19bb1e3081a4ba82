/** Who calls, and how the call can be stopped. */
import { z } from "zod";

/** Characters of the longest name of a team or a key. */
export const maxNameLength = 200;

const signal = z.custom<AbortSignal>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    typeof (value as AbortSignal).aborted === "boolean" &&
    typeof (value as AbortSignal).addEventListener === "function",
  "must be an AbortSignal",
);

/** The second argument of every call. */
export const callContext = z
  .strictObject({
    /**
     * The team that the call works for, pays and sees its jobs. 1 to 200 characters.
     * @default "default"
     */
    team: z.string().min(1).max(maxNameLength).default("default"),
    /** Name of the API key, for usage by key. 1 to 200 characters. */
    apiKey: z.string().min(1).max(maxNameLength).optional(),
    /** Stops the call at once; it rejects with the signal's reason. */
    signal: signal.optional(),
    /** A language model for this call instead of the engine's own (a `LanguageModel` of the AI SDK). */
    model: z.unknown().optional(),
  })
  .prefault({});

export type CallContext = z.input<typeof callContext>;
export type ParsedCallContext = z.output<typeof callContext>;
