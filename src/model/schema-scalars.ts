/** Checks texts and numbers against the keywords of a schema, and says what is wrong with them. */
import { hasFormat } from "./schema-formats.ts";

type Node = Readonly<Record<string, unknown>>;

export function textProblem({ minLength, maxLength, format }: Node, value: string): string | undefined {
  if (typeof minLength === "number" && lengthOf(value) < minLength) return `must have at least ${minLength} characters`;
  if (typeof maxLength === "number" && lengthOf(value) > maxLength) return `must have at most ${maxLength} characters`;
  if (typeof format === "string" && !hasFormat(value, format)) return `must be a ${format}`;
  return undefined;
}

/** Characters as a reader counts them, not code units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** In draft 4, the exclusive bounds are booleans that change the meaning of `minimum` and `maximum`. */
export function numberProblem(schema: Node, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (typeof above === "number" && value <= above) return `must be greater than ${above}`;
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  if (typeof below === "number" && value >= below) return `must be less than ${below}`;
  if (typeof maximum === "number" && value > maximum) return `must be at most ${maximum}`;
  if (typeof multipleOf === "number" && multipleOf > 0) {
    const times = value / multipleOf;
    // Decimal fractions have no exact binary form: 19.99 / 0.01 is not quite 1999.
    if (Math.abs(times - Math.round(times)) > 4 * Number.EPSILON * Math.max(1, Math.abs(times)))
      return `must be a multiple of ${multipleOf}`;
  }
  return undefined;
}
