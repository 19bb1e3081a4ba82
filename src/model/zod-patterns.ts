/** Regular expressions of zod schemas: JSON Schema has no flags, so they are moved into the pattern. */

/** The flags that affect which texts match. */
const telling = /[ims]/g;

interface Converted {
  readonly zodSchema: unknown;
  readonly jsonSchema: object;
}

/**
 * For zod's `override`: `/^[a-z]+$/i` becomes `(?i:^[a-z]+$)`. Zod itself writes `^[a-z]+$`, which forbids texts that
 * it accepts.
 */
export function keepFlags({ zodSchema, jsonSchema }: Converted): void {
  const flagged = patternsOf(zodSchema).filter(({ flags }) => flags.search(telling) !== -1);
  const { allOf } = jsonSchema as { allOf?: unknown };
  for (const part of [jsonSchema, ...(Array.isArray(allOf) ? allOf : [])] as { pattern?: unknown }[]) {
    const pattern = flagged.find(({ source }) => source === part.pattern);
    if (pattern !== undefined) part.pattern = `(?${pattern.flags.match(telling)!.join("")}:${pattern.source})`;
  }
}

interface Check {
  readonly _zod?: { readonly def?: { readonly pattern?: unknown; readonly checks?: readonly Check[] } };
}

function patternsOf(schema: unknown): RegExp[] {
  const checks = (schema as Check)._zod?.def?.checks ?? [];
  return checks.flatMap((check) => {
    const pattern = check._zod?.def?.pattern;
    return pattern instanceof RegExp ? [pattern] : [];
  });
}
