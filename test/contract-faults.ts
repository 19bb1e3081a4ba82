/** What a schema of the contract finds wrong. */
import type { z } from "zod";
import { parse } from "../src/contract/parse.ts";
import { RequestError } from "../src/errors.ts";

/** The paths of the issues; empty for good input. */
export function faults(schema: z.ZodType, input: unknown): string[] {
  try {
    parse(schema, input, "request");
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.details?.map(({ path }) => path.join(".")) ?? [];
  }
}
