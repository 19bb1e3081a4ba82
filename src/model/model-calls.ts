/** All calls of models in one engine: how many at once, how long each may take, which form of answer a model can give. */
import { setTimeout as pause } from "node:timers/promises";
import { orAborted } from "../contract/or-aborted.ts";
import type { JsonSchema } from "../contract/schema-option.ts";
import { createTeamTurns } from "../contract/team-turns.ts";
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

/** What providers count calls and tokens by. */
const rateMs = 60_000;

export function createModelCalls(limits: ModelLimits): ModelCalls {
  const turns = createTeamTurns(limits.modelConcurrency);
  const forms = createAnswerForms();

  /** When each model gave its last answer. */
  const answered = new WeakMap<object, number>();

  /** Once, as far as the SDK tries. */
  async function askOnce(request: ModelCall): Promise<ModelAnswer> {
    // A host's model may not listen to the signal.
    const answer = await orAborted(callModel(request), request.signal);
    if (isKey(request.model)) answered.set(request.model, performance.now());
    return answer;
  }

  /**
   * Who is turned away while others are answered asks for more than its share, and comes next: without that a key for so
   * many calls a minute loses every few pages of a long job. Where nobody has been answered nothing is waited for.
   */
  async function askUntilAnswered(request: ModelCall): Promise<ModelAnswer> {
    try {
      return await askOnce(request);
    } catch (error) {
      const pauseMs = error instanceof ModelCallError ? error.retryAfterMs : undefined;
      const last = isKey(request.model) ? answered.get(request.model) : undefined;
      const isAnswering = last !== undefined && performance.now() - last < rateMs;
      if (pauseMs === undefined || !isAnswering) throw error;
      // Not all of them in the same moment.
      const paused = pause(pauseMs * (1 + Math.random()), undefined, { signal: request.signal });
      const again = paused.then(() => askUntilAnswered(request));
      return request.waiter?.untimed?.(again) ?? again;
    }
  }

  async function call(request: ModelCall): Promise<ModelAnswer> {
    const { team, untimed } = request.waiter ?? { team: "" };
    const turn = turns.take(team, request.signal);
    const end = await (untimed?.(turn) ?? turn);
    const timeout = AbortSignal.timeout(limits.modelTimeoutMs);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      return await askUntilAnswered({ ...request, signal });
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (!timeout.aborted) throw error;
      throw new ModelCallError(`no answer within ${limits.modelTimeoutMs} ms`, { cause: error });
    } finally {
      end();
    }
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

/** Models may also be given by name, as a string. */
function isKey(model: unknown): model is object {
  return typeof model === "object" && model !== null;
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
