/** All calls of models in one engine: how many at once, how long each may take, which form of answer a model can give. */
import { AsyncResource } from "node:async_hooks";
import PQueue from "p-queue";
import { orAborted } from "../contract/or-aborted.ts";
import type { JsonSchema } from "../contract/schema-option.ts";
import type { Limits } from "../options.ts";
import { createAnswerForms, looserForm } from "./answer-forms.ts";
import { callModel, type ModelAnswer, type ModelCall, ModelCallError } from "./language-model.ts";
import { addUsage, noUsage, type Usage } from "./tokens.ts";

/** See `Limits` of the engine's options. */
export type ModelLimits = Required<
  Pick<Limits, "modelConcurrency" | "modelInputTokens" | "modelPartsPerPage" | "modelTimeoutMs">
>;

export interface ModelCalls {
  readonly limits: ModelLimits;
  /** Asks in the strictest form that the model can answer in; `schema` null means that there is no strict form. */
  ask(call: Omit<ModelCall, "form" | "schema">, schema: JsonSchema | null): Promise<ModelAnswer>;
  askForText(call: Omit<ModelCall, "form" | "schema">): Promise<ModelAnswer>;
}

export function createModelCalls(limits: ModelLimits): ModelCalls {
  const queue = new PQueue({ concurrency: limits.modelConcurrency });
  const forms = createAnswerForms();

  function call(request: ModelCall): Promise<ModelAnswer> {
    const ask = async () => {
      const timeout = AbortSignal.timeout(limits.modelTimeoutMs);
      const signal = AbortSignal.any([request.signal, timeout]);
      try {
        // A host's model may not listen to the signal.
        return await orAborted(callModel({ ...request, signal }), signal);
      } catch (error) {
        if (!timeout.aborted || request.signal.aborted) throw error;
        throw new ModelCallError(`no answer within ${limits.modelTimeoutMs} ms`, {
          formRefused: false,
          cause: error,
        });
      }
    };
    // The queue starts it from within another call; what a host keeps for its caller shall be that of this one.
    return queue.add(AsyncResource.bind(ask), { signal: request.signal });
  }

  return {
    limits,
    async ask(request, schema) {
      const first = forms.first(request.model, schema);
      for (let form = first; ; ) {
        try {
          const answer = await call({ ...request, form, schema: schema ?? undefined });
          // Only now is it clear that the form was refused, and not the content.
          forms.learn(request.model, schema, first, form);
          return answer;
        } catch (error) {
          const next = looserForm[form];
          if (!(error instanceof ModelCallError) || !error.formRefused || next === null) throw error;
          form = next;
        }
      }
    },
    askForText: (request) => call({ ...request, form: "text" }),
  };
}

/** The same calls, with a count of their tokens that is right also when the work is broken off. */
export function metered(calls: ModelCalls): { readonly calls: ModelCalls; readonly used: () => Usage } {
  let used = noUsage;
  const count = async (answer: Promise<ModelAnswer>): Promise<ModelAnswer> => {
    const { usage } = await answer;
    used = addUsage(used, usage);
    return answer;
  };
  return {
    calls: {
      limits: calls.limits,
      ask: (call, schema) => count(calls.ask(call, schema)),
      askForText: (call) => count(calls.askForText(call)),
    },
    used: () => used,
  };
}
