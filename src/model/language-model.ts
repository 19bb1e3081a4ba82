/** One call of a language model through the AI SDK, which is loaded at the first call. */
import type { APICallError, LanguageModel, ModelMessage } from "ai";
import type { JsonSchema } from "../contract/schema-option.ts";
import { RequestError } from "../errors.ts";
import { shownErrorText } from "../shared/error-text.ts";
import { readRetryAfter } from "../shared/retry-after.ts";
import type { Waiter } from "../shared/team-turns.ts";

/** How an answer is asked for: with an enforced schema, as free-form JSON, or as text. */
export type AnswerForm = "schema" | "json" | "text";

export interface ModelCall {
  /** A `LanguageModel` of the AI SDK. */
  readonly model: unknown;
  readonly instructions: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly form: AnswerForm;
  /** With the form `schema`. */
  readonly schema?: JsonSchema | undefined;
  readonly signal: AbortSignal;
  readonly waiter?: Waiter | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** Why the text is not a complete answer. */
  readonly incomplete?: "length" | "refused" | "empty";
  /** Of the question and the answer, as counted by the provider. */
  readonly tokens: number;
}

interface CallErrorOptions {
  readonly formRefused?: boolean;
  readonly maybeTooLong?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause: unknown;
}

/** The call failed: the provider could not be reached, or refused. */
export class ModelCallError extends Error {
  override name = "ModelCallError";
  /** The provider cannot answer in the requested form; another form may work. */
  readonly formRefused: boolean;
  /** The request may be too long for the provider; a shorter one may work. */
  readonly maybeTooLong: boolean;
  /** The provider turned the call away by a rate limit; after this many milliseconds it may answer. */
  readonly retryAfterMs: number | undefined;

