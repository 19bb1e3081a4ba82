/** Fields of zod schemas with a value for want of a better one: zod accepts objects without them. */

interface Converted {
  readonly zodSchema: unknown;
  readonly jsonSchema: { required?: readonly string[] | undefined };
}

interface Typed {
  readonly _zod?: {
    readonly def?: {
      readonly type?: unknown;
      readonly shape?: Readonly<Record<string, unknown>>;
      readonly innerType?: unknown;
      readonly in?: unknown;
    };
  };
}

/** Schemas that hand what they are given on to the one inside. */
const wrappers: ReadonlySet<unknown> = new Set(["nullable", "readonly", "pipe"]);

/** For zod's `override`: fields with a `catch` are not required. Zod itself writes that they are. */
export function freeCaughtFields({ zodSchema, jsonSchema }: Converted): void {
  const { shape } = (zodSchema as Typed)._zod?.def ?? {};
  const { required } = jsonSchema;
  if (shape === undefined || required === undefined) return;
  const rest = required.filter((name) => !isCaught(shape[name]));
  if (rest.length > 0) jsonSchema.required = rest;
  else delete jsonSchema.required;
}

function isCaught(field: unknown): boolean {
  const { type, innerType, in: input } = (field as Typed | undefined)?._zod?.def ?? {};
  return type === "catch" || (wrappers.has(type) && isCaught(innerType ?? input));
}
