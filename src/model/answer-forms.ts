/** Determines the form of answer to ask a model for: the strictest that it has not refused. */
import type { JsonSchema } from "../contract/schema-option.ts";
import type { AnswerForm } from "./language-model.ts";

export const looserForm: Readonly<Record<AnswerForm, AnswerForm | null>> = { schema: "json", json: "text", text: null };

interface AnswerForms {
  /** `schema` null means that there is no strict form. */
  first(model: unknown, schema: JsonSchema | null): AnswerForm;
  /** Records that the model has answered in this form, after it refused all stricter ones from `first` on. */
  learn(model: unknown, schema: JsonSchema | null, first: AnswerForm, answered: AnswerForm): void;
}

/**
 * A refusal may be due to one schema. Only a model that has refused a form this many times, and never accepted it, is
 * not asked in that form again.
 */
const refusalsOfModel = 3;
/** Most schemas that are remembered for each model. */
const maxSchemas = 100;

interface Known {
  readonly bySchema: Map<string, AnswerForm>;
  readonly refused: Record<AnswerForm, number>;
  readonly answered: Set<AnswerForm>;
}

export function createAnswerForms(): AnswerForms {
  const models = new WeakMap<object, Known>();

  function knownOf(model: unknown): Known | undefined {
    if (typeof model !== "object" || model === null) return undefined;
    const known = models.get(model) ?? {
      bySchema: new Map(),
      refused: { schema: 0, json: 0, text: 0 },
      answered: new Set(),
    };
    models.set(model, known);
    return known;
  }

  return {
    first(model, schema) {
      const strictest: AnswerForm = schema === null ? "json" : "schema";
      const known = knownOf(model);
      if (known === undefined) return strictest;
      let form = known.bySchema.get(JSON.stringify(schema)) ?? strictest;
      while (known.refused[form] >= refusalsOfModel && !known.answered.has(form)) form = looserForm[form] ?? "text";
      return form;
    },
    learn(model, schema, first, answered) {
      const known = knownOf(model);
      if (known === undefined) return;
      known.answered.add(answered);
      for (let form = first; form !== answered; form = looserForm[form] ?? answered) known.refused[form]++;
      if (first === answered) return;
      known.bySchema.set(JSON.stringify(schema), answered);
      if (known.bySchema.size > maxSchemas) known.bySchema.delete(known.bySchema.keys().next().value as string);
    },
  };
}
