import type { ModelCalls } from "../model/model-calls.ts";
import type { Waiter } from "../shared/team-turns.ts";

/**
 * The same calls of models, made by somebody who waits for a turn. For a page of a job that time does not count: many
 * more pages may be in progress than calls are made at once, and the last of them would get no answer.
 */
export function waitingModels(calls: ModelCalls, waiter: Waiter): ModelCalls {
  return {
    limits: calls.limits,
    ask: (call, schema) => calls.ask({ ...call, waiter }, schema),
    askForText: (call) => calls.askForText({ ...call, waiter }),
  };
}
