import type { Deadline } from "../fetch/deadline.ts";
import type { ModelCalls } from "../model/model-calls.ts";

/**
 * The same calls of models, whose waiting for a turn is no time of the page: many more pages may be at work than models
 * are asked at once, and those at the end would have had no answer.
 */
export function untimedModels(calls: ModelCalls, untimed: Deadline["untimed"]): ModelCalls {
  return {
    limits: calls.limits,
    ask: (call, schema) => calls.ask({ ...call, untimed }, schema),
    askForText: (call) => calls.askForText({ ...call, untimed }),
  };
}
