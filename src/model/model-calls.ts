/**
 * All calls of models in one engine: limits how many run at once and how long each takes, and knows in which form a
 * model can answer.
 */

import type { JsonSchema } from "../contract/schema-option.ts";
import type { Limits } from "../options.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { createTeamTurns } from "../shared/team-turns.ts";
import { createAnswerForms, looserForm } from "./answer-forms.ts";
import { callModel, type ModelAnswer, type ModelCall, ModelCallError } from "./language-model.ts";
import { createModelRests } from "./model-rests.ts";

/** See `Limits` of the engine's options. */
type ModelLimits = Required<
  Pick<Limits, "modelConcurrency" | "modelInputTokens" | "modelPartsPerPage" | "modelTimeoutMs">
>;

export interface ModelCalls {
  readonly limits: ModelLimits;
  /** Asks in the strictest form that the model can answer in; `schema` null means that there is no strict form. */
  ask(call: Omit<ModelCall, "form" | "schema">, schema: JsonSchema | null): Promise<ModelAnswer>;
  askForText(call: Omit<ModelCall, "form" | "schema">): Promise<ModelAnswer>;
}

export function createModelCalls(limits: ModelLimits): ModelCalls {
  const turns = createTeamTurns(limits.modelConcurrency);
  const rests = createModelRests();
  const forms = createAnswerForms();

  /** While a model turns callers away, turns are left to callers of other models. */
  async function turnAt(model: unknown, team: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await rests.wait(model, signal);
      const end = await turns.take(team, signal);
      if (!rests.isResting(model)) return end;
      end();
    }
  }

  /** Makes one call, including the retries of the SDK. */
  async function askWithin(request: ModelCall, milliseconds: number): Promise<ModelAnswer> {
    const timeout = AbortSignal.timeout(milliseconds);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      // A host's model may not listen to the signal.
      const answer = await orAborted(callModel({ ...request, signal }), signal);
      rests.answered(request.model);
      return answer;
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (!timeout.aborted) throw error;
      throw new ModelCallError(`no answer within ${limits.modelTimeoutMs} ms`, { cause: error });
    }
  }

  /** Repeats a call that was turned away, as long as there is time. */
  async function call(request: ModelCall): Promise<ModelAnswer> {
    const { team, untimed } = request.waiter ?? { team: "" };
    let leftMs = limits.modelTimeoutMs;
    for (;;) {
      const turn = turnAt(request.model, team, request.signal);
      const end = await (untimed?.(turn) ?? turn);
      const begunAt = performance.now();
      try {
        return await askWithin(request, leftMs);
      } catch (error) {
        const pauseMs = error instanceof ModelCallError ? rests.turnedAway(request.model, error) : undefined;
        if (pauseMs === undefined) throw error;
        leftMs = Math.floor(leftMs - pauseMs - (performance.now() - begunAt));
        if (leftMs <= 0) throw error;
      } finally {
        end();
      }
    }
  }

  return {
    limits,
    async ask(request, schema) {
      const first = forms.first(request.model, schema);
      for (let form = first; ; ) {
        try {
          const answer = await call({ ...request, form, schema: schema ?? undefined });
          // Only now is it clear that the form was refused, rather than the content.
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

/** The same calls, with a count of their tokens that is correct even if the work is aborted. */
export function metered(calls: ModelCalls): { readonly calls: ModelCalls; readonly used: () => number } {
  let used = 0;
  const count = async (answer: Promise<ModelAnswer>): Promise<ModelAnswer> => {
    const { tokens } = await answer;
    used += tokens;
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
