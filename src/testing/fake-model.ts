/** A language model for tests: it gives prepared answers, and records what it was asked. */

/** One call of the model. */
export interface FakeModelCall {
  /** Everything the model was sent, instructions first. */
  readonly prompt: string;
  /** The JSON Schema that the answer must follow, if one is enforced. */
  readonly schema: unknown;
}

/** A text, or a value that is returned as JSON. */
type FakeAnswer = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** A language model with prepared answers; see {@link fakeModel}. */
export interface FakeModel {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  /** All calls so far, in order. */
  readonly calls: readonly FakeModelCall[];
  doGenerate(options: FakeCallOptions): Promise<unknown>;
  doStream(): Promise<never>;
}

/** The call options of the AI SDK that are read. */
interface FakeCallOptions {
  readonly prompt: readonly {
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly responseFormat?: { readonly type: string; readonly schema?: unknown } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * A model for `createEngine({ model })`, for version 7 of the AI SDK. It counts one token for every four characters, in
 * and out.
 *
 * @param answer a value for every call, or a function of the call; if it throws, the call fails
 * @example
 * const model = fakeModel({ name: "Kettle", price: 20 });
 * const engine = createEngine({ model });
 * await engine.scrape({ url, formats: ["json"], jsonOptions: { prompt: "the product" } });
 * console.log(model.calls[0]?.prompt);
 */
export function fakeModel(answer: FakeAnswer | ((call: FakeModelCall) => unknown)): FakeModel {
  const calls: FakeModelCall[] = [];
  return {
    specificationVersion: "v4",
    provider: "crawlcore-testing",
    modelId: "fake",
    supportedUrls: {},
    calls,
    async doGenerate({ prompt, responseFormat, abortSignal }) {
      abortSignal?.throwIfAborted();
      const call = {
        prompt: prompt.map(({ content }) => textOf(content)).join("\n\n"),
        schema: responseFormat?.schema,
      };
      calls.push(call);
      const given = typeof answer === "function" ? await answer(call) : answer;
      const text = typeof given === "string" ? given : JSON.stringify(given);
      return {
        content: [{ type: "text", text }],
        finishReason: { unified: "stop", raw: undefined },
        usage: {
          inputTokens: {
            total: quarter(call.prompt),
            noCache: quarter(call.prompt),
            cacheRead: 0,
            cacheWrite: undefined,
          },
          outputTokens: { total: quarter(text), text: quarter(text), reasoning: undefined },
        },
        warnings: [],
      };
    },
    async doStream() {
      throw new Error("The fake model does not stream");
    },
  };
}

function textOf(content: FakeCallOptions["prompt"][number]["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? "").join("\n");
}

function quarter(text: string): number {
  return Math.ceil(text.length / 4);
}
