import type { Waiter } from "../contract/team-turns.ts";
import type { ModelCalls } from "../model/model-calls.ts";

/**
 * The same calls of models, by somebody who waits for a turn. For the page of a job that is no time of its own: many more
 * may be at work than models are asked at once, and those at the end would have had no answer.
 */
export function waitingModels(calls: ModelCalls, waiter: Waiter): ModelCalls {
  return {
    limits: calls.limits,
    ask: (call, schema) => calls.ask({ ...call, waiter }, schema),
    askForText: (call) => calls.askForText({ ...call, waiter }),
  };
}