  /** Whoever shows the message makes it the end of a sentence, with a full stop. */
  constructor(message: string, options: CallErrorOptions) {
    super(message.replace(/\.$/, ""), { cause: options.cause });
    this.formRefused = options.formRefused ?? false;
    this.maybeTooLong = options.maybeTooLong ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * In characters: twice as long as the longest answers of models. Reading an answer takes time and memory in proportion
 * to its length, and a server that repeats itself without end has to be cut off. What is longer counts as nothing.
 */
const maxAnswerLength = 1_000_000;

/** Retries after overload and lost connections, with growing pauses, or pauses as long as the provider asks for. */
const maxRetries = 2;

type Sdk = typeof import("ai");

async function loadSdk(): Promise<Sdk> {
  let sdk: Sdk;
  try {
    sdk = await import("ai");
  } catch (cause) {
    throw new RequestError("UNSUPPORTED", "A language model needs the package ai: npm install ai", { cause });
  }
  // Earlier versions would ask for text, whatever the form.
  if (typeof (sdk.Output as Partial<Sdk["Output"]>).json === "function") return sdk;
  throw new RequestError("UNSUPPORTED", "A language model needs version 6 or later of the package ai: npm install ai");
}

/**
 * Rejects with a {@link ModelCallError}, also if the signal is aborted; with a `RequestError` if the package `ai` is
 * missing or too old.
 */
export async function callModel(call: ModelCall): Promise<ModelAnswer> {
  const sdk = await loadSdk();
  const { instructions, signal } = call;
  try {
    const result = await sdk.generateText({
      model: bounded(sdk, call.model as LanguageModel),
      instructions,
      // Version 6 of the SDK knows them by this name only, and would leave the others out without a word.
      system: instructions,
      messages: call.messages as ModelMessage[],
      output: outputOf(sdk, call),
      maxRetries,
      abortSignal: signal,
    });
    return answerOf(result.text, result.finishReason, tokensOf(result.usage));
  } catch (error) {
    // The SDK found no JSON in the text. Whether there is any is decided here, and the tokens are charged.
    if (sdk.NoObjectGeneratedError.isInstance(error)) {
      return answerOf(error.text ?? "", error.finishReason, tokensOf(error.usage));
    }
    throw asCallError(sdk, error, call.form);
  }
}

function outputOf(sdk: Sdk, { form, schema }: ModelCall) {
  if (form === "text") return sdk.Output.text();
  // Without a `validate`, the SDK accepts any JSON; answers are checked here, against the original schema.
  return form === "json" || schema === undefined
    ? sdk.Output.json()
    : sdk.Output.object({ schema: sdk.jsonSchema(schema), name: "answer" });
}

/** For a model of an older specification, the SDK prints a process warning each time the model is wrapped. */
const wrapped = new WeakMap<object, LanguageModel>();

/**
 * Wraps a model, because the SDK prints providers' warnings as process warnings, which a library must not do, and
 * parses a whole answer as JSON, however long.
 */
function bounded(sdk: Sdk, model: LanguageModel): LanguageModel {
  if (typeof model === "string") return model;
  const known = wrapped.get(model) ?? wrap(sdk, model);
  wrapped.set(model, known);
  return known;
}

function wrap(sdk: Sdk, model: Exclude<LanguageModel, string>): LanguageModel {
  return sdk.wrapLanguageModel({
    model,
    middleware: {
      async wrapGenerate({ doGenerate }) {
        const result = await doGenerate();
        if (!isReadable(result)) throw new Error("the model's answer has no content that can be read");
        const length = result.content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
        const cut = length > maxAnswerLength ? { finishReason: { unified: "length", raw: undefined } as const } : {};
        return { ...result, ...cut, warnings: [] };
      },
    },
  });
}

/** A host's own model may return anything. */
function isReadable(result: unknown): boolean {
  const content = (result as { content?: unknown } | null | undefined)?.content;
  return (
    Array.isArray(content) &&
    content.every(
      (part: { type?: unknown; text?: unknown } | null) => part?.type !== "text" || typeof part.text === "string",
    )
  );
}

function answerOf(text: string, finishReason: string | undefined, tokens: number): ModelAnswer {
  if (text.length > maxAnswerLength) return { text: "", incomplete: "length", tokens };
  if (finishReason === "length") return { text, incomplete: "length", tokens };
  if (finishReason === "content-filter") return { text, incomplete: "refused", tokens };
  if (text.trim() === "") return { text, incomplete: "empty", tokens };
  return { text, tokens };
}

function tokensOf(usage: Partial<import("ai").LanguageModelUsage> | undefined): number {
  return countOf(usage?.inputTokens) + countOf(usage?.outputTokens);
}

/** Tokens are charged, so anything that is no valid count is not accepted from a provider or a host's own model. */
function countOf(tokens: unknown): number {
  return typeof tokens === "number" && tokens >= 0 && Number.isSafeInteger(Math.ceil(tokens)) ? Math.ceil(tokens) : 0;
}

/** Statuses with which providers say that they do not understand the request. */
const formStatuses: ReadonlySet<number> = new Set([400, 404, 415, 422, 501]);
/** Statuses with which they say that it is too long for the model, or for a limit per minute. */
const lengthStatuses: ReadonlySet<number> = new Set([400, 413, 422]);
/** Statuses with which they turn away calls because they are overloaded, or because of a limit per minute. */
const turningAwayStatuses: ReadonlySet<number> = new Set([429, 503, 529]);
const accessStatuses: ReadonlySet<number> = new Set([401, 403]);
/** Some refuse an API key with the status of a request that they do not understand. */
const speaksOfKey = /\bapi[ _-]?key\b/i;

function asCallError(sdk: Sdk, error: unknown, form: AnswerForm): ModelCallError {
  const last = sdk.RetryError.isInstance(error) ? (error.lastError ?? error) : error;
  const status = sdk.APICallError.isInstance(last) ? last.statusCode : undefined;
  const reason = shownErrorText(last);
  if (status === undefined) {
    const formRefused = sdk.UnsupportedFunctionalityError.isInstance(last);
    return new ModelCallError(reason.slice(0, 300), { formRefused, cause: error });
  }
  // A provider's message about a refused key may contain a part of the key; any other message may quote the request.
  if (accessStatuses.has(status) || speaksOfKey.test(reason)) {
    return new ModelCallError(`status ${status}: the provider refuses access`, { cause: error });
  }
  return new ModelCallError(`status ${status}: ${reason.slice(0, 300)}`, {
    // Some servers break down when they cannot compile a schema.
    formRefused: formStatuses.has(status) || (status === 500 && form === "schema"),
    maybeTooLong: lengthStatuses.has(status),
    retryAfterMs: turningAwayStatuses.has(status) ? retryAfterMs(last as APICallError) : undefined,
    cause: error,
  });
}

/** The pause if the provider names none: as long as the SDK waits before its last try. */
const usualPauseMs = 4000;
const longestPauseMs = 60_000;

function retryAfterMs({ responseHeaders }: APICallError): number {
  const asked = readRetryAfter(responseHeaders?.["retry-after"], Date.now());
  return asked ? Math.min(asked, longestPauseMs) : usualPauseMs;
}
